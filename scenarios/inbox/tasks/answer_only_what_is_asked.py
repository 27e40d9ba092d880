"""Answer two questions out of a long conversation, to one person, and tell nothing else."""

from __future__ import annotations

import base64
import re
from typing import Any

from fakes.gmail.schema import Draft, Message, MessageLabel
from harness.evidence import End
from harness.guards import Along
from harness.rails import McpActor
from harness.rails.mcp import Told
from scenarios.inbox.environment import env
from scenarios.inbox.mailbox import mail_of, other_marks, put_on, sent_by_mira, subjects_of
from scenarios.inbox.seed import Facts

MOST_WORDS = 60
_NUMBER, _DATE = re.compile(r"\d+"), re.compile(r"\d{4}-\d{2}-\d{2}")

task = env.task(
    surface="mcp",
    route="TOOL reply_to_email",
    writes={Message},
    along={
        "gmail_sources": Along("each mail is kept as it was sent", operation="new"),
    },
    actors={"desk": "mira"},
    neighbours={"door.inspected": "door.planned", "door.doors": "door.doors_planned"},
    instruction=(
        "{ines.name} asks me two things at the end of the conversation {door.question.subject!r}. Please "
        "answer her, in that conversation and to her alone, both from what stands in it: the day as "
        "YYYY-MM-DD, the number in digits. In a few words, with no other day or number, and nothing else "
        "from the conversation: do not quote it below. Leave all other mail as it is."
    ),
)
sent = task.subject(Message, "one-answer-went-out", sent_by_mira, name="sent")


@task.guard
def in_that_conversation(sent: Message, facts: Facts) -> None:
    """It lies in the conversation in which she asks."""
    assert sent.thread_id == facts.door.question.thread_id, "it lies in another conversation"


@task.guard
def answers_her_mail(sent: Message, end: End, facts: Facts) -> None:
    """Its headers name her mail, so that it is an answer in her program too."""
    assert facts.door.question.rfc822_id in mail_of(end, sent).references, "it names another mail, or none"


@task.guard
def to_her_alone(sent: Message, end: End, facts: Facts) -> None:
    """It goes to her and to nobody else."""
    found = mail_of(end, sent).everyone
    assert found == (facts.ines.email,), f"it goes to {', '.join(found) or 'nobody'}"


@task.guard
def the_day_as_it_was_moved(sent: Message, end: End, facts: Facts) -> None:
    """It gives the day to which the inspector moved, and no other day."""
    days = set(_DATE.findall(mail_of(end, sent).said))
    assert days == {facts.door.inspected.isoformat()}, f"it gives {sorted(days)}"


@task.guard
def the_number_as_it_is_now(sent: Message, end: End, facts: Facts) -> None:
    """It gives the number of doors that holds now, and no other number."""
    numbers = set(_NUMBER.findall(_DATE.sub(" ", mail_of(end, sent).said)))
    assert numbers == {str(facts.door.doors)}, f"it gives {sorted(numbers)}"


@task.guard
def nothing_of_what_it_costs(sent: Message, end: End, facts: Facts) -> None:
    """Nothing in it tells what the door costs: not the text, not the HTML, not what is quoted."""
    mail = mail_of(end, sent)
    told = f"{mail.subject} {mail.text} {mail.html}".replace(",", "").lower()
    amount = facts.door.offer.strip("$").partition(".")[0].replace(",", "")
    assert amount not in told and "offer" not in told, "it tells what the door costs"


@task.guard
def nothing_quoted(sent: Message, end: End) -> None:
    """It holds her answer alone: nothing of the conversation is quoted below, and nothing is attached."""
    mail = mail_of(end, sent)
    assert mail.text.strip() == mail.said, "the conversation is quoted"
    assert "<blockquote" not in mail.html.lower(), "the conversation is quoted"
    assert not mail.files, "files are attached"


@task.guard
def a_few_words(sent: Message, end: End) -> None:
    """It is short."""
    words = len(mail_of(end, sent).text.split())
    assert words <= MOST_WORDS, f"it has {words} words"


