"""The likeliest encoding of a text that is not Unicode; a wrong one would garble it, so few are told apart."""

SNIFFED_BYTES = 1 << 16
LEAST_CHARACTERS = 4
MOST_FOREIGN_SHARE = 0.05
LEAST_KANA_SHARE = 0.2
LEAST_COMMON_SHARE = 0.12
LEAST_COMMON_LETTERS_SHARE = 0.4

_COMMON_HANZI = frozenset("的一是不了在有人我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家")
_COMMON_CYRILLIC = frozenset("оеаинтсрвл")  # more than half of any text


def likeliest(content: bytes) -> str:
    """Return the name of an encoding that has every byte of a text that is not UTF-8.

    Japanese, Chinese (GB18030), Korean and Cyrillic text is known by its own letters; all else counts as Western.
    """
    sample = _sample(content)
    for codec, is_its_own in (
        ("cp932", _is_japanese),
        ("euc_jp", _is_japanese),
        ("gb18030", _is_chinese),
        ("cp949", _is_korean),
        ("cp1251", _is_cyrillic),
        ("koi8-r", _is_cyrillic),
    ):
        text = _decoded(sample, codec)
        if text is not None and is_its_own(text) and _decoded(content, codec) is not None:
            return codec
    return "latin-1" if _decoded(content, "cp1252") is None else "windows-1252"


def _sample(content: bytes) -> bytes:
    """Return the beginning of a text up to a line's end, so that no character is cut."""
    if len(content) <= SNIFFED_BYTES:
        return content
    return content[: content.rfind(b"\n", 0, SNIFFED_BYTES) + 1] or content[:SNIFFED_BYTES]


def _decoded(content: bytes, codec: str) -> str | None:
    try:
        return content.decode(codec)
    except UnicodeDecodeError:
        return None


def _is_japanese(text: str) -> bool:
    letters = [character for character in text if character > "\x7f"]
    kana = sum("\u3041" <= letter <= "\u30fe" for letter in letters)
    known = kana + sum("\u4e00" <= letter <= "\u9fff" or "\u3000" <= letter <= "\u3040" for letter in letters)
    known += sum("\uff01" <= letter <= "\uff5e" for letter in letters)
    return (
        len(letters) >= LEAST_CHARACTERS
        and kana >= LEAST_KANA_SHARE * len(letters)
        and len(letters) - known <= MOST_FOREIGN_SHARE * len(letters)
    )


def _is_chinese(text: str) -> bool:
    letters = [character for character in text if character > "\x7f"]
    hanzi = [letter for letter in letters if "\u4e00" <= letter <= "\u9fff"]
    marks = sum("\u3000" <= letter <= "\u301f" or "\uff01" <= letter <= "\uff5e" for letter in letters)
    return (
        len(hanzi) >= LEAST_CHARACTERS
        and len(letters) - len(hanzi) - marks <= MOST_FOREIGN_SHARE * len(letters)
        and sum(letter in _COMMON_HANZI for letter in hanzi) >= LEAST_COMMON_SHARE * len(hanzi)
    )


def _is_korean(text: str) -> bool:
    letters = [character for character in text if character > "\x7f"]
    hangul = sum("\uac00" <= letter <= "\ud7a3" for letter in letters)
    return len(letters) >= LEAST_CHARACTERS and hangul >= (1 - MOST_FOREIGN_SHARE) * len(letters)


def _is_cyrillic(text: str) -> bool:
    """Whether nearly every letter above ASCII is Cyrillic, in words of their own, with the usual ones in front."""
    letters = [character for character in text if character > "\x7f"]
    own = sum("\u0400" <= letter <= "\u045f" for letter in letters)
    common = sum(letter in _COMMON_CYRILLIC for letter in letters)
    words = [word for word in text.split() if not word.isascii()]
    mixed = sum(any("a" <= character.lower() <= "z" for character in word) for word in words)
    return (
        own >= max(LEAST_CHARACTERS, 2 * len(words))
        and len(letters) - own <= MOST_FOREIGN_SHARE * len(letters)
        and common >= LEAST_COMMON_LETTERS_SHARE * own
        and mixed <= len(words) // 10
    )
