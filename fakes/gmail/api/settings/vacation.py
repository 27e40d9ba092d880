"""The vacation responder."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api.calls import Call
from fakes.gmail.schema import Settings


async def get_vacation(call: Call) -> dict[str, Any]:
    """users.settings.getVacation: instants are strings of milliseconds, and missing where there are none."""
    return _told(store.settings_of(call.world, call.person.id))


async def update_vacation(call: Call) -> dict[str, Any]:
    """users.settings.updateVacation: what the body leaves out is off, or empty."""
    given = await call.json()
    start, end = given.get("startTime"), given.get("endTime")
    changed = store.set_vacation(
        call.world, call.person.id,
        enabled=given.get("enableAutoReply", False),
        subject=given.get("responseSubject", ""),
        text=given.get("responseBodyPlainText", ""),
        html=given.get("responseBodyHtml", ""),
        contacts_only=given.get("restrictToContacts", False),
        domain_only=given.get("restrictToDomain", False),
        start_at=None if start is None else int(start),
        end_at=None if end is None else int(end),
    )  # fmt: skip
    return _told(changed)


def _told(settings: Settings) -> dict[str, Any]:
    told: dict[str, Any] = {
        "enableAutoReply": settings.vacation_enabled,
        "responseSubject": settings.vacation_subject,
        "responseBodyPlainText": settings.vacation_text,
        "responseBodyHtml": settings.vacation_html,
        "restrictToContacts": settings.vacation_contacts_only,
        "restrictToDomain": settings.vacation_domain_only,
        "startTime": _instant(settings.vacation_start_at),
        "endTime": _instant(settings.vacation_end_at),
    }
    kept = ("enableAutoReply", "restrictToContacts", "restrictToDomain")
    return {name: value for name, value in told.items() if name in kept or value}


def _instant(at_ms: int | None) -> str:
    return "" if at_ms is None else str(at_ms)


FAKED = {
    "users.settings.getVacation": get_vacation,
    "users.settings.updateVacation": update_vacation,
}
