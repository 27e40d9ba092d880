"""A questionnaire whose answers came by mail, put right in a second one; a namesake's lies beside it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from fakes.core.people import Person
from fakes.gmail.seed import mail
from scenarios.claims_console.cases.desk import Bench, day_of
from scenarios.claims_console.drawing import in_words
from sites.claims_desk.schema import Claimant, FactQuestion, FactRequest
from sites.claims_desk.seed import questionnaire

_STATES = {"NJ": "New Jersey", "OH": "Ohio", "TX": "Texas", "CA": "California"}
_REASONS = (
    "Said the new shift starts before the first bus does.",
    "Said a cousin's bakery pays better and is closer to home.",
    "Told me on the dock that lifting was no longer possible, no note from a doctor.",
)
_COMPLAINTS = (
    "About the heating in bay 4, twice; it was repaired in the same week both times.",
    "About the roster. I offered to swap two Saturdays and got no answer.",
    "About a broken hand scanner. We gave out a new one the next morning.",
)
_CHANGES = (
    "Start moved from 7:00 to 6:30 in spring, for everybody on the dock.",
    "Nothing but the parking: the staff lot was closed for repairs.",
    "The team was split in two, same pay, same hours.",
)
UNKNOWN = "terms_changed"


@dataclass(frozen=True)
class Said:
    """An answer as it is to be kept: the question's code and kind, and the text."""

    code: str
    kind: str
    text: str


@dataclass(frozen=True)
class Dictated:
    """`answers` are what the manager said in the end. `first_said` is the date that was put right, as it
    stood in the first mail, `rumour` what somebody else wrote about the question that the manager left open.
    """

    claimant: Claimant
    manager: Person
    request: FactRequest
    question_ids: tuple[str, ...]
    answers: tuple[Said, ...]
    unknown_id: str
    corrected_id: str
    first_said: date
    gossip: Person
    rumour: str
    namesake: Claimant
    namesakes_request: FactRequest
    namesakes_question_ids: tuple[str, ...]

    @property
    def state_name(self) -> str:
        """The state in words."""
        return _STATES[self.request.state]


def dictated(b: Bench) -> Dictated:
    """Lays it out."""
    w, draw = b.w, b.draw
    state, manager, gossip = draw.pick(list(_STATES)), next(b.managers), next(b.managers)
    surname = draw.last_name()
    firsts = (draw.first_name(), draw.first_name())
    who, claimed = b.left(
        f"{firsts[0]} {surname}", state, "voluntary_quit", draw.number(24, 29), manager=manager
    )
    other, others = b.left(
        f"{firsts[1]} {surname}", state, "voluntary_quit", draw.number(24, 29), manager=manager
    )
    requests = {}
    for n, (whose, about) in enumerate(draw.shuffled([(who.id, claimed), (other.id, others)])):
        with w.on(-5, f"10:{15 + 20 * n}"):
            requests[whose] = questionnaire(w, b.mira, about, "voluntary_quit", sent=True)
    request, namesakes = requests[who.id], requests[other.id]
    of = "WHERE request_id = ? ORDER BY position"
    questions = w.world.all(FactQuestion, of, (request.id,))
    theirs = w.world.all(FactQuestion, of, (namesakes.id,))
    last_day = day_of(who.last_day_worked)
    first_said = draw.earlier(last_day, 8, 13)
    told = first_said + timedelta(days=draw.pick((-3, -2, 2, 3)))
    in_writing, available = draw.pick(("yes", "no")), draw.pick(("yes", "no"))
    texts = {
        "last_day_worked": last_day.isoformat(),
        "notice_given_on": told.isoformat(),
        "reason_given": draw.pick(_REASONS),
        "work_was_available": available,
        "complaint_before": draw.pick(_COMPLAINTS),
        "resignation_in_writing": in_writing,
    }
    spoken = {
        **texts,
        "last_day_worked": in_words(last_day),
        "notice_given_on": in_words(first_said),
        "work_was_available": "Yes" if available == "yes" else "No",
        "resignation_in_writing": "Yes" if in_writing == "yes" else "No",
        UNKNOWN: "I can't say, I came to this site only later. Ask somebody who was here.",
    }
    lines = "\n".join(f"{q.position}. {spoken[q.code]}" for q in questions)
    mira, first = b.staff.mira, manager.name.split()[0]
    mail(
        w, manager, mira, f"Your questions about {other.name}",
        f"Hi Mira,\n\nthe one about {other.name} I will do on the page at the weekend, I have to look things "
        f"up first. Nothing for you to do there.\n\n{first}\n",
        day=-2, time="09:10", read=True,
    )  # fmt: skip
    written = mail(
        w, manager, mira, f"Your questions about {who.name}",
        f"Hi Mira,\n\nthe page does not open on my telephone. Here is what I have on {who.name}, by your "
        f"numbers:\n\n{lines}\n\n{first}\n",
        day=-1, time="16:25",
    )  # fmt: skip
    rumour = draw.pick(_CHANGES)
    mail(
        w, gossip, mira, f"{who.name}",
        f"Mira, I heard that you are asking about {who.name}. As far as I know: {rumour} But I only have it "
        f"from the canteen.\n\n{gossip.name}\n",
        day=-1, time="17:40",
    )  # fmt: skip
    mail(
        w, manager, mira, f"Re: Your questions about {who.name}",
        f"Mira, one thing I got wrong: number 2 was {in_words(told)}. I have found the note.\n\n{first}\n",
        day=0, time="08:15", reply_to=written,
    )  # fmt: skip
    by_code = {question.code: question for question in questions}
    return Dictated(
        claimant=who, manager=manager, request=request, question_ids=tuple(q.id for q in questions),
        answers=tuple(Said(q.code, q.kind, texts[q.code]) for q in questions if q.code in texts),
        unknown_id=by_code[UNKNOWN].id, corrected_id=by_code["notice_given_on"].id, first_said=first_said,
        gossip=gossip, rumour=rumour, namesake=other, namesakes_request=namesakes,
        namesakes_question_ids=tuple(q.id for q in theirs),
    )  # fmt: skip
