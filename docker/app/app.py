"""A program under test: it hears of each notice that the claims desk records, and mails its operator of it.

It knows two vendors' APIs and nothing of Paracosm: in production the same addresses would be the real ones.

    FAKES_URL    where both APIs are       SELF_URL   where the desk reaches this program
    GMAIL_TOKEN  of the mailbox it uses    HOST, PORT where it listens
    DESK_TOKEN   of the desk's API
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import time
from email.message import EmailMessage
from email.policy import SMTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

FAKES = os.environ.get("FAKES_URL", "http://127.0.0.1:8080/w/main")
SELF = os.environ.get("SELF_URL", "http://127.0.0.1:3000")
HOST, PORT = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "3000"))
GMAIL = f"{FAKES}/gmail/v1/users/me"
DESK = f"{FAKES}/sites/claims_desk/api"
OLDEST = 300  # seconds that a delivery's timestamp may be behind

heard: list[str] = []
done: set[str] = set()
secret = ""


def call(method: str, url: str, token: str, body: object = None) -> dict:
    """One call of a JSON API."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, content, headers, method=method), timeout=10) as answer:
        return json.load(answer)


def subscribe() -> str:
    """Asks the desk to call us; the secret that its calls are signed with."""
    asked = {"url": f"{SELF}/hook", "events": ["notice.recorded"]}
    return call("POST", f"{DESK}/webhooks", os.environ["DESK_TOKEN"], asked)["secret"]


def is_from_the_desk(headers, body: bytes) -> bool:
    """Whether the signature is right and the call is no old one, sent again by somebody."""
    stamp = headers.get("Ferry-Timestamp", "")
    wanted = "v1=" + hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    fresh = stamp.isdigit() and abs(time.time() - int(stamp)) <= OLDEST
    return fresh and hmac.compare_digest(headers.get("Ferry-Signature", ""), wanted)


def tell_the_operator(notice: dict) -> None:
    """Mails what was recorded to whoever owns the mailbox."""
    me = call("GET", f"{GMAIL}/profile", os.environ["GMAIL_TOKEN"])["emailAddress"]
    mail = EmailMessage(policy=SMTP)
    mail["From"] = mail["To"] = me
    mail["Subject"] = f"Recorded: {notice['type']} from {notice['state']}"
    mail.set_content(f"Notice {notice['id']} is at the desk. Answer it by {notice['due_computed']}.")
    raw = base64.urlsafe_b64encode(mail.as_bytes()).decode()
    call("POST", f"{GMAIL}/messages/send", os.environ["GMAIL_TOKEN"], {"raw": raw})


class Handler(BaseHTTPRequestHandler):
    """`POST /hook` for the desk, `GET /` for whoever wants to see what was heard."""

    def do_GET(self) -> None:
        self.answer(200, {"heard": heard})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != "/hook" or not is_from_the_desk(self.headers, body):
            return self.answer(401, {"error": "not signed by the desk"})
        delivery, event = self.headers["Ferry-Delivery"], json.loads(body)
        if delivery not in done:  # the desk may deliver twice
            notice = call("GET", f"{DESK}/notices/{event['data']['id']}", os.environ["DESK_TOKEN"])
            tell_the_operator(notice)
            done.add(delivery)
            heard.append(event["data"]["id"])
        self.answer(200, {"ok": True})

    def answer(self, status: int, body: dict) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, text: str, *args: object) -> None:
        print(text % args, flush=True)


if __name__ == "__main__":
    server = ThreadingHTTPServer((HOST, PORT), Handler)
    secret = subscribe()
    print(f"listening on {SELF}", flush=True)
    server.serve_forever()
