"""Text that somebody else has written, for a terminal."""


def printable(text: str) -> str:
    """The text on one line, with everything in it that is not seen told by its number. Otherwise what stands in a file
    could move the cursor, and write something else over what is said of it."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
