"""Text out of bytes in a charset that a mail names: whatever it says, the result can be encoded again."""

from __future__ import annotations

from encodings import normalize_encoding
from encodings.aliases import aliases
from functools import lru_cache

# Codecs of text and nothing else: `unicode_escape`, `utf-7` and their like make code points that are none.
_KNOWN = frozenset(
    "utf_8 utf_16 utf_16_le utf_16_be latin_1 iso8859_2 iso8859_3 iso8859_4 iso8859_5 iso8859_6 iso8859_7 "
    "iso8859_8 iso8859_9 iso8859_10 iso8859_13 iso8859_14 iso8859_15 iso8859_16 cp1250 cp1251 cp1252 cp1253 "
    "cp1254 cp1255 cp1256 cp1257 cp1258 cp437 cp850 cp866 koi8_r koi8_u mac_roman tis_620 big5 gb2312 gbk "
    "gb18030 shift_jis cp932 euc_jp iso2022_jp euc_kr cp949".split()
)


def decode(content: bytes, charset: str = "") -> str:
    """The text; UTF-8 where the charset is unknown, with U+FFFD for what is not of it."""
    return content.decode(_codec(charset) if charset else "utf-8", "replace")


@lru_cache(maxsize=256)
def _codec(charset: str) -> str:
    name = normalize_encoding(charset.lower())
    name = aliases.get(name, name)
    return name if name in _KNOWN else "utf-8"
