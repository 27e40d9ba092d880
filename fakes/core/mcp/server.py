"""A service's tools as a server of the protocol's own library: one for all worlds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import anyio
import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_one
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.transport_context import TransportContext

from fakes.core.mcp.tools import Tool, ToolCall, ToolRefused, Tools

if TYPE_CHECKING:
    from fakes.core.service import Service

Context = ServerRequestContext[Any, Any]
Page = types.PaginatedRequestParams
_TRANSPORT = TransportContext(kind="streamable-http", can_send_request=False)


@dataclass
class Exchange:
    """One request and nothing beside it: there is no way back to the client but its answer."""

    call: ToolCall
    request_id: types.RequestId
    cancel_requested: anyio.Event = field(default_factory=anyio.Event)

    transport = _TRANSPORT
    can_send_request = False

    @property
    def message_metadata(self) -> ServerMessageMetadata:
        """The call, by which tools know their world and their caller."""
        return ServerMessageMetadata(request_context=self.call)

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Refuses."""
        raise NoBackChannelError(method)

    async def notify(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> None:
        """Drops it: nobody listens."""

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Drops it: nothing takes so long."""


@cache
def server_of(name: str, title: str, make: Callable[[], Tools]) -> Server[Any]:
    """The server of a service's tools."""
    tools = make()
    listed = types.ListToolsResult(tools=[_listed(each) for each in tools.by_name.values()])

    async def list_tools(context: Context, params: Page | None) -> types.ListToolsResult:
        return listed

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in tools.by_name:
            known = ", ".join(tools.by_name)
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}; there are {known}.")
        return _called(tools, cast(ToolCall, context.request), params)

    server: Server[Any] = Server(
        name, version="1", title=title, instructions=tools.instructions,
        on_list_tools=list_tools, on_call_tool=call_tool,
    )  # fmt: skip
    server.middleware.clear()  # spans of telemetry, by random ids and wall time
    return server


def _listed(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name, title=tool.title, description=tool.says, input_schema=tool.schema,
        annotations=types.ToolAnnotations.model_validate({"title": tool.title, **tool.hints}),
    )  # fmt: skip


def _called(tools: Tools, call: ToolCall, params: types.CallToolRequestParams) -> types.CallToolResult:
    """What a tool said; a refusal is a result too, which a model reads and can act on."""
    try:
        said = tools.use(params.name, call, params.arguments or {})
    except ToolRefused as refused:
        text = types.TextContent(type="text", text=str(refused))
        return types.CallToolResult(content=[text], is_error=True)
    text = types.TextContent(type="text", text=said.text)
    return types.CallToolResult(content=[text], structured_content=dict(said.facts) or None)


async def answer(
    service: Service, call: ToolCall, request_id: types.RequestId, method: str,
    params: Mapping[str, Any] | None, connection: Connection,
) -> dict[str, Any]:  # fmt: skip
    """The result of one request. Raises MCPError and ValidationError for what the protocol knows."""
    assert service.mcp is not None
    server = server_of(service.name, service.title, service.mcp)
    return await serve_one(
        server, Exchange(call, request_id), method, params, connection=connection, lifespan_state=None
    )
