"""Takes the rules of soundness out of our own code, one at a time: some test must notice each.

    mutants [--only WORD] [--work FOLDER]

Each row of `rules.py` names a file, a text in it that occurs once, and what stands there instead. The change is made in a
copy of the repository, `civl` is built, and every program below `tests/soundness` is verified: the mutant is *killed* if
one of them gets another answer than it says, or if the unit tests that the row names fail. Prints one line per mutant and
the counts as JSON on the last line; exits with 1 if a mutant survives or a row does not fit the code any more.
"""
import argparse, concurrent.futures, filecmp, json, os, shutil, subprocess, sys

from rules import RULES

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
# What is copied: everything that a build or a program of the tests needs.
COPIED = ["Cargo.toml", "Cargo.lock", ".cargo", ".clippy.toml", ".rustfmt.toml", "syntax", "analysis", "server", "tests"]
ENDLESS = 120


def copy_repository(work):
    """Copies what git knows or would add. Files that have not changed keep their times, so that little is built again."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    names = {name for name in listed.stdout.splitlines() if name.split("/")[0] in COPIED and os.path.isfile(os.path.join(REPOSITORY, name))}
    for name in sorted(names):
        source, target = os.path.join(REPOSITORY, name), os.path.join(work, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or not filecmp.cmp(source, target, shallow=False):
            shutil.copy(source, target)
    for top in COPIED:
        for folder, _, files in os.walk(os.path.join(work, top)):
            for name in files:
                path = os.path.join(folder, name)
                if os.path.relpath(path, work) not in names:
                    os.remove(path)


def programs(work):
    found = []
    for folder, _, names in os.walk(os.path.join(work, "tests", "soundness")):
        found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".bpl")]
    return sorted(found)


def verdict(work, path, *more):
    civl = os.path.join(work, "target", "debug", "civl")
    try:
        done = subprocess.run([civl, "verify", "--no-cache", "--jobs", "1", "--format", "json", *more, path], capture_output=True, timeout=ENDLESS)
        return json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return {"verdict": "none", "trusted": []}


def fits(work, path):
    """Does the program get the answer that it says it should get?"""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        words = line.strip().split()
        if words[:2] == ["//", "verdict:"]:
            said = verdict(work, path)["verdict"]
            return {"verified": said == "verified", "errors": said == "errors", "not-verified": said in ("errors", "unknown")}[words[2]]
        if words[:2] == ["//", "expect:"]:
            plain, strict = verdict(work, path), verdict(work, path, "--strict")["verdict"]
            if words[2] == "refused":
                return "verified" not in (plain["verdict"], strict)
            if words[2] == "faith":
                return plain["verdict"] == "verified" and bool(plain["trusted"]) and strict != "verified"
            return plain["verdict"] == "verified" and strict == "verified"
    return True


def build(work):
    done = subprocess.run(["cargo", "build", "--quiet"], cwd=work, capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def unlike(work, row=""):
    """The first program that gets another answer, or nothing. Those of the row are asked first: they should be the ones."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        paths = sorted(programs(work), key=lambda path: not os.path.basename(path).startswith(row))
        for path, good in zip(paths, pool.map(lambda path: fits(work, path), paths)):
            if not good:
                pool.shutdown(cancel_futures=True)
                return os.path.relpath(path, work)
    return None


def failing_tests(work, rule):
    for package, filters in rule.tests.items():
        done = subprocess.run(["cargo", "test", "--quiet", "-p", package, *filters.split()], cwd=work, capture_output=True, text=True)
        if done.returncode != 0:
            return f"tests of {package}"
    return None


def judge(work, rule):
    path = os.path.join(work, rule.file)
    with open(path, newline="", encoding="utf-8") as file:
        text = file.read()
    if text.count(rule.old) != 1:
        return "MISFIT", f"the text occurs {text.count(rule.old)} times in {rule.file}"
    try:
        with open(path, "w", newline="", encoding="utf-8") as file:
            file.write(text.replace(rule.old, rule.new))
        built, why = build(work)
        if not built:
            return "MISFIT", why.strip().splitlines()[-1] if why.strip() else "it does not build"
        killer = unlike(work, rule.row) or failing_tests(work, rule)
        return ("killed", f"by {killer}") if killer else ("SURVIVED", "")
    finally:
        with open(path, "w", newline="", encoding="utf-8") as file:
            file.write(text)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--only", default="", help="mutants whose name or row contains this")
    options.add_argument("--work", default="/tmp/civl-mutants", help="where the copy of the repository is built")
    options = options.parse_args()
    copy_repository(options.work)
    built, why = build(options.work)
    first = unlike(options.work) if built else why
    if first:
        sys.exit(f"without a mutant: {first}")
    counts = {}
    for rule in RULES:
        if options.only not in rule.name and options.only != rule.row:
            continue
        said, why = judge(options.work, rule)
        counts[said] = counts.get(said, 0) + 1
        print(f"{said:9} {rule.row:6} {rule.name}: {why}", flush=True)
    print(json.dumps(counts))
    sys.exit(0 if set(counts) <= {"killed"} else 1)


if __name__ == "__main__":
    main()