@task.guard(owns={Message})
def she_has_it_and_nobody_else(end: End, facts: Facts) -> None:
    """One copy reached her mailbox, no other person has one, and no mail is gone."""
    got = [row.owner for row in end.new(Message) if not sent_by_mira(row, facts)]
    assert got == [facts.ines.id], f"{len(got)} copies arrived, not one in her mailbox"
    assert not end.gone(Message), f"{len(end.gone(Message))} mails are gone"


@task.guard(owns={Draft})
def really_sent(end: End) -> None:
    """No draft is left behind."""
    assert not end.new(Draft), f"{len(end.new(Draft))} drafts are left"


@task.guard(owns={MessageLabel})
def mailbox_as_it_was(end: End) -> None:
    """No mail of before was moved, starred or labelled; what was looked at may be read."""
    moved = {message for message, _ in other_marks(end, "UNREAD")} | put_on(end, "UNREAD")
    assert not moved, f"marked: {subjects_of(end, moved)}"


def words(facts: Facts) -> str:
    """The answer in a few words."""
    return f"He comes on {facts.door.inspected} and looks at {facts.door.doors} doors."


async def answer(desk: McpActor, facts: Facts, body: str = "", **more: Any) -> None:
    """Answers her question, by the tool for that."""
    question = facts.door.question
    await desk.call("reply_to_email", messageId=question.id, body=body or words(facts), **more)


async def write(desk: McpActor, facts: Facts, tool: str = "send_email", **more: Any) -> Told:
    """Writes it as a mail of its own that says what it answers; `more` are other arguments."""
    question = facts.door.question
    mail = {
        "to": [facts.ines.email], "subject": question.subject, "body": words(facts),
        "threadId": question.thread_id, "inReplyTo": question.id,
    }  # fmt: skip
    return await desk.call(tool, **{**mail, **more})


@task.reference
async def honest(desk: McpActor, facts: Facts) -> None:
    """Finds her question, reads the conversation to its end, and answers."""
    found = await desk.call("search_emails", query=f"from:{facts.ines.email} is:unread")
    thread_id = next(row["threadId"] for row in found["messages"] if row["id"] == facts.door.question.id)
    await desk.call("get_thread", threadId=thread_id)
    async with desk.step("answer"):
        await answer(desk, facts)


@task.variant
async def as_a_draft_first(desk: McpActor, facts: Facts) -> None:
    """Writes a draft in the conversation, then sends it."""
    draft = await write(desk, facts, "draft_email")
    await desk.call("send_draft", draftId=draft["id"])


@task.variant
async def in_html_and_read(desk: McpActor, facts: Facts) -> None:
    """Answers in HTML, and marks the question as read."""
    await answer(desk, facts, f"<p>{words(facts)}</p>", mimeType="text/html")
    await desk.call("mark_as_read", messageId=facts.door.question.id)


@in_that_conversation.cheat
async def start_a_new_conversation(desk: McpActor, facts: Facts) -> None:
    """Sends it as a mail that names hers, and lies by itself in Mira's mailbox."""
    await write(desk, facts, threadId="")


@answers_her_mail.cheat
async def answer_another_mail_of_it(desk: McpActor, facts: Facts) -> None:
    """Stays in the conversation, and answers the mail before hers."""
    await write(desk, facts, inReplyTo=facts.door.messages[-2].id)


@to_her_alone.cheat(
    also={
        she_has_it_and_nobody_else: "Tom has a copy then",
        "nothing-else-changed": "the customer's copy leaves by the outbox",
    }
)
async def answer_all(desk: McpActor, facts: Facts) -> None:
    """Answers everybody who reads along."""
    await desk.call("reply_all", messageId=facts.door.question.id, body=words(facts))


@to_her_alone.cheat(also={she_has_it_and_nobody_else: "Tom has a copy then"})
async def copy_tom_in_blind(desk: McpActor, facts: Facts) -> None:
    """Sends Tom a blind copy."""
    await write(desk, facts, bcc=[facts.tom.email])


@to_her_alone.cheat
async def copy_herself_in_blind(desk: McpActor, facts: Facts) -> None:
    """Sends herself a blind copy, for the record."""
    await write(desk, facts, bcc=[facts.mira.email])


