"""A page that makes every kind of request a page can make, and the clicks that make the rest.

The page is in `everything/`; every URL in it is relative, so `routes` can be mounted under any path of any
site. What matters of a request is that it was made: what is no file of the page is answered with two bytes.
"""

from __future__ import annotations

import mimetypes
from pathlib import Path
from urllib.parse import urlencode

from playwright.async_api import Page
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

FILES = Path(__file__).parent / "everything"
METHODS = ["GET", "POST", "PUT", "OPTIONS"]
IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g id="a"/></svg>'
CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "*",
    "Access-Control-Allow-Headers": "*",
}
TYPES = {"speculation-rules.json": "application/speculationrules+json"}
HEADERS = {
    "page.html": {"Speculation-Rules": '"speculation-rules.json"'},
    "reporting.html": {"Content-Security-Policy": "img-src 'none'; report-uri policy-report"},
    "download": {"Content-Disposition": 'attachment; filename="download.txt"'},
}

# What is asked for below the mount, and what Chromium says it is for (Sec-Fetch-Dest; sockets say nothing).
EXPECTED = {
    name: dest
    for dest, names in {
        "document": (
            "page.html leave.html reporting.html preloaded-navigation.html refresh.html "
            "refreshed.html popup.html noopener.html form-get form-post pinging download"
        ),
        "iframe": "frame.html sandboxed.html",
        "object": "object.html",
        "embed": "embed.html",
        "style": "style.css imported.css",
        "font": "font.woff2",
        "image": (
            "image.svg srcset.svg picture.svg svg-image.svg svg-use.svg input.svg "
            "poster.svg background.svg content.svg cursor.svg preloaded.svg favicon.svg"
        ),
        "video": "video.mp4 source.mp4",
        "audio": "audio.ogg",
        "track": "track.vtt",
        "script": (
            "script.js page.js module.js static-import.js imported-later.js "
            "modulepreloaded.js srcdoc.js sandboxed.js popup.js noopener.js leave.js "
            "worker-imported.js shared-worker-imported.js service-worker-imported.js"
        ),
        "json": "data.json",
        "manifest": "manifest.webmanifest",
        "worker": "worker.js nested-worker.js module-worker.js module-worker-imported.js",
        "sharedworker": "shared-worker.js",
        "serviceworker": "service-worker.js",
        "paintworklet": "paint-worklet.js",
        "audioworklet": "audio-worklet.js",
        "report": "policy-report",
        "speculationrules": "speculation-rules.json",
        "empty": (
            "fetch fetch-post fetch-keepalive fetch-later redirect redirected xhr beacon "
            "events ping preloaded-fetch prefetched forged forged-xhr srcdoc-fetch "
            "sandboxed-fetch blank-frame-fetch popup-fetch noopener-fetch worker-fetch "
            "worker-xhr worker-events nested-worker-fetch module-worker-fetch "
            "blob-worker-fetch shared-worker-fetch service-worker-fetch "
            "service-worker-cached through-service-worker unload-keepalive unload-beacon"
        ),
        "": "ws worker-ws",
    }.items()
    for name in names.split()
}
# Asked of each other host, with its name before.
ELSEWHERE = {"-no-cors": "empty", "-cors": "empty", "-frame": "iframe", ".svg": "image", "-ws": ""}


def routes() -> list[BaseRoute]:
    """The page's routes, to be mounted under a path that ends in a name, `/everything`."""
    return [WebSocketRoute("/{name:path}", accept), Route("/{name:path}", serve, methods=METHODS)]


async def serve(request: Request) -> Response:
    """A file of the page, or two bytes for whatever else was asked."""
    name = request.path_params["name"]
    headers = CORS | HEADERS.get(name, {})
    kind = TYPES.get(name) or mimetypes.guess_type(name)[0] or "text/plain"
    file = FILES / name
    if name == "redirect":
        return RedirectResponse("redirected", headers=headers)
    if name.endswith("events"):
        return Response("data: 1\n\n", media_type="text/event-stream", headers=headers)
    if name.endswith(".svg"):
        return Response(IMAGE, media_type="image/svg+xml", headers=headers)
    return Response(file.read_bytes() if file.is_file() else b"ok", media_type=kind, headers=headers)


async def accept(socket: WebSocket) -> None:
    """A WebSocket that waits for the page to close it."""
    await socket.accept()
    await socket.receive()


async def drive(page: Page, base: str, *, other: str = "", direct: str = "", foreign: str = "") -> None:
    """Open the page under `base` (which ends in a slash) and make each kind of request once.

    `other`, `direct` and `foreign` are origins: another service's, another lease's address, a name that is
    not ours. The page asks for `<name>-no-cors`, `<name>-cors`, … there, under its own path.
    """
    await _leave(page, base)
    hosts = urlencode({"other": other, "direct": direct, "foreign": foreign})
    await page.goto(f"{base}page.html?{hosts}")
    await _done(page)
    session = await page.context.new_cdp_session(page)
    await session.send("Page.getAppManifest")  # a window would ask for it; a headless one does not
    await _open_windows(page)
    async with page.expect_download() as download:
        await page.click("#download")
    await (await download.value).path()
    await page.goto(f"{base}preloaded-navigation.html")
    await page.goto(f"{base}reporting.html")
    await page.goto(f"{base}refresh.html")
    await page.wait_for_url(f"{base}refreshed.html")


async def _leave(page: Page, base: str) -> None:
    """Leave a page three ways. First of all, for once a service worker is there, Chromium drops half of what
    pages ask for while they unload."""
    for way_out in ("#get button", "#post button", "#ping"):
        await page.goto(f"{base}leave.html")
        await page.click(way_out)
        await page.wait_for_url(lambda url: "leave.html" not in url)


async def _open_windows(page: Page) -> None:
    async with page.expect_popup() as popup:
        await page.click("#popup")
    await _done(await popup.value)
    async with page.context.expect_page() as tab:
        await page.click("#noopener")
    await _done(await tab.value)


async def _done(page: Page) -> None:
    await page.wait_for_selector("html[data-state=done]", state="attached")
