"""What a word is: letters and digits, in any case and without accents, as the index of words has them.

Languages written without spaces have a word for each sign, and a picture sign is a word, so that both are
found. There is no stemming: "invoices" does not find "invoice".
"""

from __future__ import annotations

import re
import unicodedata

_ALONE = re.compile("([⺀-鿿ꀀ-꓏가-힯豈-﫿\U00020000-\U0003ffff])")
_PICTURE = re.compile("([\u2190-\u2bff\U0001f000-\U0001faff])")
_WORD = re.compile(r"[^\W_]+")


def spaced(text: str) -> str:
    """The text as the index takes it: signs that are words of their own stand apart."""
    if text.isascii():
        return text
    text = _ALONE.sub(r" \1 ", text)
    return _PICTURE.sub(lambda found: f" u{ord(found[1]):x} ", text)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, folded."""
    text = spaced(text)
    if not text.isascii():
        parted = unicodedata.normalize("NFD", text)
        text = "".join(each for each in parted if not unicodedata.combining(each))
    return tuple(_WORD.findall(text.lower()))
