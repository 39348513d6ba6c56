"""One tool call in a model's response, and its answer, free of any provider's form."""

from typing import Any

from codetools.core.errors import Failure
from codetools.core.outcome import Outcome
from codetools.core.record import Record


class Asked(Record):
    """One call that a model asks for. `wrong` says why its arguments cannot be read; else they are `arguments`.

    `form` is the provider's own name for such a call, where it has several.
    """

    id: str
    name: str
    arguments: Any = None
    wrong: str = ""
    form: str = "function_call"


class Answered(Record):
    """A call and what came of it."""

    asked: Asked
    outcome: Outcome

    @property
    def is_error(self) -> bool:
        """Whether the model should take it for an error: the call failed, or the tool of a server says that it did."""
        return not self.outcome.ok or getattr(self.outcome.data, "is_error", False) is True

    @property
    def text(self) -> str:
        """The text for the model; some providers refuse one that is empty."""
        return self.outcome.text or "(nothing)"

    @property
    def marked_text(self) -> str:
        """The text where the provider has no flag for an error."""
        return f"Error: {self.text}" if self.is_error else self.text


def parsed_arguments(text: Any) -> tuple[Any, str]:
    """Return the arguments that a model wrote as JSON text, or what is wrong with them."""
    import json

    if not isinstance(text, str) or not text.strip():
        return (text or {}), ""
    try:
        return json.loads(text), ""
    except RecursionError:
        return None, "the arguments are nested too deep"
    except ValueError as error:
        return None, f"the arguments are not JSON: {error}"


def a_list(value: Any, where: str) -> list[dict[str, Any]]:
    """Return the objects of a list in a response; raise `usage` where there is something else."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise Failure("usage", f"that is no response of this provider: {where} is not a list of objects.")
    return value


def an_object(value: Any, where: str) -> dict[str, Any]:
    """Return an object in a response; raise `usage` where there is something else."""
    if not isinstance(value, dict):
        raise Failure("usage", f"that is no response of this provider: {where} is not an object.")
    return value


def a_text(value: Any, where: str) -> str:
    """Return a text in a response; raise `usage` where there is something else."""
    if not isinstance(value, str):
        raise Failure("usage", f"that is no response of this provider: {where} is not a text.")
    return value
