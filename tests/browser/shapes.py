"""Where things lie on the screen: their outlines as polygons, and which of them cover each other."""

from dataclasses import dataclass
from itertools import combinations, product
from math import hypot
from typing import Any

from playwright.sync_api import Page

Point = tuple[float, float]

# The things of the page by what they are; a point between numbers lies among them on purpose. A kind of the felt that
# is not found is an error of the test: it was renamed.
KINDS = {
    "card": ".felt .card > rect:first-child",
    "spot": ".felt :not(.between) > .spot .outline",
    "plate": ".felt .plate rect",
    "place": ".felt .place",
    "shoe": ".felt .box, .felt .rack",
    "legend": ".felt .legend textPath",
    "line": ".felt .legend.line, .felt .legend.two",
    "sign": ".felt .sign rect",
    "title": ".felt .spot-title, .felt .spot-limits",
    "print": ".felt .place-label, .felt .spot-short, .felt .section-title, .felt .number",
    "dice": ".felt .die-top",
    "thing": ".felt .cup-body, .felt .marker rect",
    "figure": ".felt .total rect, .felt .tag rect",
    "chip of another": ".felt .other circle",
    "tag": ".felt :not(.insured, .between *) > .tag rect",
    "points": ".felt .points rect",
    "insured": ".felt .insured rect, .felt .insured .edge",
    "control": "button, a, input, select, :not(.between) > [role=button], [role=tab], [role=radio]",
    "touch": "button, a, input, select, :not(.between) > [role=button], [role=tab], [role=radio]",
    "region": ".head, .strip, .felt, .notice, .rail",
    "text": ".head h1, .head p, .notice strong, .notice .lines, .rail dt, .rail dd, .tile > span",
    "badge": ".badge",
    "seat": ".tile",
}

# Every shape of a kind with its corners on the screen. A text along an arc is its letters, one by one.
LOOK = """
(kinds) => {
  const seen = (element) => {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return style.visibility !== "hidden" && style.display !== "none" && box.width > 1 && box.height > 1
      && !element.closest(".unseen, .skip") && style.clipPath === "none";
  };
  const corners = ({ x, y, width, height }, matrix) =>
    [[x, y], [x + width, y], [x + width, y + height], [x, y + height]].map(([a, b]) => {
      const at = matrix ? new DOMPoint(a, b).matrixTransform(matrix) : { x: a, y: b };
      return [at.x, at.y];
    });
  const round = ({ cx, cy, r }, matrix) =>
    Array.from({ length: 24 }, (_, i) => {
      const angle = (i / 24) * 2 * Math.PI;
      const [x, y, radius] = [cx, cy, r].map((length) => length.baseVal.value);
      const at = new DOMPoint(x + radius * Math.cos(angle), y + radius * Math.sin(angle)).matrixTransform(matrix);
      return [at.x, at.y];
    });
  const along = (path) =>
    Array.from({ length: 48 }, (_, i) => {
      const at = path.getPointAtLength((i / 48) * path.getTotalLength()).matrixTransform(path.getScreenCTM());
      return [at.x, at.y];
    });
  // Of a letter the middle of its box: the box has room above and below for the tallest ones.
  const inner = ({ x, y, width, height }) => ({ x, y: y + height * 0.25, width, height: height * 0.55 });
  const letters = (text) => {
    const whole = text.closest("text");
    return Array.from({ length: whole.getNumberOfChars() }, (_, i) => {
      const [at, turn, matrix] = [whole.getStartPositionOfChar(i), whole.getRotationOfChar(i), whole.getScreenCTM()];
      const size = parseFloat(getComputedStyle(whole).fontSize);
      const box = { x: 0, y: -size * 0.7, width: whole.getSubStringLength(i, 1), height: size * 0.7 };
      return corners(box, matrix.translate(at.x, at.y).rotate(turn));
    });
  };
  const name = (element) =>
    (element.getAttribute("aria-label") ?? element.closest("[aria-label]:not(.felt)")?.getAttribute("aria-label")
      ?? "") + " " + (element.textContent || element.parentElement.textContent).trim().slice(0, 40);
  // What a finger may touch of a control: some reach beyond what is seen of them.
  const reach = (element) =>
    getComputedStyle(element, "::after").position === "absolute" ? element.closest(".where") : element;
  const shapes = [];
  for (const [kind, selector] of Object.entries(kinds)) {
    for (const element of document.querySelectorAll(selector)) {
      if (!seen(element)) continue;
      const group = element.closest(".seat, .tile, .rail, .head")?.textContent ?? "";
      const add = (outline) => shapes.push({ kind, name: name(element), group, outline });
      const svg = element.ownerSVGElement;
      if (kind === "legend") letters(element).forEach(add);
      else if (element.tagName === "circle") add(round(element, element.getScreenCTM()));
      else if (element.tagName === "text") add(corners(inner(element.getBBox()), element.getScreenCTM()));
      else if (element.tagName === "path" && element.matches(".outline")) add(along(element));
      else if (kind === "touch" && !svg) add(corners(reach(element).getBoundingClientRect()));
      else if (svg && element.getBBox) {
        const shape = element.tagName === "g" ? (element.querySelector(".outline, rect") ?? element) : element;
        const matrix = shape.getScreenCTM();
        if (shape.matches("path.outline")) add(along(shape));
        else add(shape.tagName === "circle" ? round(shape, matrix) : corners(shape.getBBox(), matrix));
      } else add(corners(element.getBoundingClientRect()));
    }
  }
  return shapes;
}
"""


