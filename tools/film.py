"""Films a page frame by frame. Time stands still while a frame is taken, so that each film is as smooth as any other,
however busy the machine is, and the same each time it is made."""

import io
import json
import math
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Locator, WebSocket

from tests.browser.people import Person

FRAME = 40
"""Milliseconds."""

# What moves of itself has its own time in a browser: it is stopped as soon as it begins, and led on by the frame. The
# answer is whether anything may look different since the last frame.
LEAD = """
(ms) => {
  if (!window.led) {
    window.led = new Map();
    const all = { attributes: true, characterData: true, childList: true, subtree: true };
    new MutationObserver(() => (window.changed = true)).observe(document, all);
  }
  const moves = document.getAnimations();
  for (const move of moves) {
    const end = move.effect.getComputedTiming().endTime;
    const at = led.has(move) ? led.get(move) + ms : 0;
    led.set(move, at);
    move.pause();
    if (at < end) move.currentTime = at;
    else move.finish();
  }
  const different = moves.length > 0 || window.changed;
  window.changed = false;
  return different;
}
"""
POINTER = ((0, 0), (0, 16.5), (3.9, 12.9), (6.5, 18.8), (9.1, 17.7), (6.6, 11.9), (11.9, 11.9))


class Film:
    """A person's screen from now on, with the pointer that a screen has and a picture of it lacks."""

    def __init__(self, person: Person, now: int) -> None:
        self.person, self.page = person, person.page
        self.elapsed = 0
        self.frames: list[Image.Image] = []
        self.pointer = (person.screen.width * 0.62, person.screen.height * 0.74)
        self._pressed = False
        self._version = 0
        self._taken: tuple[tuple[float, float], bool] | None = None
        self.page.on("websocket", self._listen)
        self.page.clock.install(time=now)

    def _listen(self, socket: WebSocket) -> None:
        def hear(frame: str | bytes) -> None:
            view = json.loads(frame).get("view")
            self._version = view["version"] if view else self._version

        socket.on("framereceived", hear)

    def start(self, at: int) -> None:
        """From here on time passes only frame by frame."""
        self.page.evaluate("document.fonts.ready")
        self.page.clock.pause_at(at)
        self.page.mouse.move(*self.pointer)

    def sees(self, version: int) -> None:
        """Wait until the page knows the table as it is in this version."""
        while self._version < version:
            self.page.wait_for_timeout(10)
        self.page.wait_for_timeout(100)  # it has the message, and has taken it in

    def roll(self, ms: int) -> None:
        """So much time passes."""
        for _ in range(ms // FRAME):
            self._next()

    def press(self, what: Locator, ms: int = 360) -> None:
        """Go to something with the pointer, and click on it."""
        box = what.bounding_box()
        assert box is not None
        (x, y), (to_x, to_y) = self.pointer, (box["x"] + box["width"] * 0.56, box["y"] + box["height"] * 0.6)
        for share in _eased(ms // FRAME):
            self.pointer = (x + (to_x - x) * share, y + (to_y - y) * share)
            self.page.mouse.move(*self.pointer)
            self._next()
        self.roll(2 * FRAME)
        self._pressed = True
        self.page.mouse.down()
        self.roll(2 * FRAME)
        self._pressed = False
        self.page.mouse.up()

    def _next(self) -> None:
        self.page.clock.run_for(FRAME)
        self.elapsed += FRAME
        changed = self.page.evaluate(LEAD, FRAME)
        if changed or self._taken != (self.pointer, self._pressed):
            picture = Image.open(io.BytesIO(self.page.screenshot(caret="hide"))).convert("RGB")
            self.frames.append(_with_pointer(picture, self.pointer, self._pressed))
            self._taken = self.pointer, self._pressed
        else:
            self.frames.append(self.frames[-1])

    def save(self, path: Path) -> None:
        """Write it as a picture that moves for ever; what does not change for a while is one frame."""
        shots, lengths = [self.frames[0]], [FRAME]
        for frame in self.frames[1:]:
            if frame is shots[-1] or frame.tobytes() == shots[-1].tobytes():
                lengths[-1] += FRAME
            else:
                shots.append(frame)
                lengths.append(FRAME)
        first, *others = shots
        first.save(
            path,
            save_all=True,
            append_images=others,
            duration=lengths,
            loop=0,
            quality=85,
            method=4,
            minimize_size=True,
        )


def _eased(steps: int) -> Iterator[float]:
    """The shares of a way after each step: slow at both ends."""
    return ((1 - math.cos(math.pi * step / steps)) / 2 for step in range(1, steps + 1))


def _with_pointer(picture: Image.Image, at: tuple[float, float], pressed: bool) -> Image.Image:
    """An arrow, drawn eight times as large and made smaller, because its edges are smooth then."""
    fine, size, edge = 8, 40, 2
    drawn = Image.new("RGBA", (size * fine, size * fine))
    by = 1.5 if pressed else 1.7
    corners = [((x * by + edge) * fine, (y * by + edge) * fine) for x, y in POINTER]
    ImageDraw.Draw(drawn).polygon(corners, fill="white", outline="black", width=edge * fine)
    arrow = drawn.resize((size, size), Image.Resampling.LANCZOS)
    picture.paste(arrow, (round(at[0]) - edge, round(at[1]) - edge), arrow)
    return picture
