"""The closed set of types that a declaration may use, read from its annotations."""

from typing import Any, Literal, Union, get_args, get_origin

from codetools.core.arg import Annotated, Arg
from codetools.core.path import Path
from codetools.core.record import MISSING, Record

NO_ARG = Arg("")
_SCALARS: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", Path: "path"}


class Shape(Record):
    """One type: `kind` is string, integer, number, boolean, path, choice, list, record, object or any."""

    kind: str
    optional: bool = False
    items: Any = None  # Shape of a list's items
    choices: tuple[str, ...] = ()
    record: Any = None  # Record subclass


class Json:
    """A type for results only: somebody else's JSON value, whatever it is."""


class Field(Record):
    """One declared field; `default` is `MISSING` where the caller must give it."""

    name: str
    shape: Shape
    arg: Arg
    default: Any

    @property
    def is_required(self) -> bool:
        """Whether the field has no default."""
        return self.default is MISSING


_known: dict[type[Record], tuple[Field, ...]] = {}


def fields_of(record: type[Record]) -> tuple[Field, ...]:
    """Return the fields of a Record in order of declaration; raise TypeError for a type outside the closed set."""
    found = _known.get(record)
    if found is None:
        found = _known[record] = tuple(_field(record, name, kind) for name, kind in record.record_fields.items())
    return found


def _field(record: type[Record], name: str, annotation: Any) -> Field:
    arg = NO_ARG
    if isinstance(annotation, Annotated):  # type: ignore[arg-type]  # a class of ours, whatever mypy takes it for
        annotation, arg = annotation.type, annotation.arg
    try:
        shape = shape_of(annotation)
    except TypeError as error:
        raise TypeError(f"{record.__module__}.{record.__name__}.{name}: {error}") from None
    return Field(name, shape, arg, getattr(record, name, MISSING))


def shape_of(annotation: Any) -> Shape:
    """Return the shape of one annotation; raise TypeError for a type outside the closed set."""
    if annotation in _SCALARS:
        return Shape(_SCALARS[annotation])
    if annotation == dict[str, Any]:
        return Shape("object")
    if annotation is Json:
        return Shape("any")
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return Shape("record", record=annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal and all(isinstance(choice, str) for choice in arguments):
        return Shape("choice", choices=arguments)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return Shape("list", items=shape_of(arguments[0]))
    if _is_union(annotation, origin) and len(arguments) == 2 and type(None) in arguments:
        inner = arguments[0] if arguments[1] is type(None) else arguments[1]
        return shape_of(inner).but(optional=True)
    raise TypeError(f"{annotation!r} is not one of str int float bool Path Literal tuple[X, ...] X | None Record")


def _is_union(annotation: Any, origin: Any) -> bool:
    return origin is Union or type(annotation).__name__ == "UnionType"
