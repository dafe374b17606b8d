"""A judge of `civl verify`: whatever it calls verified must do what the verdict guarantees.

    oracle [--civl PATH] [--seconds N] [--programs N] [--seed S] [--generator concurrent|sequential|all] [--jobs N] [--keep FOLDER]
    oracle --judge FILE...        what the judge says about programs, whatever the verifier says
    oracle --check FILE...        both: exits with 1 if a program is verified (strictly) and wrong

Programs are made near the provable ones of `seeds/` (`mutate.py`), asked about with `--strict`, and if verified run in all ways with a meaning of
its own (`judge.py` says which guarantees are judged). What is found is shrunk, grouped by what is remarkable about it, and stored with its
seed. Nothing here shares code with the tool. The last line counts, as JSON; exits with 1 if a wrong verdict was found.
"""
import argparse
import json
import multiprocessing
import sys
import tempfile

from ask import Asker, judge_file
from hunt import Worker
from parser import parse


def hunt(work):
    options, nth, programs = work
    sys.setrecursionlimit(3000)
    return Worker(options, nth).run(programs)


def judged(files):
    """Judges programs; the answers as lines and counts."""
    counts = {}
    for path in files:
        verdict = judge_file(path)
        answer = "wrong" if verdict.wrong else "right" if verdict.runs else "not judged"
        counts[answer] = counts.get(answer, 0) + 1
        print(f"{path}: {answer}{': ' + verdict.wrong[2] if verdict.wrong else ''}{f' (unsure: {verdict.reasons})' if verdict.unsure else ''}")
    print(json.dumps(counts))
    return 0


def checked(civl, files):
    """Asks the verifier and the judge about programs."""
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        asker = Asker(civl, folder)
        for path in files:
            with open(path, newline="") as file:
                text = file.read()
            said, wrong, _ = asker.wrong(parse(text), text=text)
            if wrong:
                print(f"{path}: {wrong[2]}")
                said = "WRONG"
            counts[said] = counts.get(said, 0) + 1
    print(json.dumps(counts))
    return 1 if "WRONG" in counts else 0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--civl", default="target/release/civl")
    options.add_argument("--seconds", type=float, default=0, help="stop after so many seconds; 0: after --programs")
    options.add_argument("--programs", type=int, default=0, help="programs in all; 0: as many as the time allows, or 1000")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--generator", choices=("concurrent", "sequential", "all"), default="all")
    options.add_argument("--jobs", type=int, default=1, help="workers; each has a pool of its own, so finds depend on their number")
    options.add_argument("--keep", default="/tmp/oracle-found", help="folder for what was found")
    options.add_argument("--judge", nargs="+", metavar="FILE")
    options.add_argument("--check", nargs="+", metavar="FILE")
    options = options.parse_args()
    sys.setrecursionlimit(3000)
    if options.judge:
        sys.exit(judged(options.judge))
    if options.check:
        sys.exit(checked(options.civl, options.check))
    programs = options.programs or (10 ** 9 if options.seconds else 1000)
    work = [(options, nth, -(-programs // options.jobs)) for nth in range(options.jobs)]
    if options.jobs == 1:
        results = [hunt(work[0])]
    else:
        with multiprocessing.Pool(options.jobs) as pool:
            results = pool.map(hunt, work)
    counts, signs = {}, {}
    for part, found in results:
        for what, number in part.items():
            counts[what] = counts.get(what, 0) + number
        for sign, entry in found.items():
            signs[sign] = signs.get(sign, 0) + entry["count"]
    for sign, number in sorted(signs.items(), key=lambda item: -item[1]):
        print(f"{number:5} {sign}")
    counts["findings"] = len(signs)
    print(json.dumps(counts))
    sys.exit(1 if signs else 0)


if __name__ == "__main__":
    main()
