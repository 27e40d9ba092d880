"""Names and secrets: deterministic ids per world, and the one place that asks the system for randomness."""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets
import string
from functools import lru_cache

BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
BASE62 = string.digits + string.ascii_letters
HEX = "0123456789abcdef"


def _spell(number: int, alphabet: str, length: int) -> str:
    """The lowest digits of a number, the last one first; two at a time, for big numbers divide slowly."""
    if alphabet == HEX:
        return f"{number % 16**length:0{length}x}"[::-1]
    pairs, count = _pairs(alphabet), (length + 1) // 2
    if len(pairs) == 1024:  # ten bits each
        return "".join([pairs[number >> at & 1023] for at in range(0, 10 * count, 10)])[:length]
    number %= len(pairs) ** count
    letters = []
    for _ in range(count):
        number, rest = divmod(number, len(pairs))
        letters.append(pairs[rest])
    return "".join(letters)[:length]


@lru_cache(maxsize=16)
def _pairs(alphabet: str) -> list[str]:
    return [first + second for second in alphabet for first in alphabet]


class Ids:
    """Public identifiers: a keyed hash of (world seed, kind, n), spelled in the vendor's alphabet."""

    def __init__(self, seed: int) -> None:
        self._key = hashlib.blake2b(f"paracosm ids {seed}".encode(), digest_size=32).digest()

    def number(self, kind: str, n: int) -> int:
        """A 512-bit number that names the n-th thing of its kind."""
        return int.from_bytes(hashlib.blake2b(f"{kind}\0{n}".encode(), key=self._key).digest(), "big")

    def text(self, kind: str, n: int, *, prefix: str = "", length: int = 16, alphabet: str = BASE32) -> str:
        """An id such as `ntc_k3v…`: `prefix` and `length` letters of `alphabet`."""
        return prefix + _spell(self.number(kind, n), alphabet, length)


class Secrets:
    """Tokens and codes: HMAC of (world secret, kind, n), so that no id tells a secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._keyed = lru_cache(maxsize=256)(self._digest)

    def _digest(self, kind: str, n: int | str) -> bytes:
        return hmac.new(self._secret, f"{kind}\0{n}".encode(), hashlib.sha256).digest()

    def token(self, kind: str, n: int | str, *, prefix: str = "", length: int = 32) -> str:
        """A bearer secret of `length` base-62 letters after `prefix`; at most 43 letters carry entropy."""
        return prefix + _spell(int.from_bytes(self._digest(kind, n), "big"), BASE62, length)

    def digits(self, kind: str, n: int | str, length: int = 6) -> str:
        """A numeric code, as mailed or texted for a second factor."""
        return _spell(int.from_bytes(self._digest(kind, n), "big"), string.digits, length)

    def key(self, kind: str, n: int | str = 0) -> bytes:
        """32 bytes of key material for one purpose."""
        return self._keyed(kind, n)


def digest(secret: str) -> str:
    """What is stored of a token: its SHA-256 in hex. Tokens carry enough entropy to need no salt."""
    return hashlib.sha256(secret.encode()).hexdigest()


def same(one: str, other: str) -> bool:
    """Compares two secrets in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())


def rng(seed: str) -> random.Random:
    """A generator of its own for one seed: never the global one."""
    return random.Random(seed)


def draw_secret() -> bytes:
    """32 bytes from the system, for a server's or a world's secret."""
    return secrets.token_bytes(32)


def draw_token(length: int = 32) -> str:
    """A URL-safe secret from the system, for what lives outside every world (leases, the portal's link)."""
    return secrets.token_urlsafe(length)


def draw_address() -> str:
    """A random loopback address for a lease: 127.x.y.z outside 127.0.0.0/16, which people use by hand."""
    second, third, fourth = 1 + secrets.randbelow(254), secrets.randbelow(256), 1 + secrets.randbelow(254)
    return f"127.{second}.{third}.{fourth}"
