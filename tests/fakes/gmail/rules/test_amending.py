"""Headers put into a mail that was read already."""

from __future__ import annotations

import pytest

from fakes.gmail.rules.addresses import named
from fakes.gmail.rules.amending import amended
from fakes.gmail.rules.mime import read
from tests.fakes.gmail.town import raw

MAIL = raw("Hello", From="a@x.example", To="b@x.example", Bcc="c@x.example", Subject="Hi")


@pytest.mark.parametrize("mail", [MAIL, raw("no headers at all")])
def test_what_is_amended_reads_as_if_it_had_come_so(mail: bytes) -> None:
    added = [("From", named("Ü", "u@x.example")), ("Message-ID", "<1@x>")]
    letter = amended(read(mail), drop=["from", "bcc"], add=added)
    assert letter == read(letter.raw)
    assert (letter.senders[0].name, letter.message_id, letter.bcc) == ("Ü", "<1@x>", ())
