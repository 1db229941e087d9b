"""What a name is found by: its words, in letters without marks and capitals.

A word is found by its beginning. Chinese and Japanese do not part words, so there each character begins one:
`李明` is found by `李`, `李明` and `明`.
"""

import unicodedata

MOST = 24  # words of a name
LONGEST = 64  # characters of a word
_UNPARTED = ((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))


def plain(text: str) -> str:
    """Text without capitals, accents and other ways to write the same letter."""
    apart = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in apart if unicodedata.category(letter) != "Mn")
    return unicodedata.normalize("NFC", bare.casefold())


def words(text: str) -> tuple[str, ...]:
    """The words of a text as they are searched for, each once, in order."""
    parted = "".join(letter if _is_part(letter) else " " for letter in plain(text))
    return tuple(dict.fromkeys(word[:LONGEST] for word in parted.split()))[:MOST]


def found_by(name: str) -> tuple[str, ...]:
    """Every word by whose beginning a name is found, each once."""
    begun = [word[place:] for word in words(name) for place in range(len(word)) if _begins(word, place)]
    return tuple(dict.fromkeys(begun))[:MOST]


def _is_part(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LNM"


def _begins(word: str, place: int) -> bool:
    """Whether a word begins at a place of this one."""
    return place == 0 or _is_unparted(word[place]) or _is_unparted(word[place - 1])


def _is_unparted(letter: str) -> bool:
    return any(first <= ord(letter) <= last for first, last in _UNPARTED)
