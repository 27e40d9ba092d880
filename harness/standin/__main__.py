"""`python -m harness.standin honest|lazy|cheating`: plays the task that its surroundings name.

Exit code 0 when it says that it is done, 1 when its play broke, 2 when it was started otherwise than by a
stand-in recipe.
"""

from __future__ import annotations

import asyncio
import sys

from harness.standin.code import rework
from harness.standin.playing import BEHAVIOURS, play
from harness.standin.stage import NoStage, Stage, say


def main(arguments: list[str]) -> int:
    """Plays; says what it does in lines of JSON."""
    if len(arguments) != 1 or arguments[0] not in BEHAVIOURS:
        print(f"Say how it behaves: {', '.join(BEHAVIOURS)}.", file=sys.stderr)
        return 2
    try:
        stage = Stage.here()
    except NoStage as error:
        print(error, file=sys.stderr)
        return 2
    say("said", f"I am the {arguments[0]} stand-in, on {stage.task_name}.")
    try:
        if stage.is_code:
            rework(stage, arguments[0])
        else:
            asyncio.run(play(stage, arguments[0]))
    except Exception as error:  # a play that breaks is what the attempt is to show
        say("problem", f"{type(error).__name__}: {error}")
        return 1
    say("said", "I am done.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
