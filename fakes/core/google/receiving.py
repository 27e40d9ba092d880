"""The body of a request: read no further than it may go, and unpacked where it was packed."""

from __future__ import annotations

import zlib

from starlette.requests import Request

from fakes.core.google.errors import BadRequest, GoogleError

_GZIP = 16 + zlib.MAX_WBITS


async def body_of(request: Request, most: int, too_large: type[GoogleError]) -> bytes:
    """The body, of `most` bytes at most, unpacked ones too; Java's clients send theirs packed
    (google-api-java-client, AbstractGoogleClientRequest.getDisableGZipContent). Raises what is too large, and
    BadRequest.
    """
    packed = request.headers.get("content-encoding", "identity").lower()
    if packed not in ("identity", "gzip", "x-gzip"):
        raise BadRequest(f"Unsupported content encoding: {packed[:40]}")
    unpacking = None if packed == "identity" else zlib.decompressobj(_GZIP)
    chunks, size = [], 0
    async for sent in request.stream():
        chunk = sent if unpacking is None else _unpacked(unpacking, sent, most - size + 1)
        size += len(chunk)
        if size > most:
            raise too_large()
        chunks.append(chunk)
    if unpacking is not None and not unpacking.eof:
        raise BadRequest("The body is no whole gzip")
    return b"".join(chunks)


def _unpacked(unpacking: zlib._Decompress, sent: bytes, most: int) -> bytes:
    try:
        return unpacking.decompress(sent, max(most, 1))
    except zlib.error:
        raise BadRequest("The body is no gzip") from None
