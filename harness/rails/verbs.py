"""What plays and agents call a service by, whoever sends the request: a method for each verb of HTTP."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import httpx


class Verbs(ABC):
    """`get`, `post` … by one `request`."""

    @abstractmethod
    async def request(
        self, method: str, path: str, *, expect: int | Iterable[int] | None = None,
        headers: dict[str, str] | None = None, **content: Any,
    ) -> httpx.Response:  # fmt: skip
        """Sends a request; `json=`, `data=`, `content=`, `files=`, `params=` as in httpx, `path` also as a
        whole URL. `expect` are the statuses that it may be answered with.
        """

    async def get(self, path: str, **kwargs: Any) -> httpx.Response:
        """GET."""
        return await self.request("GET", path, **kwargs)

    async def post(self, path: str, **kwargs: Any) -> httpx.Response:
        """POST."""
        return await self.request("POST", path, **kwargs)

    async def put(self, path: str, **kwargs: Any) -> httpx.Response:
        """PUT."""
        return await self.request("PUT", path, **kwargs)

    async def patch(self, path: str, **kwargs: Any) -> httpx.Response:
        """PATCH."""
        return await self.request("PATCH", path, **kwargs)

    async def delete(self, path: str, **kwargs: Any) -> httpx.Response:
        """DELETE."""
        return await self.request("DELETE", path, **kwargs)


def is_expected(response: httpx.Response, expect: int | Iterable[int] | None) -> bool:
    """Whether the status is one of those in `expect`; where none is given, whether it is no error."""
    wanted = (expect,) if isinstance(expect, int) else tuple(expect or ())
    return response.status_code in wanted if wanted else not response.is_error
