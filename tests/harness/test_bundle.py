"""Bundles: what is kept, what reading one checks, and files that are none or were tampered with."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness import bundle as bundles
from harness.bundle import Bundle, BundleError, pack
from harness.cli import run
from harness.driven import Driven
from harness.evidence import Evidence, Usage
from harness.qualify import attempts_on
from harness.task import Task
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import environment, post, put_a_box

Parts = dict[str, bytes]


@pytest.fixture
def task() -> Task:
    return put_a_box(environment())


@pytest.fixture
async def evidence(task: Task) -> Evidence:
    async with attempts_on(task.env, services=SERVICES) as attempts, attempts.open(task) as attempt:
        await post(attempt.actors["desk"], attempt.base.facts)
        return attempt.evidence()


def rewritten(content: bytes, change: Callable[[Parts], None]) -> bytes:
    """A bundle with other parts, none of its digests renewed."""
    with zipfile.ZipFile(io.BytesIO(content)) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    change(parts)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as new:
        for name, part in parts.items():
            new.writestr(name, part)
    return held.getvalue()


def take_the_facts_out(parts: Parts) -> None:
    del parts["facts.json"]


def with_manifest(content: bytes, **fields: object) -> bytes:
    def change(parts: Parts) -> None:
        parts["manifest.json"] = json.dumps({**json.loads(parts["manifest.json"]), **fields}).encode()

    return rewritten(content, change)


async def test_the_manifest_keeps_a_digest_of_every_other_part(evidence: Evidence) -> None:
    broken = replace(evidence, ended="error", error="it broke", trace="Traceback …")
    kept = Bundle(pack(broken)).manifest["sha256"]
    assert sorted(kept) == ["after.db", "answer.json", "before.db", "error.txt", "facts.json"]
    assert "error.txt" not in Bundle(pack(evidence)).manifest["sha256"]


async def test_a_traceback_comes_back(evidence: Evidence, task: Task) -> None:
    broken = replace(evidence, ended="error", error="it broke", trace="Traceback …\n")
    assert Bundle(pack(broken)).evidence(task, SERVICES) == broken


async def test_what_an_attempt_took_comes_back(evidence: Evidence, task: Task) -> None:
    counted = replace(evidence, usage=Usage(steps=4, tokens_in=0, cost_usd=0.25))
    read = Bundle(pack(counted)).evidence(task, SERVICES)
    assert read.usage == counted.usage and read.usage.tokens_out is None


async def test_a_bundle_from_before_usage_was_kept_says_that_nobody_knows(
    evidence: Evidence, task: Task
) -> None:
    def take_usage_out(parts: Parts) -> None:
        manifest = json.loads(parts["manifest.json"])
        del manifest["usage"]
        parts["manifest.json"] = json.dumps(manifest).encode()

    assert Bundle(rewritten(pack(evidence), take_usage_out)).evidence(task, SERVICES).usage == Usage()


async def test_files_for_people_come_back_and_can_not_be_changed_unseen(
    evidence: Evidence, task: Task
) -> None:
    extras = {"transcript.jsonl": b"{}\n", "shots/desk-001.jpg": b"\xff\xd8\xff"}
    content = pack(replace(evidence, extras=extras))
    bundle = Bundle(content)
    assert bundle.extras == bundle.evidence(task, SERVICES).extras == extras
    with pytest.raises(BundleError, match="changed after it was made: extra/transcript.jsonl."):
        Bundle(rewritten(content, lambda parts: parts.update({"extra/transcript.jsonl": b"[]"})))


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../up", "a/../../b", "Ä.txt", "a//b", "a/b/c/d/e"])
def test_a_file_for_people_has_a_plain_name(name: str) -> None:
    driven = Driven()
    driven.keep("shots/desk-001.jpg", b"")
    with pytest.raises(ValueError, match="is no name for a kept file"):
        driven.keep(name, b"")
    assert list(driven.extras) == ["shots/desk-001.jpg"]


async def test_a_part_that_was_changed_added_or_taken_out_is_named(evidence: Evidence) -> None:
    content = pack(evidence)
    changes: list[tuple[str, Callable[[Parts], None]]] = [
        ("after.db", lambda parts: parts.update({"after.db": parts["after.db"] + b"x"})),
        ("answer.json, facts.json", lambda parts: parts.update({"answer.json": b"1", "facts.json": b"{}"})),
        ("facts.json", take_the_facts_out),
        ("more.txt", lambda parts: parts.update({"more.txt": b""})),
    ]
    for named, change in changes:
        with pytest.raises(BundleError, match=f"This bundle was changed after it was made: {named}."):
            Bundle(rewritten(content, change))


async def test_a_manifest_that_lacks_something_is_refused(evidence: Evidence) -> None:
    content = pack(evidence)
    for name, value in (("env", None), ("versions", []), ("sha256", None), ("baseline", "1")):
        with pytest.raises(BundleError, match=f"its manifest does not say '{name}' as it must"):
            Bundle(with_manifest(content, **{name: value}))
    with pytest.raises(
        BundleError, match="This bundle has format 1; this version of paracosm reads format 2."
    ):
        Bundle(with_manifest(content, format=1))


async def test_a_damaged_file_is_one_sentence(
    evidence: Evidence, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = bytearray(pack(evidence, small=False))
    content[len(content) // 2] ^= 0xFF  # in a world: the checksum no longer fits
    cases = [bytes(content), bytes(content[: len(content) // 2]), pack(evidence)[:-30] + bytes(30)]
    for number, case in enumerate(cases):
        file = tmp_path / f"{number}.zip"
        file.write_bytes(case)
        assert run(["grade", str(file)]) == 2
        said = capsys.readouterr().err
        assert said.startswith("This is no bundle of evidence, or a damaged one: ") and said.count("\n") == 1


def test_a_file_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("manifest.json", bytes(4000))
    monkeypatch.setattr(bundles, "LIMIT", 3999)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *given: pytest.fail("it was unpacked"))
    with pytest.raises(BundleError, match="unpacks to more than 3999 bytes, which is too large for one"):
        Bundle(held.getvalue())


def test_a_part_that_lies_about_its_size_is_not_unpacked_whole() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("manifest.json", bytes(5_000_000))
    size = (5_000_000).to_bytes(4, "little")
    lying = held.getvalue().replace(size, (10).to_bytes(4, "little"))
    with pytest.raises(BundleError, match="no bundle of evidence, or a damaged one"):
        Bundle(lying)


def test_a_part_that_is_packed_otherwise_is_refused() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("manifest.json", "{}")
    with pytest.raises(BundleError, match="manifest.json is packed in a way that no bundle is"):
        Bundle(held.getvalue())
