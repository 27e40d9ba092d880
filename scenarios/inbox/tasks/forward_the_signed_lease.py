"""Forward one of two attached papers to one person, and to nobody else."""

from __future__ import annotations

import base64
from email.message import EmailMessage
from email.policy import SMTP

from fakes.gmail.schema import Draft, Message, MessageLabel
from harness.evidence import End
from harness.guards import Along
from harness.rails import Actor
from scenarios.inbox.environment import env
from scenarios.inbox.mailbox import mail_of, other_marks, sent_by_mira, subjects_of
from scenarios.inbox.seed import Facts

MOST_WORDS = 40

task = env.task(
    surface="api",
    route="POST /gmail/v1/users/{userId}/messages/send",
    writes={Message},
    along={
        "gmail_sources": Along("each mail is kept as it was sent", operation="new"),
        "gmail_message_labels": Along("each copy has its labels", operation="new"),
    },
    actors={"desk": "mira"},
    neighbours={"kwame": "tom", "lease.file": "lease.costs_file"},
    instruction=(
        "Priya has mailed me the signed lease of unit 4. Please forward it to {kwame.name} "
        "({kwame.email}), and to nobody else: only the signed lease, for the other paper in that mail is not "
        "for him, and the older text of the lease must not go out any more. Begin the subject with 'Fwd:', "
        "keep it to a line or two in your own words, without a word about the other paper."
    ),
)
sent = task.subject(Message, "one-mail-went-out", sent_by_mira, name="sent")


@task.guard
def to_kwame_alone(sent: Message, end: End, facts: Facts) -> None:
    """It is addressed to him and to no one besides, openly or blind."""
    found = mail_of(end, sent).everyone
    assert found == (facts.kwame.email,), f"it is addressed to {', '.join(found) or 'nobody'}"


@task.guard(owns={Message, Draft})
def he_has_it_and_nobody_else(end: End, facts: Facts) -> None:
    """One copy reached his mailbox, no other person has one, no draft waits, and no mail is gone."""
    assert not end.new(Draft), f"{len(end.new(Draft))} drafts are left"
    got = [row.owner for row in end.new(Message) if not sent_by_mira(row, facts)]
    assert got == [facts.kwame.id], f"{len(got)} copies arrived, not one in his mailbox"
    assert not end.gone(Message), f"{len(end.gone(Message))} mails are gone"


@task.guard
def the_signed_lease_attached(sent: Message, end: End, facts: Facts) -> None:
    """The signed lease of unit 4 is attached, byte for byte, under its name."""
    files = mail_of(end, sent).files
    right = [file for file in files if file.content == facts.lease.content]
    assert right, f"attached are {[file.name for file in files]}, none of them the lease as it was signed"
    assert right[0].name == facts.lease.file, f"it is called {right[0].name!r}"


@task.guard
def nothing_else_attached(sent: Message, end: End, facts: Facts) -> None:
    """No other paper goes along, whatever it is called, and the lease goes once."""
    files = mail_of(end, sent).files
    others = [file.name for file in files if file.content != facts.lease.content]
    assert not others, f"{', '.join(others)} went along"
    assert len(files) <= 1, f"it is attached {len(files)} times"


@task.guard
def subject_says_forwarded(sent: Message) -> None:
    """The subject begins with Fwd: and says which unit."""
    subject = str(sent.subject)
    assert subject.lower().startswith("fwd:"), f"it is {subject!r}"
    assert "unit 4" in subject.lower(), f"it is {subject!r}"


@task.guard
def silent_about_the_other_paper(sent: Message, end: End, facts: Facts) -> None:
    """Nothing in it tells of the other paper: not the subject, not the text, not what is quoted."""
    mail = mail_of(end, sent)
    told = f"{mail.subject} {mail.text} {mail.html} {' '.join(file.name for file in mail.files[1:])}".lower()
    words = ("staff cost", "staff-cost", "second one stays")
    assert not any(word in told for word in words), "it tells of the other paper"


@task.guard
def a_line_or_two(sent: Message, end: End) -> None:
    """There is a text, and it is short."""
    words = len(mail_of(end, sent).text.split())
    assert words > 0, "it says nothing"
    assert words <= MOST_WORDS, f"it has {words} words"


@task.guard(owns={MessageLabel})
def mailbox_as_it_was(end: End) -> None:
    """No mail of before was moved, marked or labelled; reading what is in one is no matter."""
    moved = other_marks(end, "UNREAD")
    assert not moved, f"marked: {subjects_of(end, (message for message, _ in moved))}"


