"""Random programs: whatever `civl` calls verified is run in all ways, and must do what was proved.

    oracle [--civl PATH] [--programs N] [--seed S] [--power] [--keep FOLDER]

Each program is made from a tree of its own, printed, and given to `civl verify`. If the verdict is "verified", two or three
threads run its procedures of the highest layer, step by step, in every order, from small initial states. Nothing
may fail that does not fail one layer up, and every final state must be one that the refined actions reach.
A program that is refused is changed a little where it was refused and asked again, up to `ROUNDS` times.
Nothing here shares code with the tool: the meaning of a program is what `machine.py` says.
With `--power`, programs that stay refused are run as well: that bad runs are found among them shows that they would be.
Prints every program for which the verdict is wrong, and counts as JSON on the last line; exits with 1 if a verdict is wrong.
"""
import argparse, json, os, random, subprocess, sys, tempfile

from machine import Machine, TooMany
from maker import Maker, Mender

# How often a refused program is changed.
ROUNDS = 12


def verdict(civl, path):
    done = subprocess.run([civl, "verify", "--no-cache", "--jobs", "1", "--time-limit", "5", "--format", "json", path], capture_output=True, text=True)
    try:
        said = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "crash", done.stderr
    kinds = {d["phase"] for d in said["diagnostics"] if d["severity"] == "error"}
    return said["verdict"] if not (kinds - {"proof"}) else "static", said


def power(program, rng):
    """Is a refused program really wrong?"""
    try:
        return "a bad run exists" if Machine(program).wrong(rng) else "no bad run found"
    except TooMany:
        return "too many states"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--civl", default="target/release/civl")
    options.add_argument("--programs", type=int, default=1000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--power", action="store_true", help="also run what was refused, to see how many bad runs are found")
    options.add_argument("--keep", default="/tmp/oracle-found")
    options = options.parse_args()
    counts, codes = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for nth in range(options.programs):
            rng = random.Random(f"{options.seed}/{nth}")
            program = Maker(rng).program()
            path = os.path.join(folder, "p.bpl")
            for _ in range(ROUNDS):
                with open(path, "w") as file:
                    file.write(program.text())
                said, more = verdict(options.civl, path)
                if said not in ("static", "errors"):
                    break
                Mender(program, rng).mend([d for d in more["diagnostics"] if d["severity"] == "error"])
            found = None
            if said == "verified":
                try:
                    found = Machine(program).wrong(rng)
                except TooMany:
                    said = "verified, too many states"
            elif said in ("static", "errors"):
                for d in more["diagnostics"]:
                    if d["severity"] == "error":
                        codes[d["code"]] = codes.get(d["code"], 0) + 1
                if options.power:
                    key = f"{said}, {power(program, rng)}"
                    counts[key] = counts.get(key, 0) + 1
            counts[said] = counts.get(said, 0) + 1
            if found or said == "crash":
                os.makedirs(options.keep, exist_ok=True)
                kept = os.path.join(options.keep, f"{options.seed}-{nth}.bpl")
                with open(kept, "w") as file:
                    file.write(f"// {found}\n" + program.text())
                counts["WRONG"] = counts.get("WRONG", 0) + 1
                print(f"{kept}: {found or more[:300]}", flush=True)
    print(json.dumps({"refused for": dict(sorted(codes.items(), key=lambda item: -item[1]))}))
    print(json.dumps(counts))
    sys.exit(1 if "WRONG" in counts else 0)


if __name__ == "__main__":
    main()
