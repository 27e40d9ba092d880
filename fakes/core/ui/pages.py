"""Renders a package's Jinja2 templates over the kit's, and answers with the headers every page carries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, tzinfo
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Mount

from fakes.core.ui import filters
from fakes.core.ui.static import KIT, Static

HTMX = "htmx-4.0.1.min.js"
SPRITE = "lucide-1.62.0.svg"
ICONS = frozenset(re.findall(r'<symbol id="([^"]+)"', (KIT / "vendor" / SPRITE).read_text()))
"""The names that `icon()` takes."""

CSP = "default-src 'self'; frame-ancestors 'self'; object-src 'none'; base-uri 'none'; form-action 'self'"
PAGE_HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}

# Rendering never awaits, so this is the one request being rendered; unlike the template's context, it also
# reaches a macro that was imported without its context.
_rendering: ContextVar[Request] = ContextVar("rendering")


class Pages:
    """The pages of one package: its `templates/` over the kit's, and its `static/`.

    Templates have `request`, `world` (None on the portal), `csrf`, `href(path)`, `icon(name)` and the filters
    `day`, `instant` and `money`. Add a product's own to `env`.
    """

    def __init__(self, package: str) -> None:
        self.folder = _folder(package)
        self.env = Environment(
            loader=FileSystemLoader([self.folder / "templates", KIT / "templates"]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,  # else every template and its parents are looked up on disk for every page
            cache_size=-1,
        )
        self.env.globals.update(href=href, icon=icon, kit_htmx=HTMX)
        self.env.filters.update(day=filters.day, instant=_instant, money=filters.money)

    def render(self, request: Request, name: str, /, **context: object) -> str:
        """The HTML of template `name`.

        Raises jinja2.TemplateNotFound, and jinja2.UndefinedError for a name that the context lacks.
        """
        token = _rendering.set(request)
        try:
            return self.env.get_template(name).render(_base_context(request) | context)
        finally:
            _rendering.reset(token)

    def response(
        self,
        request: Request,
        name: str,
        /,
        status: int = 200,
        *,
        headers: Mapping[str, str] | None = None,
        **context: object,
    ) -> HTMLResponse:
        """The answer with template `name` and the headers of every page; `headers` add or replace some."""
        html = self.render(request, name, **context)
        return HTMLResponse(html, status, headers={**PAGE_HEADERS, **(headers or {})})

    def static(self) -> Mount:
        """The package's `static/` folder as a mount at /static."""
        return Mount("/static", app=Static(self.folder / "static"), name="static")


def href(path: str) -> str:
    """A link to `path` of the service being rendered, wherever it is mounted."""
    root: str = _rendering.get().scope.get("root_path", "")
    return root + path


def icon(name: str, label: str = "", size: int = 18) -> Markup:
    """An icon of the kit's sprite: decoration, or with a label an image of that name.

    Raises KeyError for a name the sprite lacks.
    """
    return _drawn(name, label, size, href("/_ui/"))


@lru_cache(maxsize=4096)
def _drawn(name: str, label: str, size: int, folder: str) -> Markup:
    if name not in ICONS:
        raise KeyError(f"no icon {name!r}: add its drawing to {SPRITE}, or take one of {sorted(ICONS)}")
    role = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup(
        '<svg class="icon" {} width="{}" height="{}" fill="none" stroke="currentColor" stroke-width="2"'
        ' stroke-linecap="round" stroke-linejoin="round"><use href="{}#{}"></use></svg>'
    ).format(role, size, size, folder + SPRITE, name)


def _instant(value: int | str | None, zone: tzinfo | str | None = None) -> str:
    """Filter: an instant in the given zone, else in the world's, else in UTC."""
    if zone is None:
        zone = getattr(getattr(_rendering.get().state, "world", None), "zone", UTC)
    return filters.instant(value, ZoneInfo(zone) if isinstance(zone, str) else zone)


def _base_context(request: Request) -> dict[str, object]:
    state = request.state
    return {
        "request": request,
        "world": getattr(state, "world", None),
        "csrf": getattr(state, "csrf", ""),
    }


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{package!r} is no package: pages are found beside its __init__.py")
    return Path(next(iter(spec.submodule_search_locations)))
