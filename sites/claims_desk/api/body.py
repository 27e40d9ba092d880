"""What comes in: bodies read up to a limit and validated once, here. Refusals name the field."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import parse_qsl

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError
from starlette.requests import Request

from sites.claims_desk.errors import BadRequest, Invalid, TooLarge
from sites.claims_desk.store.ledger import MAX_BYTES
from sites.claims_desk.store.notices import NoticeInput
from sites.claims_desk.store.questionnaires import AnswerInput

MAX_JSON: Final = 256 * 1024
_DRAINED: Final = 4 * MAX_BYTES
_MAX_FIELDS: Final = 200
_FORM: Final = "application/x-www-form-urlencoded"

M = TypeVar("M", bound="Body")


def _printable(text: str) -> str:
    if any(ord(letter) < 32 and letter not in "\n\r\t" for letter in text):
        raise ValueError("control characters can't be kept")
    return text


Id = Annotated[str, StringConstraints(min_length=1, max_length=100), AfterValidator(_printable)]
Word = Annotated[str, StringConstraints(max_length=40), AfterValidator(_printable)]
Line = Annotated[str, StringConstraints(max_length=300), AfterValidator(_printable)]
Prose = Annotated[str, StringConstraints(max_length=20_000), AfterValidator(_printable)]
MediaType = Annotated[
    str, StringConstraints(max_length=100, pattern=r"^[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+(; ?[A-Za-z0-9.=+-]+)?$")
]


class Body(BaseModel):
    """Base of all bodies: no value is converted, no unknown field passed over."""

    model_config = ConfigDict(extra="forbid", strict=True)


class UploadStart(Body):
    """POST /upload/start."""

    name: Line
    kind: Word
    media_type: MediaType = "application/octet-stream"


class UploadConfirm(Body):
    """POST /upload/confirm."""

    object_id: Id
    kind: Word
    name: Line | None = None


class NoticeBody(Body):
    """POST /api/notices."""

    type: Word
    state: Word
    document_id: Id
    notice_date: date | None = None
    mail_date: date | None = None
    printed_due: date | None = None
    claim_id: Id | None = None
    claim_number: Id | None = None
    claimant_id: Id | None = None

    def given(self) -> NoticeInput:
        """As the store takes it."""
        return NoticeInput(**self.model_dump())


class FlagBody(Body):
    """POST /api/notices/{id}/flag."""

    reason: Prose


class FactRequestBody(Body):
    """POST /api/fact-requests."""

    claim_id: Id
    state: Word
    category: Word


class OneAnswer(Body):
    """An answer in an AnswersBody."""

    question_id: Id
    text: Prose


class AnswersBody(Body):
    """POST /api/fact-requests/{id}/answers."""

    answers: list[OneAnswer]
    link: str | None = None

    def given(self) -> list[AnswerInput]:
        """As the store takes them."""
        return [AnswerInput(one.question_id, one.text) for one in self.answers]


class ChasingBody(Body):
    """POST /api/chases/sending."""

    by_hand: bool


class DraftBody(Body):
    """POST /api/drafts."""

    notice_id: Id
    title: Line | None = None
    body: Prose | None = None


class DraftChange(Body):
    """PATCH /api/drafts/{id}."""

    title: Line | None = None
    body: Prose | None = None


async def read(request: Request, limit: int = MAX_JSON) -> bytes:
    """The body's bytes. Raises TooLarge beyond `limit`, after the sender was let finish."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= limit:
            chunks.append(chunk)
        elif size > _DRAINED:
            break
    if size > limit:
        raise TooLarge(f"At most {limit:,} bytes are taken here. Send less.")
    return b"".join(chunks)


async def parse(request: Request, model: type[M]) -> M:
    """The validated JSON body. Raises BadRequest, Invalid, TooLarge."""
    return parsed(await read(request), model)


def parsed(raw: bytes, model: type[M]) -> M:
    """The same of bytes. Raises BadRequest, Invalid."""
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise BadRequest("The body is no JSON. Send a JSON object.") from None
        field = _spelled(first["loc"])
        raise Invalid(f"{field}: {first['msg']}.", field) from None


def _spelled(location: Sequence[int | str]) -> str:
    return ".".join(map(str, location))[:100] or "body"


def is_form(request: Request) -> bool:
    """Whether the body is a page's form."""
    return request.headers.get("content-type", "").lower().startswith(_FORM)


def form_fields(raw: bytes) -> dict[str, str]:
    """A form's fields by name; of a repeated one the last. Raises Invalid for too many."""
    try:
        return dict(
            parse_qsl(raw.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MAX_FIELDS)
        )
    except ValueError:
        raise Invalid(f"A form has at most {_MAX_FIELDS} fields.", "body") from None


def json_field(raw: bytes, name: str) -> str | None:
    """One text of a JSON body that is not validated yet, or None."""
    try:
        loaded: Any = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    value = loaded.get(name) if isinstance(loaded, dict) else None
    return value if isinstance(value, str) else None
