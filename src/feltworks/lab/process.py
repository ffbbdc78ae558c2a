"""The lab process: `python -m feltworks.lab.process` answers questions for a house that is served (`web.lab`).

A question is a line of JSON on standard input, and its answer a line on standard output. It gives way to the process
that deals, and ends with it: as soon as nobody can ask any more, in the midst of an answer too.
"""

import gc
import logging
import os
import sys
import threading
import traceback
from queue import SimpleQueue
from resource import RUSAGE_SELF, getrusage
from typing import BinaryIO

import msgspec

from feltworks.kit.questions import Answer, Failed, Mistake, Question
from feltworks.lab.count_files import write_no_files
from feltworks.lab.live_answers import answer, likely

MOST_MEMORY = 2**30
"""Whatever is asked is remembered somewhere: a process that has grown to so many bytes makes place for another."""
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


def memory() -> int:
    """The bytes that this process has in memory. On Linux the most that `getrusage` tells may be that of the process
    which started this one."""
    try:
        with open("/proc/self/statm", "rb") as numbers:
            return int(numbers.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1_024)


def serve(questions: BinaryIO, answers: BinaryIO, *, counts: bool) -> None:
    waiting: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=read, args=(questions, waiting), daemon=True).start()
    beforehand = likely(counts=counts)
    is_warm = False
    gc.disable()  # nearly all that is made here is kept: what is not, is collected while nobody waits
    while True:
        if waiting.empty() and (question := next(beforehand, None)) is not None:
            answered(_encode(question), counts=counts)
            continue
        if waiting.empty():
            gc.collect()
            if not is_warm:
                gc.freeze()  # from now on, only what is new is looked at
                is_warm = True
        answers.write(_encode(answered(waiting.get(), counts=counts)) + b"\n")
        answers.flush()
        if memory() > MOST_MEMORY:
            os._exit(0)  # whoever has asked meanwhile is answered by the next one


def main() -> None:
    os.nice(NICE)
    write_no_files()
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed is no answer
    serve(sys.stdin.buffer, answers, counts="counts" in sys.argv[1:])


if __name__ == "__main__":
    main()