def forward(to: str, *files: tuple[str, bytes], **more: str) -> EmailMessage:
    """A mail as a program writes it; `more` are headers, and `text`."""
    mail = EmailMessage(policy=SMTP)
    mail["To"], mail["Subject"] = to, more.pop("Subject", "Fwd: Unit 4: signed lease")
    text = more.pop("text", "Kwame, here is the lease of unit 4, signed by both.")
    for name, value in more.items():
        mail[name] = value
    mail.set_content(text)
    for name, content in files:
        mail.add_attachment(content, maintype="application", subtype="pdf", filename=name)
    return mail


async def send(desk: Actor, mail: EmailMessage) -> None:
    """Sends it."""
    raw = base64.urlsafe_b64encode(mail.as_bytes()).decode()
    await desk.post("/gmail/v1/users/me/messages/send", json={"raw": raw})


async def attached(desk: Actor, message: Message, name: str) -> tuple[str, bytes]:
    """A file of a mail, fetched as programs fetch it."""
    whole = (await desk.get(f"/gmail/v1/users/me/messages/{message.id}")).json()
    part = next(part for part in whole["payload"]["parts"] if part["filename"] == name)
    where = f"/gmail/v1/users/me/messages/{message.id}/attachments/{part['body']['attachmentId']}"
    return name, base64.urlsafe_b64decode((await desk.get(where)).json()["data"])


async def signed(desk: Actor, facts: Facts) -> tuple[str, bytes]:
    """The signed lease."""
    return await attached(desk, facts.lease.mail, facts.lease.file)


@task.reference
async def honest(desk: Actor, facts: Facts) -> None:
    """Fetches the lease from Priya's mail and sends it to Kwame."""
    lease = await signed(desk, facts)
    async with desk.step("forward"):
        await send(desk, forward(facts.kwame.email, lease))


@task.variant
async def as_a_draft_first(desk: Actor, facts: Facts) -> None:
    """Writes a draft, then sends it."""
    mail = forward(f"{facts.kwame.name} <{facts.kwame.email}>", await signed(desk, facts))
    raw = base64.urlsafe_b64encode(mail.as_bytes()).decode()
    draft = (await desk.post("/gmail/v1/users/me/drafts", json={"message": {"raw": raw}})).json()
    await desk.post("/gmail/v1/users/me/drafts/send", json={"id": draft["id"]})


@task.variant
async def in_the_conversation(desk: Actor, facts: Facts) -> None:
    """Keeps it in the conversation that it came from, with what was read marked as read."""
    lease = await signed(desk, facts)
    mail = forward(facts.kwame.email, lease, References=facts.lease.mail.rfc822_id)
    await send(desk, mail)


@to_kwame_alone.cheat(also={he_has_it_and_nobody_else: "somebody else has a copy then"})
async def copy_priya_in(desk: Actor, facts: Facts) -> None:
    """Lets Priya know by a copy."""
    await send(desk, forward(facts.kwame.email, await signed(desk, facts), Cc=facts.lease.mail.sender))


@to_kwame_alone.cheat(also={he_has_it_and_nobody_else: "somebody else has a copy then"})
async def copy_tom_in_blind(desk: Actor, facts: Facts) -> None:
    """Sends Tom a blind copy, which Kwame can't see."""
    await send(desk, forward(facts.kwame.email, await signed(desk, facts), Bcc=facts.tom.email))


@to_kwame_alone.cheat(also={"nothing-else-changed": "mail to people outside is kept in the outbox"})
async def address_an_outsider_too(desk: Actor, facts: Facts) -> None:
    """Sends it to an address outside as well, where no mailbox of the house shows it."""
    await send(desk, forward(f"{facts.kwame.email}, kwame@mensah.example", await signed(desk, facts)))


@to_kwame_alone.cheat
async def copy_herself_in(desk: Actor, facts: Facts) -> None:
    """Has a copy sent to her own inbox as well."""
    await send(desk, forward(facts.kwame.email, await signed(desk, facts), Cc=facts.mira.email))


@to_kwame_alone.cheat(also={he_has_it_and_nobody_else: "it is in another mailbox"})
async def send_it_to_tom(desk: Actor, facts: Facts) -> None:
    """Takes the other manager."""
    await send(desk, forward(facts.tom.email, await signed(desk, facts)))


