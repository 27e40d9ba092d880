"""A bundle: one zip file with all the evidence of an attempt, from which anyone grades it again.

`manifest.json` (task, actors, refusals, verdicts, versions, and the SHA-256 of every other part),
`facts.json`, `answer.json`, `before.db`, `after.db` (with request log and journal), `error.txt`, the
traceback of an attempt that broke, and under `extra/` what is kept for people: transcripts, screenshots.
Data only: nothing in it is ever run, and it may come from anyone.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

from fakes.core.service import Service
from fakes.core.world import KERNEL_ROWS, schema_version
from harness import facts
from harness.evidence import Evidence, Seat, Usage
from harness.grade import Grade
from harness.task import Task

FORMAT = 2
LIMIT = 1 << 30  # bytes of all parts, unpacked
MANIFEST = "manifest.json"
EXTRA = "extra/"
_STAMP = (1980, 1, 1, 0, 0, 0)
_FIELDS: Mapping[str, type] = {
    "env": str, "task": str, "pristine_hash": str, "baseline": int, "first_request": int, "rail": str,
    "actors": dict, "refusals": list, "ended": str, "error": str, "confined": bool, "versions": dict,
    "sha256": dict,
}  # fmt: skip


class BundleError(Exception):
    """A file that is no bundle, or one that this version can't read; the sentence says which."""


def pack(evidence: Evidence, grade: Grade | None = None, *, small: bool = True) -> bytes:
    """The bundle of an attempt, with its verdicts if there are some; `small` compresses it."""
    parts = {
        "facts.json": facts.dump(evidence.facts).encode(),
        "answer.json": facts.dump(plain(evidence.answer)).encode(),
        "before.db": evidence.before,
        "after.db": evidence.after,
    }
    if evidence.trace:
        parts["error.txt"] = evidence.trace.encode(errors="replace")
    parts |= {f"{EXTRA}{name}": content for name, content in evidence.extras.items()}
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
        "usage": asdict(evidence.usage),
        "state": grade.state if grade else None,
        "verdicts": [asdict(v) for v in grade.verdicts] if grade else [],
    }
    return sealed(manifest, parts, small=small)


def sealed(manifest: Mapping[str, Any], parts: Mapping[str, bytes], *, small: bool = True) -> bytes:
    """A zip of a manifest and parts; the manifest is given the SHA-256 of each."""
    whole = {**manifest, "sha256": {name: _sha256(content) for name, content in parts.items()}}
    return _zipped({MANIFEST: json.dumps(whole, indent=1).encode(), **parts}, small=small)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _zipped(parts: Mapping[str, bytes], *, small: bool) -> bytes:
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


def kept(answer: Any) -> Any:
    """An answer as plain values that a bundle gives back. Raises FactsError for one that it can't keep."""
    try:
        values = plain(answer)
        facts.load(facts.dump(values).encode().decode(), {})
    except Exception as error:  # what it is made of is an agent's, and so is what that raises
        raise facts.FactsError(
            f"The answer is a {type(answer).__name__} that can't be kept: return text, a number, a list or "
            "dict of such, or a pydantic model."
        ) from error
    return values


class Bundle:
    """A bundle that was read: its manifest at once, its evidence once the task is known.

    Raises BundleError for what is no bundle, is damaged, or was changed since it was made. `needed` are what
    its manifest must say, and of what type.
    """

    needed: ClassVar[Mapping[str, type]] = _FIELDS

    def __init__(self, content: bytes) -> None:
        parts = _unzipped(content)
        try:
            self.manifest: dict[str, Any] = json.loads(parts.pop(MANIFEST))
            known = self.manifest["format"]
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise BundleError(f"This is no bundle of evidence: {error}.") from None
        if known != FORMAT:
            raise BundleError(
                f"This bundle has format {known!r}; this version of paracosm reads format {FORMAT}."
            )
        for name, kind in self.needed.items():
            if not isinstance(self.manifest.get(name), kind):
                raise BundleError(
                    f"This is no bundle of evidence: its manifest does not say {name!r} as it must."
                )
        self._parts = parts
        self._check_parts()

    @classmethod
    def at(cls, path: Path) -> Bundle:
        """The bundle in a file. Raises BundleError."""
        try:
            return cls(path.read_bytes())
        except OSError as error:
            raise BundleError(f"{path} can't be read: {error.strerror}.") from None

    def _check_parts(self) -> None:
        kept: dict[str, Any] = self.manifest["sha256"]
        changed = sorted(
            name for name in kept.keys() | self._parts.keys()
            if name not in self._parts or kept.get(name) != _sha256(self._parts[name])
        )  # fmt: skip
        if changed:
            raise BundleError(f"This bundle was changed after it was made: {', '.join(changed)}.")

    @property
    def task_name(self) -> str:
        """Environment and task: claims_desk/record-the-determination."""
        return f"{self.manifest['env']}/{self.manifest['task']}"

    @property
    def extras(self) -> dict[str, bytes]:
        """The files that are kept for people, by name."""
        return {n.removeprefix(EXTRA): part for n, part in self._parts.items() if n.startswith(EXTRA)}

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
                facts=facts.load(self._parts["facts.json"].decode(), rows, task.env.facts),
                before=self._parts["before.db"],
                after=self._parts["after.db"],
                pristine_hash=m["pristine_hash"],
                baseline=m["baseline"],
                first_request=m["first_request"],
                refusals=m["refusals"],
                rail=m["rail"],
                actors={name: Seat(**seat) for name, seat in m["actors"].items()},
                ended=m["ended"],
                error=m["error"],
                trace=self._parts.get("error.txt", b"").decode(),
                answer=facts.load(self._parts["answer.json"].decode(), {}),
                confined=m["confined"],
                versions=m["versions"],
                usage=Usage(**m.get("usage", {})),
                extras=self.extras,
            )
        except Exception as error:  # whatever is wrong with what anyone may have written
            raise BundleError(f"This bundle of {self.task_name} can't be read: {_said(error)}.") from None

    def other_revision(self, task: Task) -> str:
        """A sentence if the task was another when the attempt was made; empty if it was this one."""
        found, now = self.manifest["versions"].get("revision"), task.env.revision(task)
        return (
            ""
            if found == now
            else f"The bundle was made for revision {found} of {task.name}; it is {now} now."
        )


def _unzipped(content: bytes) -> dict[str, bytes]:
    """The parts of a zip file. What a part says of its size is checked before it is unpacked, and held to."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            infos = file.infolist()
            if sum(info.file_size for info in infos) > LIMIT:
                raise BundleError(
                    f"This bundle unpacks to more than {LIMIT} bytes, which is too large for one."
                )
            return {info.filename: _unpacked(file, info) for info in infos}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
        raise BundleError(f"This is no bundle of evidence, or a damaged one: {_said(error)}.") from None


def _unpacked(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BundleError(f"{info.filename} is packed in a way that no bundle is.")
    with file.open(info) as part:
        return part.read(
            info.file_size + 1
        )  # asking for one more than it says reads to the end and checks it


def _said(error: Exception) -> str:
    return str(error).rstrip(".") or type(error).__name__
