"""What leaves the archive: rollouts as JSON, as CSV with a line each, as their bundles or their requests."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fakes.core.clock import utc
from harness.app import BrokenScenario
from harness.archive.places import bundle_at
from harness.archive.records import Records, Rollout, Run
from harness.archive.statistics import Summary, by_environment, by_task, summarise
from harness.bundle import BundleError
from harness.discovery import UnknownTarget
from harness.evidence import EvidenceError

FORMAT = 1
Json = dict[str, Any]
COLUMNS = (
    "run", "model", "rollout", "task", "seed", "number", "state", "passed", "begun", "took_s", "rail",
    "confined", "steps", "tokens_in", "tokens_out", "cost_usd", "error", "revision", "bundle", "graded_now",
    "classified", "note",
)  # fmt: skip
GUARD = "guard:"
_FORMULA = re.compile(r"\s*[=+@\-＝＋－＠]|[\t\r\n]")


@dataclass
class Exported:
    """The files that were written, and a sentence for each rollout that gave none."""

    files: list[Path] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


def as_json(records: Records, rollouts: Sequence[Rollout]) -> Json:
    """Everything: `runs`, the `summary` of all, `environments` and `tasks` by name, and `rollouts` with
    gradings, verdicts and classifications. Instants are UTC milliseconds.
    """
    concerned = {each.run for each in rollouts}
    return {
        "format": FORMAT,
        "runs": [run_as_json(run) for run in records.runs if run.id in concerned],
        "summary": summary_as_json(summarise(rollouts)),
        "environments": {n: summary_as_json(summarise(of)) for n, of in by_environment(rollouts).items()},
        "tasks": {n: summary_as_json(summarise(of)) for n, of in by_task(rollouts).items()},
        "rollouts": [_rollout_as_json(each) for each in rollouts],
    }


def run_as_json(run: Run) -> Json:
    """A run; `label` is what it is shown under."""
    return {**asdict(run), "label": run.driver.label}


def summary_as_json(summary: Summary) -> Json:
    """The statistics of some rollouts; each guard with its `rate` of refusals."""
    said = asdict(summary)
    for guard, count in zip(said["guards"], summary.guards, strict=True):
        guard["rate"] = count.rate
    return said


def _rollout_as_json(rollout: Rollout) -> Json:
    return {**asdict(rollout), "passed": rollout.passed}


def encoded(text: str) -> bytes:
    """A text as UTF-8; halves of surrogate pairs as JSON writes them, `\\udc80`."""
    return text.encode("utf-8", "backslashreplace")


def as_csv(records: Records, rollouts: Sequence[Rollout]) -> str:
    """A line a rollout, with a column for each guard that some task has: passed, refused, not judged, error,
    or nothing. Text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    labels = {run.id: run.driver.label for run in records.runs}
    guards = sorted({verdict.guard for each in rollouts for verdict in each.verdicts})
    held = io.StringIO()
    table = csv.writer(held, lineterminator="\n")
    table.writerow([*COLUMNS, *(GUARD + guard for guard in guards)])
    for each in rollouts:
        said = {verdict.guard: verdict.state for verdict in each.verdicts}
        cells = [*_cells(each, labels.get(each.run, "")), *(said.get(guard, "") for guard in guards)]
        table.writerow([_harmless(cell) for cell in cells])
    return held.getvalue()


def _cells(rollout: Rollout, model: str) -> Iterable[Any]:
    usage, last = rollout.usage, rollout.classifications[-1:]
    yield from (rollout.run, model, rollout.id, rollout.task, rollout.seed, rollout.number, rollout.state)
    yield from (int(rollout.passed), utc(rollout.begun_ms).isoformat() if rollout.begun_ms else "")
    yield from (rollout.took_s, rollout.rail, int(rollout.confined), usage.steps, usage.tokens_in)
    yield from (usage.tokens_out, usage.cost_usd, rollout.error, rollout.revision, rollout.bundle)
    yield rollout.gradings[-1].state if rollout.gradings else ""
    yield from (last[0].kind, last[0].note) if last else ("", "")


def _harmless(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def write_bundles(data: Path, records: Records, rollouts: Sequence[Rollout], folder: Path) -> Exported:
    """Copies bundles into a folder, with `rollouts.json` as `as_json` has it. Raises OSError."""
    done = _each(data, rollouts, folder, shutil.copyfile, ".zip")
    index = folder / "rollouts.json"
    index.write_bytes(encoded(json.dumps(as_json(records, rollouts), indent=1, ensure_ascii=False)))
    done.files.append(index)
    return done


def write_hars(data: Path, rollouts: Sequence[Rollout], folder: Path) -> Exported:
    """Writes the requests of each rollout as an HTTP Archive into a folder. Raises OSError."""
    from harness.archive.har import har_of  # slow to import: only where bundles are opened
    from harness.rollouts import in_code

    def write(bundle: Path, file: Path) -> None:
        file.write_bytes(encoded(json.dumps(har_of(bundle), indent=1, ensure_ascii=False)))

    worlds = [each for each in rollouts if not in_code(each.task)]
    done = _each(data, worlds, folder, write, ".har")
    code = len(rollouts) - len(worlds)
    if code:
        counted = "1 rollout is" if code == 1 else f"{code} rollouts are"
        done.told.append(f"{counted} of code tasks, which send no requests to a world.")
    return done


def _each(
    data: Path, rollouts: Sequence[Rollout], folder: Path, write: Callable[[Path, Path], object], suffix: str
) -> Exported:
    """A file of each rollout's bundle; of bundles hold a world's secrets, so the folder is its owner's."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    done = Exported()
    for each in rollouts:
        name = f"{each.run}-{each.task}-s{each.seed}-n{each.number}{suffix}"
        file = folder / re.sub(r"[^\w.-]+", "-", name, flags=re.ASCII)
        try:
            bundle = bundle_at(data, each.bundle) if each.bundle else None
        except ValueError as error:
            done.told.append(f"Rollout {each.id} of {each.task}: {error}.")
            continue
        if bundle is None or not bundle.is_file():
            done.told.append(f"Rollout {each.id} of {each.task} has no bundle{' any more' * bool(bundle)}.")
            continue
        try:
            write(bundle, file)
        except (BundleError, EvidenceError, UnknownTarget, BrokenScenario) as error:
            done.told.append(f"Rollout {each.id} of {each.task}: {error.args[0]}")
        else:
            done.files.append(file)
    return done
