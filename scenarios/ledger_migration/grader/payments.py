"""Payments that cases begin with."""

from typing import Any

from scenarios.ledger_migration.grader.oracle import PLACES

ACCOUNTS = ("bank", "landlord", "mill", "shop", "till")


def payment(
    id: str, currency: str, amount: float, fee: float | None = None, tax: float | None = None, **more: Any
) -> dict[str, Any]:
    """One from the shop to the mill, if it isn't said otherwise."""
    made = {"id": id, "booked_on": "2026-03-01", "payer": "shop", "payee": "mill", "currency": currency}
    return made | {"amount": amount, "fee": fee, "tax": tax, "memo": f"No. {id}"} | more


def plain(count: int, first: int = 1) -> list[dict[str, Any]]:
    """Payments in euros, in whole cents, that no way of rounding changes."""
    return [
        payment(f"p{n:02}", "EUR", 10.0 * n + 0.25, 1.5 if n % 2 else None, 0.75 if n % 3 else None)
        for n in range(first, first + count)
    ]


AMOUNTS = {
    "EUR": (0.125, 1.005, 1.015, 2.675, -1.015, -2.675, 0.1 + 0.2, 1e-7, -0.0, 0.0, 45035996273704.97, 8.345),
    "JPY": (1500.0, 0.5, 1.5, 2.5, -3.5, 1e15 + 1.0, 0.49999999999999994),
    "KWD": (12.3455, 0.0005, 0.0015, -0.0025, 1.0005, 7.125, 1.0015, 4.0035),
    "BHD": (-7.0015, 1e-4, 2.0005),
    "USD": (1.115, 1.145, 1.255),
}


def edges() -> list[dict[str, Any]]:
    """Ties, neighbours of ties, zeros, negative and large amounts, in currencies with 0, 2 and 3 digits."""
    made = []
    for currency, amounts in AMOUNTS.items():
        made += [payment(f"{currency}-{n:02}", currency, amount) for n, amount in enumerate(amounts)]
    return made + [
        payment("parts-1", "EUR", 0.005, 0.005, 0.015),
        payment("parts-2", "KWD", 1.0005, 2.0005, 0.0005),
        payment("parts-3", "JPY", 10.5, 0.5, 0.5),
        payment("parts-4", "EUR", -20.0, None, -3.8),
        payment("oneself", "EUR", 12.0, 0.35, None, payee="shop"),
        payment("to-fees", "EUR", 5.0, 1.25, 0.5, payee="fees"),
        payment("from-tax", "EUR", 7.0, 0.25, 0.75, payer="tax"),
    ]


def drawn(rng: Any, count: int = 120) -> list[dict[str, Any]]:
    """By chance, with more digits than the currency has, so that sums of floats and sums of cents part."""
    return [_drawn(rng, f"r{n:03}") for n in range(count)]


def _drawn(rng: Any, id: str) -> dict[str, Any]:
    currency = rng.choice(sorted(PLACES))
    finer = PLACES[currency] + 1
    amount, fee, tax = (rng.randrange(-20000, 200000) / 10**finer for _ in range(3))
    payer, payee = rng.choice(ACCOUNTS), rng.choice(ACCOUNTS)
    return payment(
        id, currency, amount, rng.choice((None, fee)), rng.choice((None, tax)), payer=payer, payee=payee
    )
