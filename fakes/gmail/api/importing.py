"""messages.import and messages.insert: mail put into the mailbox without being sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fakes.gmail import store
from fakes.gmail.api import rendering
from fakes.gmail.api.calls import Call
from fakes.gmail.api.uploads import message_given
from fakes.gmail.errors import InvalidValue
from fakes.gmail.schema import Message

_DATED = ("receivedTime", "dateHeader")


async def import_mail(call: Call) -> dict[str, Any]:
    """users.messages.import: dated by its Date header unless told otherwise. Invitations in it stay in it."""
    return await _put_in(call, store.import_mail, "dateHeader", never_spam=call.flag("neverMarkSpam"))


async def insert(call: Call) -> dict[str, Any]:
    """users.messages.insert: dated by now unless told otherwise."""
    return await _put_in(call, store.insert, "receivedTime")


async def _put_in(call: Call, verb: Callable[..., Message], dated: str, **more: Any) -> dict[str, Any]:
    source = call.text("internalDateSource", dated)
    if source not in _DATED:
        raise InvalidValue("internal_date_source", "TYPE_ENUM", f'"{source[:80]}"')
    mail = await message_given(call)
    filed = verb(
        call.world, call.person, mail.raw, labels=mail.label_ids, thread_id=mail.thread_id,
        by_header=source == "dateHeader", deleted=call.flag("deleted"), **more,
    )  # fmt: skip
    return rendering.reference(call.world, filed)


FAKED = {"users.messages.import": import_mail, "users.messages.insert": insert}
