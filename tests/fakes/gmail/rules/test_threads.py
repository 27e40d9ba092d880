from __future__ import annotations

import pytest

from fakes.gmail.rules.threads import bare_subject, is_id, message_ids, reply_subject


@pytest.mark.parametrize("subject", ["Re: Lunch", "RE: FWD:  lunch ", "Fw: re[2]: Lunch", "Lunch"])
def test_answers_share_a_bare_subject(subject: str) -> None:
    assert bare_subject(subject) == "lunch"


def test_a_word_that_begins_like_a_prefix_is_none() -> None:
    assert bare_subject("Report: lunch") == "report: lunch"


def test_an_answer_to_an_answer_has_one_prefix() -> None:
    assert reply_subject("Lunch") == reply_subject("Re: Lunch") == "Re: Lunch"


def test_ids_are_found_whatever_is_between() -> None:
    assert message_ids("<a@x>\t<b@x>, junk <c d@x>") == ("<a@x>", "<b@x>")


def test_ids_are_hex() -> None:
    assert is_id("18c1f0a2b3d4e5f6")
    assert not is_id("msg-a:r-11") and not is_id("") and not is_id("A" * 16)
