"""Who may open the portal: one-time keys, and the sessions that come of them. Gone with the server."""

from __future__ import annotations

from urllib.parse import urlencode

from fakes.core.ids import Secrets, digest, draw_secret, draw_token, same

_SESSIONS_KEPT = 64


class Door:
    """Keys open once; a session lasts until the server stops. Only digests are kept."""

    def __init__(self) -> None:
        self._key = ""
        self._sessions: list[str] = []
        self._notes: dict[tuple[str, str], str] = {}
        self._secrets = Secrets(draw_secret())
        self.cookie = "pc_portal_" + self._secrets.token("portal cookie", 0, length=8)  # cookies ignore ports

    def new_key(self) -> str:
        """A key for one opening. The key before it, if nobody used it, opens nothing any more."""
        key = draw_token(24)
        self._key = digest(key)
        return key

    def link(self, server: str, to: str = "") -> str:
        """A one-time link for a fresh key; `server` is the server's URL, `to` the page that it leads to."""
        asked = {"key": self.new_key(), **({"to": to} if to else {})}
        return f"{server}/open?{urlencode(asked)}"

    def spend(self, key: str) -> str | None:
        """A new session's cookie value for a fresh key; None for any other text."""
        if not self._key or not same(digest(key), self._key):
            return None
        self._key = ""
        session = draw_token()
        self._sessions = [*self._sessions, digest(session)][-_SESSIONS_KEPT:]
        return session

    def knows(self, session: str | None) -> bool:
        """Whether this cookie value is a session of ours."""
        return session is not None and any(same(digest(session), known) for known in self._sessions)

    def csrf(self, session: str) -> str:
        """The token that the session's forms carry."""
        return self._secrets.token("portal csrf", digest(session))

    def csrf_is_right(self, session: str, given: str) -> bool:
        """Whether a form carries it."""
        return same(given, self.csrf(session))

    def note(self, session: str, sentence: str, kind: str = "flash") -> None:
        """Keeps what the session's next page is to say, or another `kind` of text to show once."""
        self._notes[digest(session), kind] = sentence

    def take_note(self, session: str, kind: str = "flash") -> str:
        """What was kept, once."""
        return self._notes.pop((digest(session), kind), "")
