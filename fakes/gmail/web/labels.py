"""Labels of one's own: the pages that make one, change it, delete it; dialogs of every page show them too."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fakes.core.forms import local_path
from fakes.gmail import store
from fakes.gmail.errors import GoogleError, LabelExists
from fakes.gmail.rules.colors import PALETTE
from fakes.gmail.rules.labels import LABEL_LIST_VISIBILITIES, MESSAGE_LIST_VISIBILITIES
from fakes.gmail.schema import UserLabel
from fakes.gmail.web.visits import Visit, redirect

COLORS = (
    ("#666666", "#ffffff", "Grey"), ("#cc3a21", "#ffffff", "Red"), ("#eaa041", "#000000", "Orange"),
    ("#f2c960", "#000000", "Yellow"), ("#149e60", "#ffffff", "Green"), ("#3dc789", "#000000", "Mint"),
    ("#3c78d8", "#ffffff", "Blue"), ("#8e63ce", "#ffffff", "Purple"), ("#e07798", "#000000", "Pink"),
    ("#822111", "#ffffff", "Dark red"), ("#a46a21", "#ffffff", "Brown"), ("#076239", "#ffffff", "Dark green"),
    ("#1c4587", "#ffffff", "Dark blue"), ("#41236d", "#ffffff", "Dark purple"),
    ("#f6c5be", "#822111", "Light red"), ("#fef1d1", "#594c05", "Light yellow"),
    ("#b9e4d0", "#076239", "Light green"), ("#c9daf8", "#1c4587", "Light blue"),
    ("#e4d7f5", "#41236d", "Light purple"),
)  # fmt: skip
"""Background, text and name of the colours that the pages offer; the API knows more."""
_TAKEN = "There is a label of this name already. Choose another one."
_BAD = "This can't be a label's name."


@dataclass(frozen=True)
class _Typed:
    """What the form holds: the name without the label that it is nested under."""

    name: str
    parent: str = ""
    color: str = ""
    in_list: str = "labelShow"
    on_mail: str = "show"


async def new(visit: Visit) -> Response:
    """The form for a new label."""
    return _form(visit, None, _Typed(visit.query("name")[:225], visit.query("parent")))


async def create(visit: Visit) -> Response:
    """Makes a label."""
    typed = _typed(visit)
    name = _full_name(visit, typed)
    try:
        background, text = _pair(typed.color)
        store.create_label(
            visit.world, visit.person.id, name, message_list=typed.on_mail, label_list=typed.in_list,
            text_color=text, background_color=background,
        )  # fmt: skip
    except GoogleError as error:
        return _form(visit, None, typed, _problem(error))
    return redirect(visit.request, _back(visit))


async def edit(visit: Visit) -> Response:
    """The form that changes a label."""
    label = _label(visit)
    parent, _, name = label.name.rpartition("/")
    above = store.label_named(visit.world, visit.person.id, parent) if parent else None
    typed = _Typed(
        name if above else label.name,
        above.id if above else "",
        label.background_color or "",
        label.label_list_visibility,
        label.message_list_visibility,
    )
    return _form(visit, label, typed)


async def change(visit: Visit) -> Response:
    """Changes a label; with a new name, those nested in it follow."""
    label, typed = _label(visit), _typed(visit)
    background, text = _pair(typed.color)
    if typed.color == (label.background_color or ""):
        background, text = label.background_color, label.text_color
    try:
        with visit.world.tx():
            nested = _nested(visit, label)
            changed = store.change_label(
                visit.world, label, name=_full_name(visit, typed), label_list_visibility=typed.in_list,
                message_list_visibility=typed.on_mail, text_color=text, background_color=background,
            )  # fmt: skip
            for each in nested if changed.name != label.name else []:
                store.change_label(visit.world, each, name=changed.name + each.name[len(label.name) :])
    except GoogleError as error:
        return _form(visit, label, typed, _problem(error))
    return redirect(visit.request, _back(visit))


async def delete(visit: Visit) -> Response:
    """Removes a label from the mailbox and all its mail. The mail stays."""
    label = _label(visit)
    store.delete_label(visit.world, label)
    back = _back(visit)
    return redirect(visit.request, "/" if back.startswith(f"/label/{label.id}") else back)


def _label(visit: Visit) -> UserLabel:
    found = store.own_label(visit.world, visit.person.id, visit.request.path_params["label_id"])
    if found is None:
        raise HTTPException(404)
    return found


def _nested(visit: Visit, label: UserLabel) -> list[UserLabel]:
    start = label.name.casefold() + "/"
    return [
        each
        for each in store.own_labels(visit.world, visit.person.id)
        if each.name.casefold().startswith(start)
    ]


def _typed(visit: Visit) -> _Typed:
    """What the form sent; a part that it lacks is as in a new label."""
    in_list, on_mail = visit.field("in_list"), visit.field("on_mail")
    return _Typed(
        visit.field("name").strip(),
        visit.field("parent"),
        visit.field("color"),
        in_list if in_list in LABEL_LIST_VISIBILITIES else "labelShow",
        on_mail if on_mail in MESSAGE_LIST_VISIBILITIES else "show",
    )


def _full_name(visit: Visit, typed: _Typed) -> str:
    above = store.own_label(visit.world, visit.person.id, typed.parent) if typed.parent else None
    return f"{above.name}/{typed.name}" if above else typed.name


def _pair(color: str) -> tuple[str | None, str | None]:
    return next(((background, text) for background, text, _ in COLORS if background == color), (None, None))


def _problem(error: GoogleError) -> str:
    return _TAKEN if isinstance(error, LabelExists) else _BAD


def _back(visit: Visit) -> str:
    return local_path(visit.field("back") or "/")


def _form(visit: Visit, label: UserLabel | None, typed: _Typed, problem: str = "") -> Response:
    own = store.own_labels(visit.world, visit.person.id)
    inside = {each.id for each in _nested(visit, label)} | {label.id} if label else set()
    context = {
        "edited": label,
        "typed": typed,
        "problem": problem,
        "parents": [each for each in own if each.id not in inside],
        "colors": COLORS,
        "carried": store.thread_count(visit.world, visit.person.id, label.id) if label else 0,
        "back": local_path(visit.field("back") or visit.query("back") or "/"),
        "folder": f"label/{label.id}" if label else "",
    }
    return visit.page("label.html", context, 400 if problem else 200)


async def palette(request: Request) -> Response:
    """The colours that labels may have, as classes: pages may not carry styles of their own."""
    lines = [
        f".ink-{color[1:]} {{ color: {color}; }} .on-{color[1:]} {{ background: {color}; }}"
        for color in sorted(PALETTE)
    ]
    return Response("\n".join(lines), media_type="text/css", headers={"Cache-Control": "max-age=3600"})
