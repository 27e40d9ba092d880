"""The claims desk: a site where an employer's operators work on unemployment-insurance claims."""

from __future__ import annotations

from sites.claims_desk.service import service

__all__ = ["service"]
