import { codedValues } from './coded-values.ts';
import { pythonAnswers } from './python-answers.ts';
import { pythonInside } from './python-inside.ts';
import { pythonProcesses } from './python-processes.ts';
import { standingChance } from './standing-chance.ts';

/**
 * Runs a Python program on inputs, each in a process of its own, and prints each result as a line of JSON. It
 * receives inputs alone. The sandbox never contains the expected results, so whatever a program does there
 * can only change its answers.
 */
export const pythonHarness = String.raw`
import atexit, builtins, collections.abc, linecache, os, signal, sys, tempfile, time, traceback, types
from json import dumps, loads

# What programs put into Python's own module is not what these functions find.
__builtins__ = dict(vars(builtins))
${standingChance}${codedValues}${pythonAnswers}${pythonProcesses}${pythonInside}
NAME = "program.py"
CAN_FORK = hasattr(os, "fork") and sys.platform not in ("emscripten", "wasi")

def attempt(job, codes, test):
    """What the program answers: runs in a process of its own where there can be one."""
    try:
        stand_still()
        module = types.ModuleType("__main__" if job["form"] == "lines" else "program")
        module.__file__ = NAME
        sys.modules[module.__name__] = module
        space = module.__dict__
        space["__builtins__"] = builtins
        left = None
        try:
            for code in codes:
                exec(code, space)
        except SystemExit as error:
            if job["form"] != "lines":
                return {"end": "error", "text": "the program left before it could be called"}
            left = error.code
        if job["form"] == "lines":
            leave(space)
            return {"end": "printed"} if left is None or (isinstance(left, int) and left % 256 == 0) else {"end": "error", "text": "the program left with %s" % (left,)}
        function = space.get(job["name"])
        if function is None and isinstance(space.get("Solution"), type):
            function = getattr(space["Solution"](), job["name"], None)
        if not callable(function):
            return {"end": "missing"}
        return answer_of(job, function, test["given"])
    except SystemExit:
        return {"end": "error", "text": "the program left instead of returning"}
    except MemoryError:
        return {"end": "memory"}
    except Left:
        raise
    except BaseException as error:
        try:
            result = {"end": "error", "text": brief(error)}
            if job["isCoded"] and isinstance(error, Exception):
                result["raised"] = raised(error)
            return result
        except BaseException:
            return {"end": "error", "text": "it failed"}

def leave(space):
    """What Python does when a program has come to its end: threads are waited for, what was to be done at the end is done, and files are written."""
    threading = sys.modules.get("threading")
    if CAN_FORK and threading is not None:
        threading._shutdown()
    atexit._run_exitfuncs()
    flush()
    space.clear()

def flush():
    for stream in (sys.stdout, sys.__stdout__):
        try:
            stream.flush()
        except BaseException:
            pass

def text_of(file, limit):
    file.flush()
    file.seek(0)
    data = file.read(limit + 1)
    return data[:limit].decode("utf-8", "replace"), len(data) > limit

def main():
    digits()
    job = loads(sys.stdin.read(), object_hook=number)
    sys.stdout.write(job["mark"] + "\n")
    sys.stdout.flush()
    def tell(at, result):
        sys.stdout.write("\n" + job["mark"] + dumps({"at": at, **result}) + "\n")
        sys.stdout.flush()
    try:
        codes = [compile(job["preamble"], "preamble.py", "exec", dont_inherit=True), compile(job["program"], NAME, "exec", dont_inherit=True)]
    except BaseException as error:
        tell(-1, {"end": "unreadable", "text": "\n".join(line.rstrip("\n") for line in traceback.format_exception_only(type(error), error)[-4:])})
        return
    if CAN_FORK and job["preamble"]:
        try:
            exec(codes[0], {"__name__": "preamble"})  # loads its modules once, not once in each process
        except BaseException:
            pass
    linecache.cache[NAME] = (len(job["program"]), None, job["program"].splitlines(True), NAME)
    for at, test in enumerate(job["tests"]):
        result = forked(job, codes, test) if CAN_FORK else inside(job, codes, test)
        tell(at, result)
        if result["end"] == "time":
            break

main()
`;
