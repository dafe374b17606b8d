"""An independent count of what `civl explore` has to find in `tests/explore`; `README.md` defines states and steps.

    counters                 prints `expected.tsv`: distinct states and transitions of all interleavings
    counters verdicts        prints `verdicts.tsv`: what is right, what is wrong, and the smallest scope that shows it
    counters run PROGRAM[_BUG] THREADS CALLS|inf SIZE [failures|trace|brute]    one row, and the calls and returns of a violation
    counters check [--all]   do the stored tables, the comments of the programs and a fresh count agree? Exits with 1 if not.
                             Without --all rows of more than 60,000 states are not counted again.
    counters write           writes both tables
"""
import pathlib
import sys

from histories import brute_force, monitored
from naive import UNEXPLAINED, Scope, count
from programs import COUNTED, LIMIT, PATIENCE, PROGRAMS, ladder, model, shown

HERE = pathlib.Path(__file__).parent
EXPLORE = HERE.parent.parent / "explore"
QUICK = 60_000


def count_rows(skip=lambda row: False):
    """Lines of `expected.tsv`, the first one its head."""
    yield "name\tscope\tstates\ttransitions"
    for name, scope in COUNTED:
        if skip((name, shown(name, scope))):
            continue
        answer = count(model(name), scope)
        assert answer.verdict == "exhausted", answer
        yield f"{name}\t{shown(name, scope)}\t{answer.states}\t{answer.transitions}"


def verdict_rows():
    """Lines of `verdicts.tsv`, the first one its head."""
    yield "program\tmode\tverdict\tscope\twhat"
    for name, program in PROGRAMS.items():
        yield right(name)
        for bug in program.bugs:
            yield wrong(name, bug)


def right(name):
    """A right program is exhausted in both modes, up to the first scope of the ladder that is too large."""
    exhausted = None
    for scope in ladder(name):
        answers = [ask(model(name), scope, LIMIT) for ask in (count, monitored)]
        for answer in answers:
            if answer.verdict == "violation":
                return f"{name}\tfailures trace\tviolation\t{shown(name, scope)}\t{answer.what}"
        if any(answer.verdict == "truncated" for answer in answers):
            break
        exhausted = scope
    return f"{name}\tfailures trace\texhausted\t{shown(name, exhausted)}\t"


def wrong(name, bug):
    """The smallest scope with a violation, and whether its shortest run fails or only has results that nothing explains."""
    for scope in ladder(name):
        answer = monitored(model(name, bug), scope, PATIENCE)
        if answer.verdict == "violation":
            mode = "trace" if answer.what == UNEXPLAINED else "failures"
            return f"wrong/{name}_{bug}\t{mode}\tviolation\t{shown(name, scope)}\t{answer.what}"
        if answer.verdict == "truncated":
            break
    return f"wrong/{name}_{bug}\tfailures trace\tnothing found\t{shown(name, scope)}\t"


def compare_comments(rows):
    """Complaints about the first lines of programs that say something else than these rows, and about programs without a row."""
    complaints, seen = [], set()
    for row in rows:
        program, mode, verdict, scope, _ = row.split("\t")
        path = EXPLORE / f"{program}.bpl"
        seen.add(path)
        if not path.exists():
            complaints.append(f"there is no {path.name}")
            continue
        said = path.read_text().splitlines()[:3]
        expected = [f"// explore: {verdict}", f"// mode: {mode}", f"// scope: {scope}"]
        complaints += [f"{program}: says `{a}`, not `{b}`" for a, b in zip(said, expected) if a != b]
    complaints += [f"{path.relative_to(EXPLORE)} has no model" for path in sorted(EXPLORE.rglob("*.bpl")) if path not in seen]
    return complaints


def compare_brute_force():
    """Complaints where the two ways of judging histories differ in the smallest scopes."""
    complaints = []
    for name, program in PROGRAMS.items():
        for bug in (None,) + program.bugs:
            for scope in ladder(name)[:2]:
                first = monitored(model(name, bug), scope, LIMIT).verdict
                second = brute_force(model(name, bug), scope, LIMIT).verdict
                if first != second:
                    complaints.append(f"{name}_{bug} at {shown(name, scope)}: {first} by sets, {second} by orders")
    return complaints


def check(everything):
    stored = (HERE / "expected.tsv").read_text().splitlines()
    states = {tuple(row.split("\t")[:2]): int(row.split("\t")[2]) for row in stored[1:]}
    fresh = list(count_rows(lambda row: not everything and states.get(row, 0) > QUICK))
    complaints = [f"not in expected.tsv: {row}" for row in fresh if row not in stored]
    known = {(name, shown(name, scope)) for name, scope in COUNTED}
    complaints += [f"nobody counts {' '.join(row)} of expected.tsv" for row in states if row not in known]
    verdicts = list(verdict_rows())
    if verdicts != (HERE / "verdicts.tsv").read_text().splitlines():
        complaints.append("verdicts.tsv differs from a fresh one: see `counters verdicts`")
    complaints += compare_comments(verdicts[1:]) + compare_brute_force()
    for complaint in complaints:
        print(complaint)
    print(f"{len(fresh) - 1} counts of {len(stored) - 1}, {len(verdicts) - 1} verdicts, {len(complaints)} complaints")
    return 1 if complaints else 0


def run(program, threads, calls, size, mode="failures"):
    name = next(it for it in PROGRAMS if program == it or program.startswith(it + "_"))
    scope = Scope(int(threads), None if calls == "inf" else int(calls), int(size))
    ask = {"failures": count, "trace": monitored, "brute": brute_force}[mode]
    answer = ask(model(name, program[len(name) + 1:] or None), scope)
    print(f"{program}\t{shown(name, scope)}\t{answer.states}\t{answer.transitions}\t{answer.verdict}\t{answer.what}")
    for events in answer.run:
        for event in events:
            print("   ", *event)


def main(arguments):
    if not arguments:
        for row in count_rows():
            print(row, flush=True)
    elif arguments == ["verdicts"]:
        for row in verdict_rows():
            print(row, flush=True)
    elif arguments == ["write"]:
        (HERE / "verdicts.tsv").write_text("".join(f"{row}\n" for row in verdict_rows()))
        (HERE / "expected.tsv").write_text("".join(f"{row}\n" for row in count_rows()))
    elif arguments[0] == "check":
        return check(arguments[1:] == ["--all"])
    elif arguments[0] == "run":
        run(*arguments[1:])
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
