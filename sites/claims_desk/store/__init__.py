"""The desk's verbs and reads: all its SQL, no HTTP. A write is one transaction and leaves a line in
`cd_events` (not so logging in, and an upload only when it is confirmed).

`accounts` log-ins · `ledger` uploads, documents, audits · `claims` claims and claimants · `notices` what
agencies mailed · `questionnaires`, `letters`, `chases` what managers are asked · `protests` drafts · `events`
the log · `overview` counts · `reading` pages and joins · `mailing` mail through whoever offers it.
"""

from __future__ import annotations

SERVICE = "claims_desk"
