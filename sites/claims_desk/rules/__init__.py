"""The desk's rules, pure: no I/O, no clock, no kernel. Dates are `datetime.date`, money is integer cents.

`deadlines` by when to answer · `questionnaires` what to ask · `papers`, `statements`, `quarterly` what
agencies mail · `audit` what was rightly charged · `holidays`, `charging`, `states` the facts beneath ·
`words` how codes are said · `errors` what is refused.
"""

from sites.claims_desk.rules.audit import Audit, AuditedLine, KnownClaim, Mark, audit_statement
from sites.claims_desk.rules.charging import CHARGING, Charging, relieves, weekly_maximum
from sites.claims_desk.rules.deadline_table import DEADLINE_STATES, NOTICE_TYPES, RULES, NoticeType, Rule
from sites.claims_desk.rules.deadlines import Due, compute, disagreement, notice_type, rule_for
from sites.claims_desk.rules.errors import (
    DateOutOfRange,
    DoesNotFit,
    MissingDate,
    NotANotice,
    NotAStatement,
    RulesError,
    UnknownCategory,
    UnknownState,
    UnknownType,
    UnreadablePaper,
)
from sites.claims_desk.rules.holidays import federal_holidays, is_business_day
from sites.claims_desk.rules.money import dollars
from sites.claims_desk.rules.papers import (
    NoticeFacts,
    determination,
    notice,
    paper_type,
    read_notice,
)
from sites.claims_desk.rules.quarterly import (
    HARBORLIGHT_NAME,
    HARBORLIGHT_NY_ACCOUNT,
    Q3_BYTE_SIZE,
    Q3Charge,
    q3_lines,
    q3_statement,
    q3_weeks,
    q3_year,
)
from sites.claims_desk.rules.questionnaires import (
    CATEGORIES,
    Category,
    Kind,
    Question,
    category,
    question_set,
)
from sites.claims_desk.rules.statements import (
    Reason,
    Statement,
    StatementLine,
    charge_statement,
    read_statement,
)
from sites.claims_desk.rules.states import STATE_NAMES, agency_name, state_name
from sites.claims_desk.rules.words import CATEGORY_WORDS, TYPE_WORDS, category_words, state_words, type_words

__all__ = [
    "CATEGORIES",
    "CATEGORY_WORDS",
    "CHARGING",
    "DEADLINE_STATES",
    "HARBORLIGHT_NAME",
    "HARBORLIGHT_NY_ACCOUNT",
    "NOTICE_TYPES",
    "Q3_BYTE_SIZE",
    "RULES",
    "STATE_NAMES",
    "TYPE_WORDS",
    "Audit",
    "AuditedLine",
    "Category",
    "Charging",
    "DateOutOfRange",
    "DoesNotFit",
    "Due",
    "Kind",
    "KnownClaim",
    "MissingDate",
    "NotANotice",
    "NotAStatement",
    "NoticeFacts",
    "NoticeType",
    "Q3Charge",
    "Question",
    "Reason",
    "Rule",
    "RulesError",
    "Statement",
    "StatementLine",
    "UnknownCategory",
    "UnknownState",
    "UnknownType",
    "UnreadablePaper",
    "Mark",
    "agency_name",
    "audit_statement",
    "category",
    "category_words",
    "charge_statement",
    "compute",
    "determination",
    "disagreement",
    "dollars",
    "federal_holidays",
    "is_business_day",
    "notice",
    "notice_type",
    "paper_type",
    "q3_lines",
    "q3_statement",
    "q3_weeks",
    "q3_year",
    "question_set",
    "read_notice",
    "read_statement",
    "relieves",
    "rule_for",
    "state_name",
    "state_words",
    "type_words",
    "weekly_maximum",
]
