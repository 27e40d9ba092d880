from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from fakes.gmail.rules.search import parse
from fakes.gmail.web.searching import composed, fields


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ({"from": "tom"}, "from:tom"),
        (
            {"from": "tom reyes", "to": "me", "subject": '"the plan"'},
            'from:(tom reyes) to:me subject:"the plan"',
        ),
        ({"q": "lunch", "not": "dinner"}, "lunch -dinner"),
        ({"not": "a b"}, "-{a b}"),
        ({"size": "5", "unit": "MB"}, "larger:5M"),
        ({"size": "5", "unit": "bytes", "compare": "smaller"}, "smaller:5"),
        ({"size": "many"}, ""),
        ({"within": "1w"}, "newer_than:7d"),
        ({"within": "1d", "date": "2025-10-21"}, "after:2025/10/20 before:2025/10/23"),
        ({"within": "1d", "date": "soon"}, ""),
        ({"has": "attachment", "in": "trash"}, "has:attachment in:trash"),
        ({"in": "is:starred"}, "is:starred"),
        ({"in": "label:Old clients"}, 'label:"Old clients"'),
    ],
)
def test_fields_make_a_search_text(typed: dict[str, str], text: str) -> None:
    assert composed(typed) == text
    parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "from:(tom reyes) subject:plan lunch",
        "larger:5M has:attachment",
        "lunch -{a b}",
        "to:me is:odd in:trash",
    ],
)
def test_a_text_fills_the_fields_it_came_from(text: str) -> None:
    assert set(composed(fields(text)).split()) == set(text.split())


async def test_the_form_leads_to_the_text(mira: httpx.AsyncClient) -> None:
    answer = await mira.get("/search/with", params={"from": "tom", "q": "lunch & tea", "has": "attachment"})
    assert answer.status_code == 303
    text = parse_qs(urlsplit(answer.headers["location"]).query)["q"][0]
    assert text == "from:tom lunch & tea has:attachment"
    page = (await mira.get(answer.headers["location"])).text
    assert 'value="from:tom lunch &amp; tea has:attachment"' in page
    assert '<input name="from" value="tom">' in page
