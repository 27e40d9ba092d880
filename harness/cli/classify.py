"""`paracosm runs classify`: why a rollout ended as it did, as a person sees it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.chosen import Data, records_in
from harness.cli.dial import DATA
from harness.cli.words import WrongUse

if TYPE_CHECKING:
    from harness.archive.records import Records

EXAMPLE = "Example: paracosm runs classify 12 contract-gap --guard right-claimant --note 'Two share a name.'"


class Kinds(StrEnum):
    """What a rollout may be classified as."""

    capability = "capability"
    contract_gap = "contract-gap"
    evaluator_gap = "evaluator-gap"


def classify(
    rollout: Annotated[int, typer.Argument(metavar="ROLLOUT", help="Its number; `runs show` has it.")],
    kind: Annotated[Kinds, typer.Argument(metavar="KIND", help="capability, contract-gap or evaluator-gap.")],
    guard: Annotated[str | None, typer.Option(metavar="NAME", help="The guard that it is about.")] = None,
    note: Annotated[str, typer.Option(metavar="TEXT", help="Why.")] = "",
    data: Data = DATA,
) -> None:
    """Say why a rollout ended as it did; of several classifications the newest counts.

    The agent could not do it (capability), the task did not say it (contract-gap), or the grader was wrong
    (evaluator-gap), which a rollout that passed may show too. Its score stays.
    """
    from typing import get_args

    from harness.archive.keeping import Keeping
    from harness.archive.records import Kind
    from harness.archive.store import ArchiveError

    wanted: Kind = next(each for each in get_args(Kind) if each == kind.value.replace("-", " "))
    _check(records_in(data), rollout, wanted, guard)
    try:
        with Keeping(data) as kept:
            kept.do(lambda archive: archive.classify(rollout, wanted, note, guard))
    except ArchiveError as error:
        raise WrongUse(error.args[0]) from None
    print(f"Rollout {rollout} is classified: {wanted}.")


def _check(records: Records, number: int, kind: str, guard: str | None) -> None:
    found = next((each for each in records.rollouts if each.id == number), None)
    if found is None:
        raise WrongUse(f"There is no rollout {number}; `paracosm runs show RUN --rollouts` has them.")
    known = [verdict.guard for verdict in found.verdicts]
    if guard is not None and guard not in known:
        raise WrongUse(f"No guard {guard!r} judged rollout {number}; there are {', '.join(known) or 'none'}.")
    if found.passed and kind != "evaluator gap":
        raise WrongUse(f"Rollout {number} passed; what passed can show an evaluator-gap alone.")
