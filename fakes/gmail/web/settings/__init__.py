"""The pages of settings, a module each."""

from __future__ import annotations

from starlette.routing import BaseRoute

from fakes.core.service import route
from fakes.gmail.web.settings import addresses, delegates, filters, forwarding, general, labels, vacation
from fakes.gmail.web.visits import Page, signed_in


def routes() -> list[BaseRoute]:
    """Their routes."""
    return [
        _get("/settings", general.page, "settings"),
        _post("/settings", general.save, "save-settings"),
        *_labels(),
        *_filters(),
        *_addresses(),
        *_forwarding(),
        _get("/settings/vacation", vacation.page, "vacation"),
        _post("/settings/vacation", vacation.save, "save-vacation"),
        _post("/settings/vacation/end", vacation.end, "end-vacation"),
        _get("/settings/delegates", delegates.page, "delegates"),
        _post("/settings/delegates", delegates.invite, "invite-delegate"),
        _post("/settings/delegates/{email}/ask", delegates.ask_again, "ask-delegate"),
        _post("/settings/delegates/{email}/remove", delegates.remove, "remove-delegate"),
    ]


def _labels() -> list[BaseRoute]:
    return [
        _get("/settings/labels", labels.page, "label-settings"),
        _post("/settings/labels", labels.show_folders, "show-folders"),
        _post("/settings/labels/{label_id}", labels.set_visibility, "show-label"),
        _get("/settings/labels/{label_id}/delete", labels.ask_to_delete, "ask-to-delete-label"),
        _post("/settings/labels/{label_id}/delete", labels.delete, "delete-own-label"),
    ]


def _filters() -> list[BaseRoute]:
    return [
        _get("/settings/filters", filters.list_filters, "filters"),
        _post("/settings/filters", filters.create, "create-filter"),
        _get("/settings/filters/new", filters.new, "new-filter"),
        _post("/settings/filters/delete", filters.delete, "delete-filters"),
        _get("/settings/filters/{filter_id}", filters.edit, "edit-filter"),
        _post("/settings/filters/{filter_id}", filters.change, "change-filter"),
    ]


def _addresses() -> list[BaseRoute]:
    return [
        _get("/settings/addresses", addresses.list_addresses, "addresses"),
        _post("/settings/addresses", addresses.add, "add-address"),
        _get("/settings/addresses/new", addresses.new, "new-address"),
        _get("/settings/addresses/{email}", addresses.edit, "edit-address"),
        _post("/settings/addresses/{email}", addresses.change, "change-address"),
        _post("/settings/addresses/{email}/default", addresses.make_default, "default-address"),
        _post("/settings/addresses/{email}/ask", addresses.ask_again, "ask-address"),
        _post("/settings/addresses/{email}/remove", addresses.remove, "remove-address"),
    ]


def _forwarding() -> list[BaseRoute]:
    address = "/settings/forwarding/addresses/{email}"
    return [
        _get("/settings/forwarding", forwarding.page, "forwarding"),
        _post("/settings/forwarding", forwarding.set_auto, "set-forwarding"),
        _post("/settings/forwarding/clients", forwarding.set_clients, "set-clients"),
        _post("/settings/forwarding/addresses", forwarding.add, "add-forwarding-address"),
        _post(f"{address}/ask", forwarding.ask_again, "ask-forwarding-address"),
        _post(f"{address}/remove", forwarding.remove, "remove-forwarding-address"),
    ]


def _get(path: str, page: Page, name: str) -> BaseRoute:
    return route("GET", path, signed_in(page), name=name)


def _post(path: str, page: Page, name: str) -> BaseRoute:
    return route("POST", path, signed_in(page), name=name)
