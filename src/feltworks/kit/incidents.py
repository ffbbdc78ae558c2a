"""What can go wrong at any table, whatever is played there (F-28). A game adds what its document names."""

MISDEAL = "misdeal"
EXPOSED_CARD = "exposed card"
CARDS_SHORT = "cards short"
NO_SPIN = "no spin"
DEVICE_FAULT = "device fault"

CARDS = "cards"
"""What is out of service when cards are short: they are counted before anything is dealt from them again."""
MOST_OUT_OF_SERVICE = 8
"""So many devices may be out of service at a table; each is looked at before another one is reported."""
LONGEST_NAME = 60


def device_of(text: str) -> str:
    """What a device is called that somebody reports: the first words of what they say."""
    return text.strip()[:LONGEST_NAME].rstrip(" .") or "device"
