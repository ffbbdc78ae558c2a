"""Names that people choose for themselves: what may be one, and which two look alike.

A name is shown to everybody at a table. So nobody can take one that cannot be read, that could be taken for another
person's, or that could be taken for the house.
"""

import re
import unicodedata

from feltworks.floor.refusal import Refused

LONGEST = 20
SIGNS = " .'-"
LETTERS = (
    *((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0x17F), (0x1A0, 0x1A1), (0x1AF, 0x1B0), (0x218, 0x21B), (0x1E00, 0x1EFF)),
    *((0x386, 0x3CE), (0x400, 0x4FF), (0x531, 0x587), (0x5D0, 0x5EA), (0x620, 0x64A), (0x10D0, 0x10FA)),
    *((0x3041, 0x3096), (0x30A1, 0x30FC), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3)),
)
"""Of the alphabets whose look-alikes are known below: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Georgian, kana,
Chinese and Korean. Among the others are letters that nobody sees, and whole alphabets that look like Latin."""
FIGURES = "0123456789"

HOUSE_WORDS = frozenset(
    "admin administrator banker cashier casino croupier dealer everybody feltworks guest house inspector manager"
    " moderator nobody official operator owner pitboss robot seat security somebody spectator staff supervisor support"
    " system you".split()
)
"""Who bears such a name could be taken for somebody of the house, or for nobody in particular."""


def _like(latin: str, letters: str) -> dict[int, str]:
    return {ord(letter): latin for letter in letters}


# Letters that look like a Latin one; some do so as capitals only, or look like another one then.
_LOOKS: dict[int, str] = {
    **_like("a", "аαɑ"),
    **_like("b", "вβьЬ"),
    **_like("c", "сςϲ"),
    **_like("d", "đðժ"),
    **_like("e", "еεєэҽә"),
    **_like("f", "ғ"),
    **_like("g", "ց"),
    **_like("h", "нһհћђħ"),
    **_like("j", "јյ"),
    **_like("k", "кκқĸҝ"),
    **_like("l", "i1|іιıłӏוןا丨ー一"),
    **_like("m", "мμ"),
    **_like("n", "пηոռŋ"),
    **_like("o", "0оοøөσօסه口ロ"),
    **_like("p", "рρþքթ"),
    **_like("q", "զգ"),
    **_like("r", "гґ"),
    **_like("s", "ѕ5տ"),
    **_like("t", "тτŧ"),
    **_like("u", "υսиц"),
    **_like("v", "νѵ"),
    **_like("w", "ωшщա"),
    **_like("x", "хχ×"),
    **_like("y", "уγүұ"),
    **_like("z", "ζ2"),
    **_like("3", "зЗ"),
    **_like("ae", "æ"),
    **_like("oe", "œ"),
}
_CAPITALS = {ord(capital): letter for capital, letter in zip("ΗΝΡΥΧΖΜНРСУХВІЈЅ", "hnpyxzmhpcyxbljs", strict=True)}
_CLUSTERS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_IGNORED = re.compile(rf"[{re.escape(SIGNS)}]+")


def chosen(text: str) -> str:
    """A name as it will be shown, or a refusal that says what may be one."""
    name = " ".join(unicodedata.normalize("NFKC", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    if not name:
        raise Refused(f"Choose a name of 1 to {LONGEST} characters.")
    if len(name) > LONGEST:
        raise Refused(f"A name has at most {LONGEST} characters; that one has {len(name):,}.")
    if not all(_may_stand(sign) for sign in name):
        raise Refused("A name has letters, digits and spaces, and the signs . ' - between them.")
    if not any(map(_is_letter, name)):
        raise Refused("A name has at least one letter.")
    if word := _house_word(name):
        raise Refused(f"A name with “{word}” in it could be taken for somebody of the house; choose another.")
    return name


def looks(name: str) -> frozenset[str]:
    """What a name looks like. Two names that share one of these can be taken for each other, however they are
    written: in capitals or not, with accents or without, in letters of one alphabet or of another."""
    return frozenset({_look(name.translate(_CAPITALS)), _look(name)})


def _look(name: str) -> str:
    apart = unicodedata.normalize("NFKD", _IGNORED.sub("", name).casefold())
    found = "".join(sign for sign in apart if not unicodedata.combining(sign)).translate(_LOOKS)
    for cluster, letter in _CLUSTERS:
        found = found.replace(cluster, letter)
    return found


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "L" and any(first <= ord(sign) <= last for first, last in LETTERS)


def _may_stand(sign: str) -> bool:
    return sign in SIGNS or sign in FIGURES or _is_letter(sign)


def _house_word(name: str) -> str:
    """The word of the house that is one of its words, also with a number after it or with blanks between."""
    words = {**{word: word for word in _IGNORED.split(name)}, _IGNORED.sub("", name): name}
    found = (said for word, said in words.items() if _HOUSE_LOOKS & (looks(word) | looks(word.rstrip(FIGURES))))
    return next(found, "")


_HOUSE_LOOKS = frozenset(look for word in HOUSE_WORDS for look in looks(word))
