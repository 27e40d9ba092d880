"""What tells one instance of the console's world from another, drawn from the world's own generator.

Nothing is drawn twice in a world: two claimants share a name, a number or a digit only where a case says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TypeVar

from fakes.core.seeding import Seed

T = TypeVar("T")

_FIRST = (
    "Adele", "Bashir", "Carmen", "Dmitri", "Elena", "Farouk", "Gloria", "Hassan", "Irma", "Joaquin", "Keiko",
    "Lamar", "Monique", "Nasser", "Odette", "Pavel", "Renata", "Simeon", "Tamara", "Ulrich", "Viola",
    "Wendell", "Xiomara", "Yolanda", "Zoltan",
)  # fmt: skip
_LAST = (
    "Abernathy", "Baptiste", "Calderon", "Dufresne", "Eriksen", "Falk", "Guzman", "Holloway", "Ibarra",
    "Jankowski", "Kowalski", "Lattimore", "Mbaye", "Nakamura", "Oyelaran", "Pacheco", "Quigley", "Rossi",
    "Sokolov", "Tremblay", "Underhill", "Villanueva", "Weatherby", "Yamada", "Zeller", "Alvarado", "Brandt",
    "Contreras", "Driscoll", "Espinoza", "Fontaine", "Gallagher", "Hendricks", "Ivanova", "Jefferson",
)  # fmt: skip
_LOOKALIKES = (
    ("Marian", "Marion"), ("Frances", "Francis"), ("Leslie", "Lesley"), ("Stephan", "Stephen"),
    ("Kristin", "Kristen"), ("Jeffrey", "Jeffery"), ("Brennan", "Brendan"), ("Allison", "Alison"),
)  # fmt: skip
_JOBS = (
    "Picker", "Forklift driver", "Dispatcher", "Receiving clerk", "Yard driver", "Packer", "Night guard",
    "Inventory clerk", "Dock planner", "Van driver",
)  # fmt: skip


class Draw:
    """Draws names, numbers, days and orders; everything follows from the world's seed."""

    def __init__(self, w: Seed) -> None:
        self.rng = w.rng
        self._first = self.shuffled(_FIRST)
        self._last = self.shuffled(_LAST)
        self._alike = self.shuffled(_LOOKALIKES)
        self._ssns: set[str] = set()

    def pick(self, among: Sequence[T]) -> T:
        """One of them."""
        return self.rng.choice(among)

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """All of them in another order."""
        return self.rng.sample(things, len(things))

    def some(self, count: int, among: Sequence[T]) -> list[T]:
        """So many different ones."""
        return self.rng.sample(among, count)

    def number(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return self.rng.randint(least, most)

    # people

    def first_name(self) -> str:
        """A first name, another one than the last few times."""
        self._first.insert(0, self._first.pop())
        return self._first[0]

    def last_name(self) -> str:
        """A surname of nobody else's."""
        return self._last.pop()

    def name(self) -> str:
        """A whole name of nobody else's, surname included."""
        return f"{self.first_name()} {self.last_name()}"

    def alike(self) -> tuple[str, str]:
        """Two whole names that differ in a letter or two."""
        (one, other), last = self.shuffled(self._alike.pop()), self.last_name()
        return f"{one} {last}", f"{other} {last}"

    def job(self) -> str:
        """What somebody did."""
        return self.pick(_JOBS)

    # numbers

    def ssn(self) -> str:
        """The last four digits of a Social Security number: all different, so that they can change places."""
        while True:
            digits = "".join(self.rng.sample("123456789", 4))
            if digits not in self._ssns:
                self._ssns.add(digits)
                return digits

    def ssn_like(self, ssn: str) -> str:
        """The same digits, two of them exchanged: a slip of the pen."""
        for at in self.shuffled(range(3)):
            slip = exchanged(ssn, at)
            if slip not in self._ssns:
                self._ssns.add(slip)
                return slip
        return self.ssn()

    def claim_number(self, state: str) -> str:
        """A claim's number, as an agency gives it."""
        return f"{state}-{self.number(4000, 9999)}-{self.some_digits(5)}"

    def number_like(self, number: str) -> str:
        """The same claim number, two digits of its last part exchanged."""
        return number[:-5] + exchanged(number[-5:], self.number(0, 3))

    def reference(self, state: str) -> str:
        """What a paper is filed under at the agency."""
        return f"{state}-{self.pick('ABCDEFGH')}-{self.number(1000, 9999)}-{self.number(100, 999)}"

    def some_digits(self, count: int) -> str:
        """So many different digits."""
        return "".join(self.rng.sample("123456789", count))

    # days

    def earlier(self, day: date, least: int, most: int) -> date:
        """A day so many days before another."""
        return day - timedelta(days=self.number(least, most))


def account(state: str) -> str:
    """The employer's account with a state's agency: the same in every world."""
    first, second = (ord(letter) - 64 for letter in state)
    return f"{first:02d}-{first * 1733 + second * 97:05d}"


def exchanged(text: str, at: int) -> str:
    """The text with the letters at `at` and after it in each other's place."""
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def in_words(day: date) -> str:
    """A date as people write it in a mail: Tuesday, 14 October 2025."""
    return f"{_WEEKDAYS[day.weekday()]}, {day.day} {_MONTHS[day.month - 1]} {day.year}"


def out_of_words(text: str) -> date:
    """The date that `in_words` wrote."""
    day, month, year = text.split(", ")[1].split()
    return date(int(year), _MONTHS.index(month) + 1, int(day))


# Not strftime: that follows the locale of the process.
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
