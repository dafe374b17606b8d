"""The hunt: programs near the provable ones are made, asked about and judged; what is wrong is shrunk and kept.

Each seed starts a family. A member is changed one to three times; what is still verified, and not wrong, joins the family, so that
several changes that each keep the proof can add up. Each worker has a pool and a random sequence of its own: the same seed and
number of programs give the same finds.
"""
import glob
import hashlib
import os
import random
import tempfile
import time
import traceback

from ask import Asker
from features import TELLING, features, signature
from judge import judge
from mutate import mutate
from parser import parse
from probes import silent, writes
from reader import Unreadable
from show import show_program
from shrink import shrink
from tree import clone

HERE = os.path.dirname(os.path.abspath(__file__))
# The most members of a family, and generations; how often one finding is shrunk again.
FAMILY, DEPTH, AGAIN = 30, 6, 1


def seeds(generator):
    """(name, tree, favoured changes) of the seeds of a generator."""
    found = []
    for path in sorted(glob.glob(os.path.join(HERE, "seeds", generator, "*.bpl"))):
        with open(path, newline="") as file:
            text = file.read()
        found.append((os.path.basename(path), parse(text), favoured(text)))
    return found


def favoured(text):
    """The changes that a seed says are interesting for it."""
    for line in text.splitlines():
        if line.startswith("// favour:"):
            return tuple(word.strip() for word in line.split(":", 1)[1].split(","))
    return ()


class Worker:
    def __init__(self, options, nth):
        self.options, self.nth = options, nth
        self.rng = random.Random(f"{options.seed}/{nth}")
        kinds = ("concurrent", "sequential") if options.generator == "all" else (options.generator,)
        self.pools = {kind: {name: [(tree, 0)] for name, tree, _ in seeds(kind)} for kind in kinds}
        self.favour = {name: favour for kind in kinds for name, _, favour in seeds(kind)}
        # What the seeds have is nothing special.
        self.usual = set().union(*(features(family[0][0]) for pool in self.pools.values() for family in pool.values()))
        self.counts, self.found, self.texts, self.reported = {}, {}, set(), set()

    def count(self, what, more=1):
        self.counts[what] = self.counts.get(what, 0) + more

    def run(self, programs):
        """Tries so many programs, or until the time is over."""
        end = time.monotonic() + self.options.seconds if self.options.seconds else None
        with tempfile.TemporaryDirectory() as folder:
            self.asker = Asker(self.options.civl, folder)
            for nth in range(programs):
                if end is not None and time.monotonic() > end:
                    break
                try:
                    self.one(nth)
                except (Unreadable, RecursionError) as why:
                    self.count(f"skipped: {type(why).__name__}")
                except Exception:  # A mistake of the oracle ends one program, not the hunt; it is counted and shown.
                    self.count("internal")
                    traceback.print_exc()
        return self.counts, self.found

    def one(self, nth):
        kind = self.rng.choices(list(self.pools), [3 if k == "concurrent" else 1 for k in self.pools])[0]
        # Every seed gets its turn; then it, or what came of it, the latest most often.
        name = self.rng.choice(list(self.pools[kind]))
        family = self.pools[kind][name]
        tree, depth = family[0] if self.rng.random() < 0.4 else self.rng.choice(family[-8:] if self.rng.random() < 0.6 else family)
        program = clone(tree)
        changes = mutate(program, self.rng, self.rng.choice((1, 1, 1, 2, 2, 3)), self.favour[name])
        text = show_program(program)
        digest = hashlib.sha256(text.encode()).digest()
        if digest in self.texts or not changes:
            return
        self.texts.add(digest)
        self.count("programs")
        said, wrong, notes = self.asker.wrong(program)
        self.count(said)
        if said == "crash":
            self.keep(f"crash {name}", text, "the verifier ended without an answer", name, changes)
        if said != "verified":
            return
        if notes is not None:
            self.count("runs", notes.runs)
            self.count("judged" if notes.runs else "not judged")
            if notes.unsure:
                self.count("judged in part")
        if wrong is None:
            # What has a feature with which something wrong was found is not followed further, mostly.
            if not (features(program) & self.reported and self.rng.random() < 0.9):
                self.admit(kind, name, program, depth)
                self.probe(name, program, changes)
        else:
            self.report(name, program, wrong, changes)

    def probe(self, name, program, changes):
        """What was just proved is asked whether it is empty."""
        tried = silent(self.asker, program, self.rng, show_program)[:2]
        more = writes(program, self.rng)
        for candidate in tried + ([more] if more is not None else []):
            self.count("probes")
            said, wrong, _ = self.asker.wrong(candidate, steps=8000)
            if said == "verified" and wrong is not None:
                self.report(name, candidate, wrong, changes + ["probe"])
                return

    def admit(self, kind, name, program, depth):
        family = self.pools[kind][name]
        if depth < DEPTH and len(show_program(program)) < 4000:
            if len(family) >= FAMILY:
                family.pop(self.rng.randrange(1, len(family)))
            family.append((program, depth + 1))

    # ---- Findings ----------------------------------------------------------------------------------------------------------

    def report(self, name, program, wrong, changes):
        self.count("WRONG")
        what = wrong[0]
        if self.known(what, program):
            return
        family = what.split(":")[0].split(" ")[0]

        # A smaller program needs no more steps than this one to show what is wrong.
        notes = judge(program)
        enough = 2 * notes.steps + 1000

        def still(candidate):
            said, again, _ = self.asker.wrong(candidate, steps=enough)
            return said == "verified" and again is not None and again[0].split(":")[0].split(" ")[0] == family

        small = shrink(program, still, 150)
        _, again, _ = self.asker.wrong(small)
        again = again or wrong
        sign = signature(again[0], small)
        self.keep(sign, show_program(small), again[2], name, changes)
        telling = features(small) & TELLING - self.usual
        self.reported |= telling if len(telling) == 1 else set()

    def known(self, what, program):
        """A finding with all that is remarkable about a known one is taken for the same, mostly."""
        if what in self.found:
            self.found[what]["count"] += 1
            return True
        mine = features(program)
        family = what.split(":")[0].split(" ")[0]
        for sign, entry in self.found.items():
            theirs = set(sign[sign.index("[") + 1:-1].split(", ")) - {""} if "[" in sign else set()
            alike = theirs & TELLING or theirs and sign.split(":")[0].split(" ")[0] == family
            if alike and theirs <= mine and entry["shrunk"] >= AGAIN and self.rng.random() < 0.9:
                entry["count"] += 1
                return True
        return False

    def keep(self, sign, text, words, name, changes):
        entry = self.found.get(sign)
        if entry is None or len(text) < len(entry["text"]):
            count, shrunk = (entry["count"], entry["shrunk"]) if entry else (0, 0)
            seed = f"--seed {self.options.seed} --jobs {self.options.jobs} (worker {self.nth})"
            entry = {"text": text, "words": words, "seed": seed, "from": name, "changes": changes, "count": count, "shrunk": shrunk}
            self.found[sign] = entry
            self.store(sign, entry)
        entry["count"] += 1
        entry["shrunk"] += 1

    def store(self, sign, entry):
        os.makedirs(self.options.keep, exist_ok=True)
        name = hashlib.sha256(sign.encode()).hexdigest()[:10]
        path = os.path.join(self.options.keep, f"{name}.bpl")
        head = f"// {sign}\n// {entry['words']}\n// from {entry['from']} by {', '.join(entry['changes'])}; {entry['seed']}\n".replace("\r", " ")
        with open(path, "w", newline="") as file:
            file.write(head + entry["text"])
        print(f"{path}: {sign}", flush=True)
