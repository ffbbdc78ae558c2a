"""The lab process: `python -m feltworks.lab.process` answers questions for a house that is served (`web.lab`).

A question is a line of JSON on standard input, and its answer a line on standard output. It gives way to the process
that deals, and ends with it: as soon as nobody can ask any more, in the midst of an answer too.
"""

import logging
import os
import sys
import threading
import traceback
from queue import SimpleQueue
from typing import BinaryIO

import msgspec

from feltworks.kit.questions import Answer, Failed, Mistake, Question
from feltworks.lab.live_answers import answer

NICE = 19
"""Whatever else wants the processor goes first."""

_log = logging.getLogger(__name__)
_decoder = msgspec.json.Decoder(Question)
_encode = msgspec.json.Encoder().encode


def answered(line: bytes, *, counts: bool) -> Answer:
    """The answer to a line, whatever is in it."""
    try:
        return answer(_decoder.decode(line), counts=counts)
    except msgspec.DecodeError as wrong:
        return Mistake(f"This is not a question: {wrong}.")
    except Exception as fault:
        place = traceback.extract_tb(fault.__traceback__)[-1]
        # Not what it says: there may be cards in it that only one seat knows.
        _log.error("%s at %s:%s; a question is not answered.", type(fault).__name__, place.filename, place.lineno)
        return Failed()


def read(questions: BinaryIO, waiting: "SimpleQueue[bytes]") -> None:
    """Hand on what is asked; the end of it is the end of the process."""
    for line in questions:
        waiting.put(line)
    os._exit(0)


def serve(questions: BinaryIO, answers: BinaryIO, *, counts: bool) -> None:
    waiting: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=read, args=(questions, waiting), daemon=True).start()
    while True:
        line = waiting.get()
        answers.write(_encode(answered(line, counts=counts)) + b"\n")
        answers.flush()


def main() -> None:
    os.nice(NICE)
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed is no answer
    serve(sys.stdin.buffer, answers, counts="counts" in sys.argv[1:])


if __name__ == "__main__":
    main()
