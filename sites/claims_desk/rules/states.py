"""The states (and D.C., Puerto Rico, the Virgin Islands, which run unemployment insurance too) and their
agencies."""

from __future__ import annotations

from typing import Final

from sites.claims_desk.rules.errors import UnknownState

_CODES_AND_NAMES = """
AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware
DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas
KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi
MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York
NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island
SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VI Virgin Islands|VA Virginia
WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming
"""

STATE_NAMES: Final[dict[str, str]] = {
    entry[:2]: entry[3:] for entry in _CODES_AND_NAMES.strip().replace("\n", "|").split("|")
}
"""Two-letter code to name."""

_AGENCIES: Final[dict[str, str]] = {
    "CA": "California Employment Development Department",
    "FL": "Florida Department of Commerce",
    "GA": "Georgia Department of Labor",
    "IL": "Illinois Department of Employment Security",
    "MA": "Massachusetts Department of Unemployment Assistance",
    "MI": "Michigan Unemployment Insurance Agency",
    "NJ": "New Jersey Department of Labor",
    "NY": "New York State Department of Labor",
    "OH": "Ohio Department of Job and Family Services",
    "PA": "Pennsylvania Department of Labor and Industry",
    "TX": "Texas Workforce Commission",
    "WA": "Washington Employment Security Department",
}


def state_name(state: str) -> str:
    """The state's name; raises `UnknownState` for anything but a two-letter code in capitals."""
    try:
        return STATE_NAMES[state]
    except KeyError:
        raise UnknownState(state, STATE_NAMES) from None


def agency_name(state: str) -> str:
    """Who mails the papers there; a plain description where we keep no agency's name."""
    return _AGENCIES.get(state) or f"{state_name(state)} unemployment insurance agency"