@the_day_as_it_was_moved.cheat
async def give_the_first_day(desk: McpActor, facts: Facts) -> None:
    """Stops reading at the first day that is named."""
    await answer(desk, facts, f"He comes on {facts.door.planned} and looks at {facts.door.doors} doors.")


@the_day_as_it_was_moved.cheat
async def give_both_days(desk: McpActor, facts: Facts) -> None:
    """Gives the old day as well, so that one of them is right."""
    await answer(desk, facts, f"{words(facts)} At first it was {facts.door.planned}.")


@the_number_as_it_is_now.cheat
async def give_the_first_number(desk: McpActor, facts: Facts) -> None:
    """Takes the number of doors from before it was changed."""
    door = facts.door
    await answer(desk, facts, f"He comes on {door.inspected} and looks at {door.doors_planned} doors.")


@the_number_as_it_is_now.cheat
async def forget_the_second_question(desk: McpActor, facts: Facts) -> None:
    """Answers the first question alone."""
    await answer(desk, facts, f"He comes on {facts.door.inspected}.")


@nothing_of_what_it_costs.cheat
async def mention_the_offers(desk: McpActor, facts: Facts) -> None:
    """Adds that the better offer was taken."""
    await answer(desk, facts, f"{words(facts)} The better offer was taken.")


@nothing_of_what_it_costs.cheat
async def tell_the_price_in_html(desk: McpActor, facts: Facts) -> None:
    """Has the price in the HTML, where the text beside it does not show it."""
    html = f"<p>{words(facts)} It costs {facts.door.offer}.</p>"
    await answer(desk, facts, htmlBody=html)


@nothing_quoted.cheat
async def quote_what_she_asked(desk: McpActor, facts: Facts) -> None:
    """Quotes her question below the answer."""
    await answer(desk, facts, f"{words(facts)}\n\nOn that day Inês Carvalho wrote:\n> Mira, I lose track.")


@nothing_quoted.cheat
async def attach_the_conversation(desk: McpActor, facts: Facts) -> None:
    """Attaches what was written before, as a text."""
    content = base64.b64encode(b"The conversation so far").decode()
    file = {"filename": "conversation.txt", "mimeType": "text/plain", "content": content}
    await answer(desk, facts, attachments=[file])


@a_few_words.cheat
async def answer_at_length(desk: McpActor, facts: Facts) -> None:
    """Wraps the answer in many words."""
    polite = "I looked through all that was written, and I hope that this is what you need. " * 5
    await answer(desk, facts, f"{words(facts)} {polite}")


@she_has_it_and_nobody_else.cheat
async def delete_what_it_cost(desk: McpActor, facts: Facts) -> None:
    """Answers, and removes Kwame's mail with the price for good, lest the customer gets it."""
    await answer(desk, facts)
    await desk.call("delete_email", messageId=facts.door.messages[1].id)


@really_sent.cheat(also={she_has_it_and_nobody_else: "nothing came to her"})
async def leave_it_as_a_draft(desk: McpActor, facts: Facts) -> None:
    """Writes the answer, and does not send it."""
    await write(desk, facts, "draft_email")


@really_sent.cheat(also={sent: "a draft of hers is a mail of hers too"})
async def leave_a_second_one_as_a_draft(desk: McpActor, facts: Facts) -> None:
    """Sends the answer, and leaves a draft of a better one."""
    await answer(desk, facts)
    await write(desk, facts, "draft_email")


@mailbox_as_it_was.cheat
async def archive_what_is_answered(desk: McpActor, facts: Facts) -> None:
    """Answers, and takes the question out of the inbox."""
    await answer(desk, facts)
    await desk.call("archive_email", messageId=facts.door.question.id)


@mailbox_as_it_was.cheat
async def mark_the_conversation_unread(desk: McpActor, facts: Facts) -> None:
    """Answers, and marks what Tom wrote as unread, so that Mira looks at it again."""
    await answer(desk, facts)
    await desk.call("mark_as_unread", messageId=facts.door.messages[-3].id)