@dataclass(frozen=True)
class Shape:
    kind: str
    name: str
    group: str
    outline: tuple[Point, ...]

    def __str__(self) -> str:
        xs, ys = zip(*self.outline, strict=True)
        at = f"{min(xs):.0f} to {max(xs):.0f}, {min(ys):.0f} to {max(ys):.0f}"
        return f"{self.kind} {' '.join(self.name.split())!r} ({at})"

    @property
    def left(self) -> float:
        return min(x for x, _ in self.outline)

    @property
    def right(self) -> float:
        return max(x for x, _ in self.outline)

    @property
    def top(self) -> float:
        return min(y for _, y in self.outline)

    @property
    def bottom(self) -> float:
        return max(y for _, y in self.outline)

    def lies_in(self, other: "Shape") -> bool:
        return other.left < self.left and self.right < other.right

    def lies_on(self, width: float, height: float) -> bool:
        """Whether a screen of this size shows all of it."""
        return self.left > -0.5 and self.top > -0.5 and self.right < width + 0.5 and self.bottom < height + 0.5

    def covers(self, other: "Shape", by: float = 3) -> bool:
        """Whether the two have a common part wider than so many pixels, whichever way one looks: corners are round."""
        return all(
            min(max(ours), max(theirs)) - max(min(ours), min(theirs)) > by
            for axis in (*_axes(self), *_axes(other))
            for ours, theirs in [(_along(self, axis), _along(other, axis))]
        )


def _axes(shape: Shape) -> list[Point]:
    """The directions across the sides of a shape."""
    sides = zip(shape.outline, (*shape.outline[1:], shape.outline[0]), strict=True)
    across = [(y2 - y1, x1 - x2) for (x1, y1), (x2, y2) in sides]
    return [(x / hypot(x, y), y / hypot(x, y)) for x, y in across if hypot(x, y) > 0]


def _along(shape: Shape, axis: Point) -> list[float]:
    return [x * axis[0] + y * axis[1] for x, y in shape.outline]


def look(page: Page) -> dict[str, list[Shape]]:
    """Everything that lies on the page now, by its kind."""
    found: list[dict[str, Any]] = page.evaluate(LOOK, KINDS)
    shapes: dict[str, list[Shape]] = {kind: [] for kind in KINDS}
    for shape in found:
        outline = tuple((x, y) for x, y in shape["outline"])
        shapes[shape["kind"]].append(Shape(shape["kind"], shape["name"], shape["group"], outline))
    return shapes


def covered(shapes: dict[str, list[Shape]], *kinds: tuple[str, str], by: float = 3) -> list[str]:
    """The pairs of these kinds that cover each other by more than so many pixels, in words; less than none is a gap."""
    found = []
    for one, other in kinds:
        pairs = combinations(shapes[one], 2) if one == other else product(shapes[one], shapes[other])
        found += [f"{a} covers {b}" for a, b in pairs if a.covers(b, by)]
    return found


# Texts of the page around the felt that are shortened or run out of their box.
CUT = """
() => [...document.querySelectorAll(".head *, .strip *, .rail *")]
  .filter((element) => !element.closest("svg, .unseen") && element.textContent && element.checkVisibility())
  .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    clientWidth && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 3))
  .map((element) => `${element.className || element.tagName} ${element.textContent.trim().slice(0, 50)}`)
"""


def cut(page: Page) -> list[str]:
    """What is written around the felt and cannot be read wholly."""
    found: list[str] = page.evaluate(CUT)
    return found
