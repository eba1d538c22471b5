import { standingChance } from './standing-chance.ts';

/**
 * Runs a Python program on inputs, one process of its own each, and writes down what came of each as a line of JSON. It is given inputs
 * alone: what is right is nowhere in the sandbox, so that nothing a program does to it can be more than an answer.
 */
export const pythonHarness = String.raw`
import atexit, io, json, linecache, os, signal, sys, tempfile, time, traceback, types
${standingChance}
NAME = "program.py"
CAN_FORK = hasattr(os, "fork") and sys.platform not in ("emscripten", "wasi")

# An answer may be a longer number than Python would print.
MOST_DIGITS = 100000

def digits(most=None):
    """Whole numbers of so many digits may be read and written; left out, as many as Python has it."""
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(sys.int_info.default_max_str_digits if most is None else most)

def brief(error):
    lines = []
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == NAME]
    for frame in frames[-6:]:
        lines.append("line %s, in %s: %s" % (frame.lineno, frame.name, frame.line))
    lines.extend(line.rstrip("\n") for line in traceback.format_exception_only(type(error), error)[-4:])
    return "\n".join(lines)

def plain(value):
    """The value as JSON has it, whole numbers that others would round as texts; what is no plain data raises."""
    return exact(json.loads(json.dumps(value, allow_nan=False)))

def exact(value):
    if type(value) is int and abs(value) >= 2 ** 53:
        return {"#int": str(value)}
    if type(value) is list:
        return [exact(item) for item in value]
    return {key: exact(item) for key, item in value.items()} if type(value) is dict else value

def number(found):
    if len(found) == 1:
        for kind, make in (("#int", int), ("#float", float)):
            if kind in found:
                return make(found[kind])
    return found

def attempt(job, code, test):
    """What the program answers: runs in a process of its own where there can be one."""
    try:
        stand_still()
        module = types.ModuleType("__main__" if job["form"] == "lines" else "program")
        module.__file__ = NAME
        sys.modules[module.__name__] = module
        space = module.__dict__
        left = None
        try:
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
        value = function(*test["given"])
        try:
            digits(MOST_DIGITS)
            return {"end": "value", "value": plain(value)}
        except (TypeError, ValueError, RecursionError):
            return {"end": "error", "text": "it returned a %s that is no plain data" % type(value).__name__}
    except SystemExit:
        return {"end": "error", "text": "the program left instead of returning"}
    except MemoryError:
        return {"end": "memory"}
    except BaseException as error:
        try:
            return {"end": "error", "text": brief(error)}
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

def forked(job, code, test):
    limit = job["outputBytes"]
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as answer:
        given.write(test["given"].encode() if job["form"] == "lines" else b"")
        given.flush()
        os.lseek(given.fileno(), 0, os.SEEK_SET)
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            try:
                os.setsid()
                keep = os.dup(answer.fileno())
                os.dup2(given.fileno(), 0)
                os.dup2(printed.fileno(), 1)
                os.dup2(said.fileno(), 2)
                sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", errors="replace", closefd=False)
                sys.stdout = sys.__stdout__ = open(1, "w", encoding="utf-8", errors="replace", closefd=False)
                sys.stderr = sys.__stderr__ = open(2, "w", encoding="utf-8", errors="replace", closefd=False)
                result = json.dumps(attempt(job, code, test)).encode()
                flush()
                while result:
                    result = result[os.write(keep, result):]
            finally:
                os._exit(0)
        status, late = wait(child, job["ms"] / 1000, job["clockMs"] / 1000)
        try:
            os.killpg(child, signal.SIGKILL)
        except OSError:
            pass
        output, flooded = text_of(printed, limit)
        errors, _ = text_of(said, 2000)
        found, cut = text_of(answer, 16 * limit + 4096)
    if late:
        return {"end": "time", "printed": output}
    if cut:
        return {"end": "error", "text": "its answer is too long", "printed": output}
    if flooded:
        return {"end": "output", "printed": output}
    try:
        result = json.loads(found)
        if not isinstance(result, dict):
            raise ValueError
    except ValueError:
        if job["form"] == "lines" and os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            result = {"end": "printed"}
        else:
            result = {"end": "error", "text": errors.strip() or ending(status)}
    result["printed"] = output
    return result

def ending(status):
    return "it was ended by signal %d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else "the program left with %d" % os.WEXITSTATUS(status)

def wait(child, seconds, most):
    """Until the process has ended, has computed for longer than it may, itself and children that it waited for, or took too long by the clock."""
    until = time.monotonic() + most
    pause = 0.0005
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            return status, usage.ru_utime + usage.ru_stime > seconds
        if time.monotonic() > until or computed(child) > seconds:
            for kill in (os.killpg, os.kill):
                try:
                    kill(child, signal.SIGKILL)
                except OSError:
                    pass
            return os.waitpid(child, 0)[1], True
        time.sleep(pause)
        pause = min(pause * 2, 0.01)

def computed(child):
    """Seconds of processor time of a process, by the clock that Linux keeps for it; none where there is no such clock."""
    try:
        return time.clock_gettime((~child << 3) | 2)
    except OSError:
        return 0

class Printed(io.BytesIO):
    def close(self):
        """A program may close what it prints to, and what it printed stays."""

def inside(job, code, test):
    """Without processes: in this one, which the sandbox stops where it does not end."""
    kept = sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__, sys.modules["__main__"]
    printed = Printed()
    words = {"encoding": "utf-8", "errors": "replace", "newline": "\n"}
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BytesIO(test["given"].encode() if job["form"] == "lines" else b""), **words)
    sys.stdout = sys.__stdout__ = sys.stderr = sys.__stderr__ = io.TextIOWrapper(printed, write_through=True, **words)
    try:
        result = attempt(job, code, test)
        flush()
    finally:
        sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__, sys.modules["__main__"] = kept
        digits()
    output = printed.getvalue()
    if len(output) > job["outputBytes"]:
        result = {"end": "output"}
    result["printed"] = output[:job["outputBytes"]].decode("utf-8", "replace")
    return result

def main():
    digits(0)
    job = json.loads(sys.stdin.read(), object_hook=number)
    digits()
    sys.stdout.write(job["mark"] + "\n")
    sys.stdout.flush()
    def tell(at, result):
        sys.stdout.write("\n" + job["mark"] + json.dumps({"at": at, **result}) + "\n")
        sys.stdout.flush()
    try:
        code = compile(job["program"], NAME, "exec")
    except BaseException as error:
        tell(-1, {"end": "unreadable", "text": "\n".join(line.rstrip("\n") for line in traceback.format_exception_only(type(error), error)[-4:])})
        return
    linecache.cache[NAME] = (len(job["program"]), None, job["program"].splitlines(True), NAME)
    late = 0
    for at, test in enumerate(job["tests"]):
        result = {"end": "not run"} if late >= job["mostLate"] else forked(job, code, test) if CAN_FORK else inside(job, code, test)
        late += result["end"] == "time"
        tell(at, result)

main()
`;
