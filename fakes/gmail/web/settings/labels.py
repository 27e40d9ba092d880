"""Labels: which folders are shown, and those of one's own with how much carries each."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fakes.gmail import store
from fakes.gmail.rules.labels import INBOX, LABEL_LIST_VISIBILITIES, MESSAGE_LIST_VISIBILITIES
from fakes.gmail.schema import UserLabel
from fakes.gmail.web.folders import FOLDERS, TABS, Folder
from fakes.gmail.web.settings.frame import done, show
from fakes.gmail.web.visits import Visit

PATH = "/settings/labels"
_ALWAYS_SHOWN = frozenset(("inbox", "scheduled"))
_HIDEABLE: dict[str, Folder] = {
    **{name: folder for name, folder in FOLDERS.items() if name not in _ALWAYS_SHOWN},
    **{name: tab for name, tab in TABS.items() if name != "primary"},
}


async def page(visit: Visit) -> Response:
    """All labels."""
    world, owner = visit.world, visit.person.id
    hidden = store.settings_of(world, owner).hidden_folders.split()
    plain = [each for each in FOLDERS.values() if each.label == INBOX or each.name in _HIDEABLE]
    tabs = [each for each in TABS.values() if each.name in _HIDEABLE]
    context = {
        "known": [
            (title, [(each, each.name in _HIDEABLE, each.name not in hidden) for each in folders])
            for title, folders in (("Folders", plain), ("Categories", tabs))
        ],
        "own": [(label, store.counts(world, owner, label.id)) for label in store.own_labels(world, owner)],
    }  # fmt: skip
    return show(visit, PATH, "labels.html", context)


async def show_folders(visit: Visit) -> Response:
    """Shows the folders that are ticked and hides the others."""
    shown = visit.every("shown")
    hidden = [name for name in _HIDEABLE if name not in shown]
    store.change_settings(visit.world, visit.person.id, hidden_folders=" ".join(hidden))
    return done(visit, PATH, "saved")


async def set_visibility(visit: Visit) -> Response:
    """Whether a label of one's own is in the list of labels, and on conversations."""
    label = _label(visit)
    in_list, on_mail = visit.field("in_list"), visit.field("on_mail")
    if in_list not in LABEL_LIST_VISIBILITIES or on_mail not in MESSAGE_LIST_VISIBILITIES:
        raise HTTPException(400)
    store.change_label(
        visit.world, label, label_list_visibility=in_list, message_list_visibility=on_mail
    )  # fmt: skip
    return done(visit, PATH, "saved")


async def ask_to_delete(visit: Visit) -> Response:
    """Says how much carries the label before it is deleted."""
    label = _label(visit)
    counted = store.counts(visit.world, visit.person.id, label.id)
    start = label.name.casefold() + "/"
    nested = [
        each
        for each in store.own_labels(visit.world, visit.person.id)
        if each.name.casefold().startswith(start)
    ]
    return show(visit, PATH, "label_delete.html", {"label": label, "counted": counted, "nested": nested})


async def delete(visit: Visit) -> Response:
    """Deletes a label. The mail stays, and so do labels nested in it."""
    store.delete_label(visit.world, _label(visit))
    return done(visit, PATH, "label-deleted")


def _label(visit: Visit) -> UserLabel:
    found = store.own_label(visit.world, visit.person.id, visit.request.path_params["label_id"])
    if found is None:
        raise HTTPException(404)
    return found
