"""What `paracosm runs` prints of an archive: tables and sentences for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from fakes.core.clock import utc
from harness.archive.comparison import NONE_SHOWN, Comparison
from harness.archive.intervals import Estimate
from harness.archive.records import OVER, Records, Rollout, Run
from harness.archive.statistics import GuardCount, Summary, by_environment, by_task, summarise

ENDS = ("passed", "failed", "void", "error", "time-out", "not-run", "grader error")
"""The columns of states, in this order; those that nothing is in are left out."""


def share(estimate: Estimate | None) -> str:
    """A share with its interval: `58% (20–90)`."""
    if estimate is None:
        return "–"
    return f"{estimate.value:.0%} ({estimate.low * 100:.0f}–{estimate.high * 100:.0f})"


def points(estimate: Estimate) -> str:
    """A difference of shares with its interval: `+25 points (95%: -3 … +53)`."""
    return f"{estimate.value * 100:+.0f} points (95%: {estimate.low * 100:+.0f} … {estimate.high * 100:+.0f})"


def dollars(amount: float | None) -> str:
    """US dollars: `$0.0123` of little, `$4.20` of more."""
    if amount is None:
        return "–"
    return f"${amount:.4f}" if 0 < abs(amount) < 0.1 else f"${amount:.2f}"


def day(at_ms: int | None) -> str:
    """An instant of the wall clock, to the minute: `2026-03-01 09:30`."""
    return f"{utc(at_ms):%Y-%m-%d %H:%M}" if at_ms is not None else "–"


def _table(title: str, left: Sequence[str], right: Sequence[str] = ()) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for name in left:
        table.add_column(name, overflow="fold")
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def run_list(records: Records) -> Table:
    """A row a run, oldest first."""
    table = _table("", ("run", "who", "what"), ("begun, UTC", "over", "passed", "rate, 95%", "cost"))
    for run in records.runs:
        rollouts = records.of_run(run.id)
        found = summarise(rollouts)
        over = f"{sum(each.over for each in rollouts)}/{len(rollouts)}"
        passed = f"{found.passed}/{found.scored}" + _beside(found)
        cost = dollars(found.spent.cost_usd.total) if found.spent.cost_usd.known else "–"
        names = (escape(run.id), escape(run.driver.label), escape(", ".join(run.targets)))
        table.add_row(*names, day(run.begun_ms), over, passed, share(found.rate), cost)
    return table


def _beside(found: Summary) -> str:
    n = found.grader_errors
    return f" +{n} grader error{'s' * (n > 1)}" if n else ""


def heading(run: Run) -> str:
    """A run in a line."""
    how = f"; {run.isolation}" if run.isolation else ""
    return f"{run.id}: {run.driver.label}, begun {day(run.begun_ms)} UTC{how}"


def states(rollouts: Sequence[Rollout]) -> Table:
    """Tasks by states, with pass rates; a row an environment where there are several, and one for all."""
    used = {each.state for each in rollouts}
    ends = [state for state in ENDS if state in used]
    still = any(not each.over for each in rollouts)
    table = _table("", ("task",), (*ends, *(["not over"] * still), "passed, 95%"))
    for task, of in by_task(rollouts).items():
        table.add_row(escape(task), *_counts(of, ends, still=still))
    environments = by_environment(rollouts)
    table.add_section()
    for name, of in environments.items() if len(environments) > 1 else ():
        table.add_row(f"all of {escape(name)}", *_counts(of, ends, still=still))
    table.add_row("all", *_counts(rollouts, ends, still=still), style="bold")
    return table


def _counts(rollouts: Sequence[Rollout], ends: Sequence[str], *, still: bool) -> Iterator[str]:
    found = summarise(rollouts)
    yield from (str(found.states.get(state, "")) for state in ends)
    if still:
        yield str(sum(n for state, n in found.states.items() if state not in OVER) or "")
    yield share(found.rate)


def sentences(found: Summary) -> Iterator[str]:
    """What is to be said of a summary beside its tables."""
    if found.rate is None:
        yield "No rollout is scored yet."
    else:
        how = "Wilson's interval" if found.rate.method == "wilson" else f"the mean of {found.tasks} tasks"
        yield f"passed {found.passed} of {found.scored}; rate {share(found.rate)}, {how}"
    if found.grader_errors:
        noun = "grader error is" if found.grader_errors == 1 else "grader errors are"
        yield f"{found.grader_errors} {noun} counted in no rate: the grader broke, not who acted."
    yield from _spent(found)
    if found.classified:
        yield "classified: " + ", ".join(f"{n} {kind}" for kind, n in sorted(found.classified.items()))


def _spent(found: Summary) -> Iterator[str]:
    spent = found.spent
    each = [
        f"{amount.mean:,.{digits}f} {what}"
        for amount, what, digits in (
            (spent.seconds, "s", 1), (spent.steps, "steps", 1),
            (spent.tokens_in, "tokens in", 0), (spent.tokens_out, "tokens out", 0),
        )
        if amount.mean is not None
    ]  # fmt: skip
    if each:
        yield f"a rollout takes {', '.join(each)}"
    cost, each_solved = spent.cost_usd, spent.cost_per_solved
    if cost.known:
        known = f" (known of {cost.known} of {found.scored})" if cost.known < found.scored else ""
        solved = "none passed" if each_solved is None else f"{dollars(each_solved)} for each that passed"
        yield f"cost {dollars(cost.total)}{known}; {solved}"


def passes(found: Summary) -> Table:
    """pass@k and pass^k."""
    table = _table("", (), ("k", "pass@k", "pass^k", "tasks"))
    for each in found.passes:
        table.add_row(str(each.k), f"{each.at:.0%}", f"{each.all:.0%}", str(each.tasks))
    return table


def guards(counts: Iterable[GuardCount]) -> Table:
    """What guards refused, of what they judged."""
    table = _table("", ("task", "guard"), ("refused", "of judged", "rate", "not judged", "broke"))
    for count in counts:
        rate = "–" if count.rate is None else f"{count.rate:.0%}"
        numbers = (str(count.refused), str(count.judged), rate, str(count.not_judged), str(count.errors))
        table.add_row(escape(count.task), escape(count.guard), *numbers)
    return table


def rollouts(chosen: Iterable[Rollout]) -> Table:
    """A row a rollout."""
    from harness.cli.results import how

    table = _table("", ("rollout", "task", "how it ended", "classified"), ("seed", "n", "s", "cost"))
    for each in chosen:
        kind = each.classifications[-1].kind if each.classifications else ""
        took = "–" if each.took_s is None else f"{each.took_s:.1f}"
        cost = dollars(each.usage.cost_usd)
        names = (str(each.id), each.task, how(each), kind)
        table.add_row(*map(escape, names), str(each.seed), str(each.number), took, cost)
    return table


def comparison(found: Comparison, before: str, after: str) -> Iterator[Table | str]:
    """Tables and sentences on what changed."""
    table = _table("tasks that moved", ("task",), (before, after, "difference"))
    for pair in found.moved:
        mark = " (other revision)" * pair.revised + " (other instances)" * (not pair.same)
        table.add_row(escape(pair.task) + mark, str(pair.before), str(pair.after), f"{pair.moved:+.0%}")
    if found.moved:
        yield table
    if found.guards:
        moves = _table("guards that refuse more or less", ("task", "guard"), (before, after, "difference"))
        for move in found.guards:
            was, now = (f"{count.refused}/{count.judged}" for count in (move.before, move.after))
            moves.add_row(escape(move.task), escape(move.guard), was, now, f"{move.moved:+.0%}")
        yield moves
    yield from _remarks(found)
    yield _verdict(found, before, after)


def _remarks(found: Comparison) -> Iterator[str]:
    if found.unpaired:
        yield f"left out, since only one of both tried them: {', '.join(found.unpaired)}"
    if revised := [pair.task for pair in found.pairs if pair.revised]:
        yield f"graded by other revisions, so not quite alike: {', '.join(revised)}"
    if other := [pair.task for pair in found.pairs if not pair.same]:
        yield f"on other instances, so less alike than paired tasks should be: {', '.join(other)}"


def _verdict(found: Comparison, before: str, after: str) -> str:
    if found.difference is None or found.before is None or found.after is None:
        return f"{before} and {after} have no task in common that is scored in both."
    p = f", exact p {found.p:.2g}" if found.p is not None else ""
    rates = f"{before} {found.before:.0%}, {after} {found.after:.0%}: {points(found.difference)}{p}"
    n = len(found.pairs)
    over = f"over {n} tasks" if n > 1 else "on one task"
    if found.verdict == NONE_SHOWN:
        why = "the interval holds 0" if found.difference.spans_zero else "that is too few attempts"
        return f"{NONE_SHOWN}: {rates}, {over}; {why}."
    return f"{after} is {found.verdict}: {rates}, {over}."