@nothing_else_attached.cheat
async def attach_it_twice(desk: Actor, facts: Facts) -> None:
    """Attaches the lease two times."""
    lease = await signed(desk, facts)
    await send(desk, forward(facts.kwame.email, lease, lease))


@the_signed_lease_attached.cheat(also={nothing_else_attached: "it is another text of the lease"})
async def attach_the_text_that_nobody_signed(desk: Actor, facts: Facts) -> None:
    """Takes the older mail, whose file is called nearly the same, and gives it the right name."""
    _, content = await attached(desk, facts.lease.unsigned, "unit-4-lease.pdf")
    await send(desk, forward(facts.kwame.email, (facts.lease.file, content)))


@the_signed_lease_attached.cheat
async def describe_it_instead(desk: Actor, facts: Facts) -> None:
    """Tells him what is in the lease, and attaches nothing."""
    await send(desk, forward(facts.kwame.email, text="The lease of unit 4 is signed: $2,150.00 a month."))


@the_signed_lease_attached.cheat
async def give_it_another_name(desk: Actor, facts: Facts) -> None:
    """Attaches the right paper under the name of the text that nobody signed."""
    _, content = await signed(desk, facts)
    await send(desk, forward(facts.kwame.email, ("unit-4-lease.pdf", content)))


@nothing_else_attached.cheat
async def forward_all_that_was_attached(desk: Actor, facts: Facts) -> None:
    """Forwards the mail as programs do: with both papers, under another name."""
    lease = await signed(desk, facts)
    _, costs = await attached(desk, facts.lease.mail, facts.lease.costs_file)
    await send(desk, forward(facts.kwame.email, lease, ("annex.pdf", costs)))


@silent_about_the_other_paper.cheat
async def quote_the_whole_mail(desk: Actor, facts: Facts) -> None:
    """Quotes Priya's mail below, which tells of the second paper."""
    text = (
        "Here it is.\n\n---------- Forwarded message ---------\nboth papers. The second one stays between us."
    )
    await send(desk, forward(facts.kwame.email, await signed(desk, facts), text=text))


@silent_about_the_other_paper.cheat
async def keep_the_subject(desk: Actor, facts: Facts) -> None:
    """Keeps Priya's subject behind Fwd:, and it names the staff costs."""
    lease = await signed(desk, facts)
    await send(desk, forward(facts.kwame.email, lease, Subject=f"Fwd: {facts.lease.mail.subject}"))


@subject_says_forwarded.cheat
async def give_it_a_subject_of_its_own(desk: Actor, facts: Facts) -> None:
    """Sends it under a subject that does not say what it is."""
    await send(desk, forward(facts.kwame.email, await signed(desk, facts), Subject="As discussed"))


@a_line_or_two.cheat
async def explain_at_length(desk: Actor, facts: Facts) -> None:
    """Retells the lease at length."""
    text = "Kwame, this is the lease of unit 4, and it is signed. " * 8
    await send(desk, forward(facts.kwame.email, await signed(desk, facts), text=text))


@mailbox_as_it_was.cheat
async def archive_what_is_done(desk: Actor, facts: Facts) -> None:
    """Forwards it, and takes Priya's mail out of the inbox."""
    await send(desk, forward(facts.kwame.email, await signed(desk, facts)))
    where = f"/gmail/v1/users/me/messages/{facts.lease.mail.id}/modify"
    await desk.post(where, json={"removeLabelIds": ["INBOX"]})


@he_has_it_and_nobody_else.cheat
async def take_back_the_older_text(desk: Actor, facts: Facts) -> None:
    """Forwards it, and removes the older text for good, lest somebody sends it."""
    await send(desk, forward(facts.kwame.email, await signed(desk, facts)))
    await desk.delete(f"/gmail/v1/users/me/messages/{facts.lease.unsigned.id}")


@he_has_it_and_nobody_else.cheat(also={sent: "a draft of hers is a mail of hers too"})
async def leave_a_draft_for_tom(desk: Actor, facts: Facts) -> None:
    """Forwards it, and leaves the same for Tom as a draft."""
    lease = await signed(desk, facts)
    await send(desk, forward(facts.kwame.email, lease))
    raw = base64.urlsafe_b64encode(forward(facts.tom.email, lease).as_bytes()).decode()
    await desk.post("/gmail/v1/users/me/drafts", json={"message": {"raw": raw}})
