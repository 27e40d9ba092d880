"""Mail that the desk sends: through whoever offers `mail.deliver`, in the transaction of its cause."""

from __future__ import annotations

from fakes.core.capabilities import MAIL_DELIVER, MailRefused, NotOffered, OutgoingMail
from fakes.core.world import World
from sites.claims_desk.errors import MailNotTaken
from sites.claims_desk.schema import Tenant


def mail(world: World, tenant: Tenant, to: str, subject: str, text: str) -> str:
    """Hands a message over from the tenant's desk; returns its Message-ID.

    Raises MailNotTaken with the mail system's reason, and leaves nothing of the refused message behind.
    """
    message = OutgoingMail(
        sender=tenant.desk_email,
        sender_name=f"{tenant.name} claims desk",
        to=(to,),
        subject=subject,
        text=text,
    )
    try:
        deliver = world.capability(MAIL_DELIVER)
        with world.tx():
            return deliver(world, message)
    except NotOffered:
        raise MailNotTaken(
            "This world has no mail service, so nothing was sent. Add one to the world."
        ) from None
    except MailRefused as refusal:
        raise MailNotTaken(
            f"The mail to {to} was refused, so nothing was sent: {refusal} Correct the address first."
        ) from None
