"""A bundle: one zip file with all the evidence of an attempt, from which anyone grades it again.

`manifest.json` (task, actors, answer, refusals, verdicts, versions), `facts.json`, `before.db`, `after.db`
(with request log and journal). Data only: nothing in it is ever run.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fakes.core.service import Service
from fakes.core.world import KERNEL_ROWS, schema_version
from harness import facts
from harness.evidence import Evidence, Seat
from harness.grade import Grade
from harness.task import Task

FORMAT = 1
LIMIT = 2_000_000_000
_STAMP = (1980, 1, 1, 0, 0, 0)


class BundleError(Exception):
    """A file that is no bundle, or one that this version can't read; the sentence says which."""


def pack(evidence: Evidence, grade: Grade | None = None, *, small: bool = True) -> bytes:
    """The bundle of an attempt, with its verdicts if there are some; `small` compresses it."""
    manifest = {
        "format": FORMAT,
        "env": evidence.env,
        "task": evidence.task,
        "pristine_hash": evidence.pristine_hash,
        "baseline": evidence.baseline,
        "first_request": evidence.first_request,
        "rail": evidence.rail,
        "actors": {name: asdict(seat) for name, seat in evidence.actors.items()},
        "refusals": [dict(refusal) for refusal in evidence.refusals],
        "ended": evidence.ended,
        "error": evidence.error,
        "confined": evidence.confined,
        "versions": dict(evidence.versions),
        "state": grade.state if grade else None,
        "verdicts": [asdict(v) for v in grade.verdicts] if grade else [],
    }
    parts: dict[str, str | bytes] = {
        "manifest.json": json.dumps(manifest, indent=1, ensure_ascii=False),
        "facts.json": facts.dump(evidence.facts),
        "answer.json": facts.dump(plain(evidence.answer)),
        "before.db": evidence.before,
        "after.db": evidence.after,
    }
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name, _STAMP)
            file.writestr(
                info, content, zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED, 1 if small else None
            )
    return held.getvalue()


def plain(answer: Any) -> Any:
    """An answer as plain values: a pydantic model as its fields."""
    return answer.model_dump() if hasattr(answer, "model_dump") else answer


class Bundle:
    """A bundle that was read: its manifest at once, its evidence once the task is known."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        try:
            self.manifest: dict[str, Any] = json.loads(self._part("manifest.json"))
            known = self.manifest["format"]
        except (zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
            raise BundleError(f"This is no bundle of evidence: {error}.") from None
        if known != FORMAT:
            raise BundleError(
                f"This bundle has format {known}; this version of paracosm reads format {FORMAT}."
            )

    @classmethod
    def at(cls, path: Path) -> Bundle:
        """The bundle in a file. Raises BundleError."""
        try:
            return cls(path.read_bytes())
        except OSError as error:
            raise BundleError(f"{path} can't be read: {error.strerror}.") from None

    def _part(self, name: str) -> bytes:
        with zipfile.ZipFile(io.BytesIO(self._content)) as file:
            if file.getinfo(name).file_size > LIMIT:
                raise BundleError(f"{name} is larger than {LIMIT} bytes.")
            return file.read(name)

    @property
    def task_name(self) -> str:
        """Environment and task: claims_desk/record-the-determination."""
        return f"{self.manifest['env']}/{self.manifest['task']}"

    def evidence(self, task: Task, services: Mapping[str, Service]) -> Evidence:
        """The evidence. Raises BundleError for a bundle whose tables are not this version's."""
        found, wanted = self.manifest["versions"].get("schema"), schema_version(services)
        if found != wanted:
            raise BundleError(
                f"This bundle holds tables of schema version {found}; the product's are of {wanted} now."
            )
        row_types = (*KERNEL_ROWS, *(row for service in services.values() for row in service.tables))
        rows = {row.__table__.name: row for row in row_types}
        m = self.manifest
        try:
            return Evidence(
                env=m["env"],
                task=m["task"],
                facts=facts.load(self._part("facts.json").decode(), rows, task.env.facts),
                before=self._part("before.db"),
                after=self._part("after.db"),
                pristine_hash=m["pristine_hash"],
                baseline=m["baseline"],
                first_request=m["first_request"],
                refusals=m["refusals"],
                rail=m["rail"],
                actors={name: Seat(**seat) for name, seat in m["actors"].items()},
                ended=m["ended"],
                error=m["error"],
                answer=facts.load(self._part("answer.json").decode(), {}),
                confined=m["confined"],
                versions=m["versions"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BundleError(f"This bundle of {self.task_name} can't be read: {error}.") from None

    def other_revision(self, task: Task) -> str:
        """A sentence if the task was another when the attempt was made; empty if it was this one."""
        found, now = self.manifest["versions"].get("revision"), task.env.revision(task)
        return (
            ""
            if found == now
            else f"The bundle was made for revision {found} of {task.name}; it is {now} now."
        )
