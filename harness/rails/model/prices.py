"""What a model's tokens cost, in US dollars a million. What is not in the table costs nobody knows what.

`PARACOSM_PRICES=file.json` adds to the table or takes precedence over it:
`{"my-model": {"input": 3, "output": 15, "cached": 0.3, "written": 3.75}}`; without `cached` and `written`,
tokens from and into a cache cost what others do.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pydantic

from harness.rails.model.tools import complaint
from harness.rails.model.turns import ModelError, Tokens

PRICES = "PARACOSM_PRICES"
_DATED = re.compile(r"-(?:\d{8}|\d{4}-\d\d-\d\d|latest)$")


class Price(pydantic.BaseModel):
    """Dollars for a million tokens."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    input: float = pydantic.Field(ge=0)
    output: float = pydantic.Field(ge=0)
    cached: float | None = pydantic.Field(default=None, ge=0)
    written: float | None = pydantic.Field(default=None, ge=0)

    def of(self, tokens: Tokens) -> float:
        """What these tokens cost."""
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.written is None else self.written
        plain = tokens.asked - tokens.cached - tokens.written
        millionths = plain * self.input + tokens.cached * cached + tokens.written * written
        return (millionths + tokens.made * self.output) / 1_000_000


def _claude(price: float) -> Price:
    return Price(input=price, output=5 * price, cached=price / 10, written=1.25 * price)


def _gpt(price: float, output: float, cached: float) -> Price:
    return Price(input=price, output=output, cached=cached)


LISTED: Mapping[str, Price] = {
    "claude-opus-4-6": _claude(5),
    "claude-opus-4-5": _claude(5),
    "claude-opus-4-1": _claude(15),
    "claude-opus-4": _claude(15),
    "claude-sonnet-4-6": _claude(3),
    "claude-sonnet-4-5": _claude(3),
    "claude-sonnet-4": _claude(3),
    "claude-haiku-4-5": _claude(1),
    "claude-3-5-haiku": _claude(0.8),
    "gpt-5": _gpt(1.25, 10, 0.125),
    "gpt-5-mini": _gpt(0.25, 2, 0.025),
    "gpt-5-nano": _gpt(0.05, 0.4, 0.005),
    "gpt-4.1": _gpt(2, 8, 0.5),
    "gpt-4.1-mini": _gpt(0.4, 1.6, 0.1),
    "gpt-4.1-nano": _gpt(0.1, 0.4, 0.025),
    "gpt-4o": _gpt(2.5, 10, 1.25),
    "gpt-4o-mini": _gpt(0.15, 0.6, 0.075),
    "o3": _gpt(2, 8, 0.5),
    "o4-mini": _gpt(1.1, 4.4, 0.275),
}
"""The vendors' list prices as of early 2026: they change, and yours may differ."""


@dataclass(frozen=True)
class Prices:
    """A table of prices by model."""

    by_model: Mapping[str, Price]

    def cost(self, model: str, tokens: Tokens) -> float | None:
        """What these tokens cost; the model's name may have a vendor before it and a date behind it."""
        bare = model.rpartition("/")[2]
        for name in (model, bare, _DATED.sub("", bare)):
            if name in self.by_model:
                return round(self.by_model[name].of(tokens), 6)
        return None


def read_prices(environ: Mapping[str, str] | None = None) -> Prices:
    """The table, with what the environment's file has. Raises ModelError for a file that is none."""
    named = (os.environ if environ is None else environ).get(PRICES, "")
    if not named:
        return Prices(LISTED)
    try:
        own = pydantic.TypeAdapter(dict[str, Price]).validate_python(json.loads(Path(named).read_bytes()))
    except OSError as error:
        raise ModelError(f"{PRICES} names {named!r}, which can't be read: {error.strerror}.") from None
    except pydantic.ValidationError as error:
        said = f"{PRICES} names {named!r}, which is no table of prices: {complaint(error)}."
        raise ModelError(said) from None
    except ValueError as error:
        raise ModelError(f"{PRICES} names {named!r}, which is no JSON: {error}.") from None
    return Prices({**LISTED, **own})
