"""What every task of a world gives a model: its inputs to read, and a way to say that it is done."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import pydantic

from harness.rails.actor import Actor
from harness.rails.model.tools import Form, Tool, ToolFailed, complaint, tool
from harness.rails.model.turns import Outcome
from harness.task import Task


class HandIn:
    """The tool `done`; what was handed in is kept as it was given."""

    def __init__(self, answer: type[pydantic.BaseModel] | None) -> None:
        self.is_done = False
        self.answer: Any = None
        self._form = answer

    def tools(self) -> Sequence[Tool]:
        """With the answer's own form, where the task asks for one."""
        if self._form is None:
            says = "Say that the task is done, or that it can't be. Nothing can be done after it."
            return [tool("done", says, Remark, self._remark)]
        says = "Hand the answer in when the task is done. Nothing can be done after it."
        schema = pydantic.create_model("Done", answer=(self._form, ...)).model_json_schema()
        return [Tool("done", says, {**schema, "additionalProperties": False}, self._answer)]

    async def _remark(self, given: Remark) -> Outcome:
        self.is_done, self.answer = True, given.answer
        return Outcome("It is handed in.")

    async def _answer(self, given: Mapping[str, Any]) -> Outcome:
        assert self._form is not None
        if "answer" not in given:
            raise ToolFailed("done wants the answer as `answer`; nothing was handed in.")
        try:
            self._form.model_validate(given["answer"])
        except pydantic.ValidationError as error:
            said = f"The answer has another form, and was not handed in: {complaint(error)}."
            raise ToolFailed(said) from None
        self.is_done, self.answer = True, given["answer"]
        return Outcome("It is handed in.")


class Remark(Form):
    """What may be said at the end of a task that asks for no answer."""

    answer: str | None = pydantic.Field(default=None, description="A remark, if you have one.")


class ReadInput(Form):
    """Which input."""

    name: str


class Inputs:
    """The tool `read_input`, for tasks that give files."""

    def __init__(self, task: Task, actor: Actor) -> None:
        self._task, self._actor = task, actor

    def tools(self) -> Sequence[Tool]:
        """Nothing, where the task gives no files."""
        if not self._task.inputs:
            return []
        says = f"Read a file that was given with the task: {', '.join(self._task.inputs)}."
        return [tool("read_input", says, ReadInput, self._read)]

    async def _read(self, given: ReadInput) -> Outcome:
        if given.name not in self._task.inputs:
            raise ToolFailed(f"There is no file {given.name!r}; there are {', '.join(self._task.inputs)}.")
        content = self._actor.input(given.name)
        try:
            return Outcome(content.decode())
        except UnicodeDecodeError:
            return Outcome(f"{len(content):,} bytes, in base64: {base64.b64encode(content).decode()}")
