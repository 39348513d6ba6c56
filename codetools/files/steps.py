"""Which step makes which staged change: whole directories in one, everything else on its own."""

import os

from codetools.core.record import Record
from codetools.files.content_steps import Create, Modify
from codetools.files.staging import Staged
from codetools.files.step import Step

CONTENT: dict[str, type[Step]] = {"create": Create, "modify": Modify}


class Steps(Record):
    """The steps in the order in which they are made; `of` is the step of each staged change."""

    all: tuple[Step, ...]
    of: tuple[Step, ...]


def make_steps(staged: tuple[Staged, ...], shown: list[str]) -> Steps:
    """Return the steps of staged changes, that errors call `shown`."""
    if all(one.kind in CONTENT for one in staged):  # nearly every call: it loads nothing else
        steps = tuple(CONTENT[one.kind](one, name) for one, name in zip(staged, shown, strict=True))
        return Steps(steps, steps)
    from codetools.files.mixed_steps import mixed_steps

    return Steps(*mixed_steps(staged, shown))


def directories_of(steps: tuple[Step, ...]) -> int:
    """Return in how many directories the steps change names: those are held open."""
    return len({os.path.dirname(place) for step in steps for place in _names(step)})


def _names(step: Step) -> list[str]:
    source = step.staged.source
    return [step.staged.location.reached, *([source.reached] if source is not None else [])]
