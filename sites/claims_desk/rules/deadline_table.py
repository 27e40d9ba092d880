"""How long employers in twelve states have to answer each type of notice, and where that is written.

How the table was filled: statutes and agencies' public pages are named in each rule's `source`. A rule whose
period we could not read in such a place has `confirmed=False` and its source says what was taken instead; the
desk shows that beside the deadline. Where no public text lets a last day move off a weekend, it stays: on the
safe side, since answering early is never wrong. It is a simulator's table, no legal advice.

The types, as the desk uses them:

- `determination`: the agency decided on eligibility; the employer may ask for a hearing (or protest).
- `claim_filed`: a request for separation information after a claim; the employer answers.
- `charge_statement`: benefits charged to the employer's account; the employer may protest.
- `hearing`: the decision after a hearing; the employer may appeal to the next body (board, commission).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

NoticeType = Literal["determination", "claim_filed", "charge_statement", "hearing"]
Counted = Literal["mail_date", "notice_date"]
DayKind = Literal["calendar", "business"]
LastDay = Literal["rolls_forward", "stays"]

NOTICE_TYPES: Final[tuple[NoticeType, ...]] = ("determination", "claim_filed", "charge_statement", "hearing")


@dataclass(frozen=True)
class Rule:
    """One state's period for one type of notice.

    `counted_from` names the date that the days follow (day 1 is the day after it); `last_day` says what
    happens when the period ends on a Saturday, a Sunday or a federal holiday.
    """

    state: str
    type: NoticeType
    days: int
    counted_from: Counted
    day_kind: DayKind
    last_day: LastDay
    source: str
    confirmed: bool = True


def _rolls(
    state: str,
    type: NoticeType,
    days: int,
    source: str,
    *,
    base: Counted = "mail_date",
    confirmed: bool = True,
) -> Rule:
    return Rule(state, type, days, base, "calendar", "rolls_forward", source, confirmed)


def _stays(
    state: str,
    type: NoticeType,
    days: int,
    source: str,
    *,
    base: Counted = "mail_date",
    confirmed: bool = True,
) -> Rule:
    return Rule(state, type, days, base, "calendar", "stays", source, confirmed)


_NEW_YORK = (
    _rolls("NY", "determination", 30,
           "N.Y. Labor Law § 620(1)(a): a hearing may be requested within thirty days after the mailing of "
           "the determination; General Construction Law § 25-a moves a last day off a weekend or public "
           "holiday."),
    _stays("NY", "claim_filed", 10,
           "12 NYCRR 472.12(a): the reply to a notice of potential charges must be received within 10 "
           "calendar days of the date on the notice. No text that moves the last day was found, so it "
           "stays.", base="notice_date"),
    _rolls("NY", "charge_statement", 30,
           "To confirm: the Department of Labor's page on the Notice of Experience Rating Charges names no "
           "period; taken from 12 NYCRR 461.2 (30 days for an employer who contests a determination, rule "
           "or order).",
           confirmed=False),
    _rolls("NY", "hearing", 20,
           "N.Y. Labor Law § 621: appeal to the Appeal Board within twenty days after the mailing of the "
           "decision; General Construction Law § 25-a."),
)

_PENNSYLVANIA = (
    _rolls("PA", "determination", 21,
           "Unemployment Compensation Law § 501(e) (43 P.S. § 821(e)) as amended by Act 30 of 2021, and 34 "
           "Pa. Code § 101.82: 21 calendar days after the determination date, which is the mailing date; "
           "uc.pa.gov, Expanded and Legal Appeals Information: extended to the next business day when the "
           "department is closed."),
    _stays("PA", "claim_filed", 14,
           "To confirm: the reply period printed on Form UC-45, Employer's Notice of Application; 14 days "
           "are taken.",
           confirmed=False),
    _rolls("PA", "charge_statement", 21,
           "To confirm: relief from charges is requested under § 302.1 of the Unemployment Compensation Law "
           "(Form UC-44FR), separately from an appeal; the 21 days of Act 30 of 2021 are taken for the "
           "charge notice.",
           confirmed=False),
    _rolls("PA", "hearing", 21,
           "Unemployment Compensation Law § 502 (43 P.S. § 822) as amended by Act 30 of 2021: appeal to the "
           "Board of Review within 21 days of the referee's decision."),
)

_CALIFORNIA = (
    _rolls("CA", "determination", 30,
           "Cal. Unemployment Insurance Code § 1328(a): appeal within 30 days from mailing of the notice of "
           "determination; moved off a weekend or holiday as in Code of Civil Procedure § 12a."),
    _stays("CA", "claim_filed", 10,
           "EDD, Responding to Unemployment Insurance Claim Notices: answer the DE 1101CZ within 10 days of "
           "the date of the notice. No text that moves the last day was found, so it "
           "stays.", base="notice_date"),
    _rolls("CA", "charge_statement", 60,
           "To confirm: Cal. Unemployment Insurance Code § 1034, protest of the Statement of Charges (DE "
           "428T); 60 days from mailing are taken from general knowledge.", confirmed=False),
    _rolls("CA", "hearing", 30,
           "Cal. Unemployment Insurance Code § 1334 as amended by SB 1314 of 2014: appeal to the Appeals "
           "Board within 30 days of the judge's decision; moved as in Code of Civil Procedure § 12a."),
)

_TEXAS = (
    _rolls("TX", "determination", 14,
           "Tex. Labor Code §§ 212.053 and 212.054: appeal by the 14th calendar day after mailing; the "
           "Workforce Commission's instructions move it off a holiday, and a weekend is taken alike."),
    _stays("TX", "claim_filed", 14,
           "Tex. Labor Code § 208.004 and the Texas Workforce Commission's page for employers: 14 days from "
           "the date the notice of application was mailed. No text that moves the last day was found, so it "
           "stays."),
    _rolls("TX", "charge_statement", 30,
           "To confirm: Tex. Labor Code ch. 204 (chargebacks); 30 days from mailing are taken from general "
           "knowledge.",
           confirmed=False),
    _rolls("TX", "hearing", 14,
           "To confirm: Tex. Labor Code § 212.104, appeal to the Commission; 14 days after the decision was "
           "mailed are taken, as for determinations.", confirmed=False),
)

_FLORIDA = (
    _rolls("FL", "determination", 20,
           "Fla. Admin. Code R. 73B-20.005: appeal within 20 calendar days of the date the determination was "
           "mailed; a last day on a Saturday, Sunday or holiday runs to the next day that is none."),
    _stays("FL", "claim_filed", 20,
           "To confirm: floridajobs.org, Notice of Reemployment Assistance Claim Filed (UCB-412): 20 days "
           "from the mailing date printed on it; Fla. Stat. § 443.151(3) may have shortened this "
           "since.", confirmed=False),
    _stays("FL", "charge_statement", 20,
           "To confirm: Fla. Stat. § 443.131(3), Statement of Reemployment Benefit Charges; 20 days from "
           "mailing are taken from general knowledge.", confirmed=False),
    _rolls("FL", "hearing", 20,
           "Fla. Stat. § 443.151(4) and Fla. Admin. Code ch. 73B-21: appeal to the Appeals Commission within "
           "20 calendar days after the referee's decision was mailed; R. 73B-21.0031 moves a last day."),
)

_OHIO = (
    _rolls("OH", "determination", 21,
           "Ohio Rev. Code § 4141.281: appeal within 21 calendar days after the determination was sent; "
           "extended when the last day is a Saturday, Sunday or legal holiday."),
    Rule("OH", "claim_filed", 10, "mail_date", "business", "rolls_forward",
         "To confirm: Ohio Rev. Code § 4141.28, request to the employer for separation information; ten "
         "working days from mailing are taken from general knowledge.", confirmed=False),
    _stays("OH", "charge_statement", 15,
           "Ohio Admin. Code 4141-35-03: an exception to benefit charges is filed within fifteen days after "
           "the notice was mailed. The rule does not move the last day, so it stays."),
    _rolls("OH", "hearing", 21,
           "Ohio Admin. Code 4146-13-01: request for review within twenty-one calendar days after the "
           "decision was sent; Ohio Rev. Code § 4141.281 extends it over weekends and holidays."),
)

_ILLINOIS = (
    _rolls("IL", "determination", 30,
           "820 ILCS 405/800: appeal within 30 days of the mailing of the determination; time as in 56 Ill. "
           "Adm. Code 2720.10."),
    _rolls("IL", "claim_filed", 10,
           "56 Ill. Adm. Code 2720.130(a)(1): protest within 10 calendar days after the date shown on the "
           "notice of claim; time as in 2720.10.", base="notice_date"),
    _rolls("IL", "charge_statement", 45,
           "To confirm: 820 ILCS 405/1508, application to revise a statement of benefit charges; 45 days "
           "from mailing are taken from general knowledge.", confirmed=False),
    _rolls("IL", "hearing", 30,
           "56 Ill. Adm. Code 2720.300 and 820 ILCS 405/801: appeal to the Board of Review within 30 days "
           "after the referee's decision was mailed."),
)

_NEW_JERSEY = (
    _rolls("NJ", "determination", 7,
           "N.J.S.A. 43:21-6(b) as amended by P.L. 2022, c. 120: employers have seven days after confirmed "
           "receipt; receipt is taken to be the mail date, the earliest it can be; N.J.A.C. 12:20-3.1(c) "
           "moves a last day."),
    _stays("NJ", "claim_filed", 7,
           "N.J.S.A. 43:21-6(a) as amended by P.L. 2022, c. 120: separation information within seven days "
           "of the request. No text that moves the last day was found, so it stays."),
    _stays("NJ", "charge_statement", 20,
           "To confirm: protest of a notice of benefits charged; 20 days from mailing are taken without a "
           "source.",
           confirmed=False),
    _rolls("NJ", "hearing", 10,
           "To confirm: N.J.A.C. 12:20-4.1(a) gives 10 calendar days from mailing, the Department's "
           "employer handbook 20; the shorter is taken.", confirmed=False),
)

_MASSACHUSETTS = (
    _stays("MA", "determination", 10,
           "G.L. c. 151A § 39(b) and mass.gov, employer appeals: postmarked within ten days from the date "
           "the determination was mailed. No text that moves the last day off a Saturday was found, so it "
           "stays."),
    _stays("MA", "claim_filed", 10,
           "To confirm: G.L. c. 151A § 38, request for separation and wage information; ten days from "
           "mailing are taken from general knowledge.", confirmed=False),
    _stays("MA", "charge_statement", 10,
           "To confirm: no period for protesting a charge statement was found; the ten days of G.L. c. 151A "
           "§ 39(b), the shortest there, are taken.", confirmed=False),
    _stays("MA", "hearing", 30,
           "G.L. c. 151A § 40 and the Board of Review's questions and answers: application for review "
           "within 30 days of the date the decision was mailed, without extension."),
)

_MICHIGAN = (
    _rolls("MI", "determination", 30,
           "MCL 421.32a and michigan.gov: the protest must be received within 30 days of the mail date; a "
           "last day on a weekend or non-work day moves to the next work day."),
    _stays("MI", "claim_filed", 10,
           "To confirm: Request for Information Relative to Possible Ineligibility or Disqualification (UIA "
           "1713); 10 days from mailing are taken from general knowledge.", confirmed=False),
    _rolls("MI", "charge_statement", 30,
           "To confirm: the weekly list of benefits charged (UIA 1136) is taken to be protested like a "
           "determination, within 30 days of the mail date.", confirmed=False),
    _rolls("MI", "hearing", 30,
           "To confirm: MCL 421.33 and 421.34, appeal from an administrative law judge's decision; 30 days "
           "from mailing are taken from general knowledge.", confirmed=False),
)

_WASHINGTON = (
    _rolls("WA", "determination", 30,
           "To confirm: RCW 50.32.020, appeal within thirty days after mailing, taken from general "
           "knowledge; RCW 1.12.040 leaves out a last day on a weekend or holiday.", confirmed=False),
    _stays("WA", "claim_filed", 10,
           "To confirm: WAC 192-130-060, reply to a request for separation information; 10 days from "
           "mailing are taken from general knowledge.", confirmed=False),
    _rolls("WA", "charge_statement", 30,
           "RCW 50.29.070(2): review of benefit charges within thirty days of the mailing of the notice; "
           "RCW 1.12.040."),
    _rolls("WA", "hearing", 30,
           "RCW 50.32.070: petition for review by the commissioner within thirty days of mailing; RCW "
           "1.12.040."),
)

_GEORGIA = (
    _rolls("GA", "determination", 15,
           "O.C.G.A. § 34-8-220: appeal within 15 days after mailing; a last day on a weekend or state "
           "holiday moves to the next work day."),
    _stays("GA", "claim_filed", 15,
           "To confirm: Georgia Department of Labor, notice of claim filed and request for separation "
           "information; 15 days from mailing are taken from general knowledge.", confirmed=False),
    _rolls("GA", "charge_statement", 15,
           "To confirm: O.C.G.A. § 34-8-157, protest of benefit charges; 15 days from mailing, as for "
           "determinations, are taken.", confirmed=False),
    _rolls("GA", "hearing", 15,
           "O.C.G.A. § 34-8-221: appeal to the Board of Review within 15 days after the decision was "
           "mailed."),
)

RULES: Final[dict[tuple[str, NoticeType], Rule]] = {
    (rule.state, rule.type): rule
    for rules in (_NEW_YORK, _PENNSYLVANIA, _CALIFORNIA, _TEXAS, _FLORIDA, _OHIO, _ILLINOIS, _NEW_JERSEY,
                  _MASSACHUSETTS, _MICHIGAN, _WASHINGTON, _GEORGIA)
    for rule in rules
}
"""(state, type) to rule; every state here has a rule for each of `NOTICE_TYPES`."""

DEADLINE_STATES: Final[tuple[str, ...]] = tuple(sorted({state for state, _ in RULES}))
"""The states that the engine computes deadlines for."""
