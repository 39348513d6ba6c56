"""The frozen value that arguments, results and settings are made of; `dataclasses` costs more than a whole call."""

from typing import Any, ClassVar, Self, dataclass_transform

MISSING: Any = object()


@dataclass_transform(frozen_default=True)
class Record:
    """A frozen value with typed fields, declared like a dataclass.

    Fields are the class's annotations, inherited ones first; class attributes are their defaults. Construction takes
    values by position or name. Annotations must be real types: a module that declares Records does not import
    `annotations` from `__future__`.
    """

    record_fields: ClassVar[dict[str, Any]] = {}
    record_defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = {name: kind for name, kind in cls.__annotations__.items() if not _is_class_variable(kind)}
        for name, kind in own.items():
            if isinstance(kind, str):
                raise TypeError(f"{cls.__name__}.{name}: annotations must be types, not strings")
            if isinstance(cls.__dict__.get(name), list | dict | set):
                raise TypeError(f"{cls.__name__}.{name}: a default must be immutable")
        cls.record_fields = {**cls.record_fields, **own}
        cls.record_defaults = {name: getattr(cls, name) for name in cls.record_fields if hasattr(cls, name)}

    def __init__(self, *positional: Any, **named: Any) -> None:
        names, given = self.record_fields, named
        if positional:
            given = dict(zip(names, positional, strict=False)) | named
        values = self.record_defaults | given
        is_whole = len(values) == len(names) and len(given) == len(positional) + len(named)
        if not is_whole or (named and not named.keys() <= names.keys()):
            raise TypeError(_mismatch(type(self).__name__, names, self.record_defaults, positional, named))
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *(self.__dict__[name] for name in self.record_fields)))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self.record_fields)
        return f"{type(self).__name__}({values})"

    def but(self, **changes: Any) -> Self:
        """Return the same value with some fields changed."""
        return type(self)(**{**{name: self.__dict__[name] for name in self.record_fields}, **changes})


def _mismatch(
    record: str, names: dict[str, Any], defaults: dict[str, Any], positional: tuple[Any, ...], named: dict[str, Any]
) -> str:
    """Return what is wrong with values that do not fit."""
    if len(positional) > len(names):
        return f"{record} takes {len(names)} values, not {len(positional)}"
    first = list(names)[: len(positional)]
    for name in named:
        if name not in names or name in first:
            return f"{record} has no field {name!r}, or it is given twice"
    missing = next(name for name in names if name not in {*first, *named, *defaults})
    return f"{record} needs {missing!r}"


def _is_class_variable(kind: Any) -> bool:
    return kind is ClassVar or getattr(kind, "__origin__", None) is ClassVar
