"""An independent count of what `civl explore` has to find in `tests/explore`; `README.md` defines states and steps.

    counters                 prints `expected.tsv`: distinct states and transitions of all interleavings
    counters verdicts        prints `verdicts.tsv`: what is right, what is wrong, and the smallest scope that shows it
    counters run PROGRAM[_BUG] THREADS CALLS|inf SIZE [failures|trace|brute]    one row, and the calls and returns of a violation
    counters check [--all]   do the stored tables, the comments of the programs and a fresh count agree? Exits with 1 if not.
                             Without --all rows of more than 15,000 states, and smaller scopes than the stored ones, are left out.
    counters write           writes both tables
"""
import pathlib
import sys

from histories import brute_force, monitored
from naive import UNEXPLAINED, Scope, count
from programs import COUNTED, FIRST_STEPS, LIMIT, PATIENCE, PROGRAMS, ladder, model, shown

HERE = pathlib.Path(__file__).parent
EXPLORE = HERE.parent.parent / "explore"
COUNTS = "name\tscope\tstates\ttransitions"
VERDICTS = "program\tmode\tverdict\tscope\tstates\twhat"
QUICK = 15_000


def count_row(name, scope):
    """A line of `expected.tsv`."""
    answer = count(model(name), scope)
    assert answer.verdict == "exhausted", answer
    return f"{name}\t{shown(name, scope)}\t{answer.states}\t{answer.transitions}"


def verdict_row(name, bug, scope, limit):
    """A line of `verdicts.tsv` and its verdict; the states are those of the program beside its specification."""
    answer = monitored(model(name, bug), scope, limit)
    program = f"wrong/{name}_{bug}" if bug else name
    mode = "failures trace"
    if answer.verdict == "violation":
        mode = "trace" if answer.what == UNEXPLAINED else "failures"
    return answer.verdict, f"{program}\t{mode}\t{answer.verdict}\t{shown(name, scope)}\t{answer.states}\t{answer.what}"


def right(name):
    """The last scope of the first steps of the ladder in which nothing fails, nothing is stuck and every history is explained."""
    exhausted = None
    for scope in [scope for scope in ladder(name) if scope in FIRST_STEPS]:
        verdict, row = verdict_row(name, None, scope, LIMIT)
        if verdict == "violation":
            return row
        if verdict == "exhausted":
            exhausted = row
    return exhausted


def wrong(name, bug):
    """The smallest scope with a violation, or the first that is too large."""
    for scope in ladder(name):
        verdict, row = verdict_row(name, bug, scope, PATIENCE)
        if verdict != "exhausted":
            return row
    return row


def verdict_rows():
    """Lines of `verdicts.tsv`, the first one its head."""
    yield VERDICTS
    for name, program in PROGRAMS.items():
        yield right(name)
        for bug in program.bugs:
            yield wrong(name, bug)


def count_rows():
    """Lines of `expected.tsv`, the first one its head."""
    yield COUNTS
    for name, scope in COUNTED:
        yield count_row(name, scope)


def compare_counts(everything):
    """How many counts were made again, and complaints about those that differ or that nobody makes."""
    stored = (HERE / "expected.tsv").read_text().splitlines()
    rows = {tuple(row.split("\t")[:2]): row for row in stored[1:]}
    named = [(name, shown(name, scope)) for name, scope in COUNTED]
    complaints = [] if list(rows) == named and stored[0] == COUNTS else ["expected.tsv has other rows than `COUNTED`"]
    again = 0
    for (name, scope), key in zip(COUNTED, named):
        row = rows.get(key, "")
        if row and (everything or int(row.split("\t")[2]) <= QUICK):
            again += 1
            fresh = count_row(name, scope)
            complaints += [] if fresh == row else [f"expected.tsv says {row}, now {fresh}"]
    return again, complaints


def compare_verdicts(everything):
    """The stored rows and complaints about those that differ from a run in their scope, or of the whole ladder."""
    stored = (HERE / "verdicts.tsv").read_text().splitlines()
    if everything:
        complaints = [] if stored == list(verdict_rows()) else ["verdicts.tsv differs from a fresh one: see `counters verdicts`"]
        return stored[1:], complaints
    complaints = [] if stored[0] == VERDICTS else ["verdicts.tsv has another head"]
    rows = iter(stored[1:])
    for name, program in PROGRAMS.items():
        for bug in (None,) + program.bugs:
            row = next(rows, "\t" * 5)
            scope = next((it for it in ladder(name) if shown(name, it) == row.split("\t")[3]), ladder(name)[0])
            if int(row.split("\t")[4] or 0) <= QUICK:
                _, fresh = verdict_row(name, bug, scope, None)
                complaints += [] if fresh == row else [f"verdicts.tsv says {row}, now {fresh}"]
    return stored[1:], complaints


def compare_comments(rows):
    """Complaints about the first lines of programs that say something else than these rows, and about programs without a row."""
    complaints, seen = [], set()
    for row in rows:
        program, mode, verdict, scope, _, _ = row.split("\t")
        path = EXPLORE / f"{program}.bpl"
        seen.add(path)
        if not path.exists():
            complaints.append(f"there is no {path.name}")
            continue
        said = path.read_text().splitlines()[:3]
        expected = [f"// explore: {verdict}", f"// mode: {mode}", f"// scope: {scope}"]
        complaints += [f"{program}: says `{a}`, not `{b}`" for a, b in zip(said, expected) if a != b]
    # Programs in `answers` are about what an answer says, not about what it counts.
    others = [path for path in sorted(EXPLORE.rglob("*.bpl")) if path.parent.name != "answers" and path not in seen]
    complaints += [f"{path.relative_to(EXPLORE)} has no model" for path in others]
    return complaints


def compare_brute_force():
    """Complaints where the two ways of judging histories differ in the smallest scopes."""
    complaints = []
    for name, program in PROGRAMS.items():
        for bug in (None,) + program.bugs:
            for scope in ladder(name)[:2]:
                first = monitored(model(name, bug), scope, LIMIT).verdict
                second = brute_force(model(name, bug), scope, LIMIT).verdict
                if first != second or first == "truncated":
                    complaints.append(f"{name}_{bug} at {shown(name, scope)}: {first} by sets, {second} by orders")
    return complaints


def check(everything):
    counts, complaints = compare_counts(everything)
    verdicts, more = compare_verdicts(everything)
    complaints += more + compare_comments(verdicts) + compare_brute_force()
    for complaint in complaints:
        print(complaint)
    print(f"{counts} of {len(COUNTED)} counts, {len(verdicts)} verdicts, {len(complaints)} complaints")
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
