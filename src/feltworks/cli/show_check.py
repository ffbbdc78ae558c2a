"""What `felt check` prints: each mistake with its place, and how far the check went."""

from rich.text import Text

from feltworks.cli.output import console
from feltworks.lab.check import Report


def show(report: Report) -> None:
    screen = console()
    for finding in report.findings:
        screen.print(Text(finding.told), soft_wrap=True)
        if finding.played:
            screen.print(Text(f"  found with {finding.played}", style="dim"), soft_wrap=True)
    for note in report.notes:
        screen.print(Text(note), soft_wrap=True)
    screen.print(Text(_went(report)), soft_wrap=True)


def _went(report: Report) -> str:
    """How much was played, and what came of it."""
    mistakes = len(report.findings)
    said = f"{mistakes} mistake{'s' * (mistakes > 1)}" if mistakes else "nothing wrong was found"
    how = "every course of choices of each deal" if report.every_course else "a sample of the courses of choices"
    return f"{report.title}: {said}. {report.rounds:,} rounds were played, by {how}."
