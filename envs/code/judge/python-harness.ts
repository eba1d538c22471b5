import { codedValues } from './coded-values.ts';
import { standingChance } from './standing-chance.ts';

/**
 * Runs a Python program on inputs, one process of its own each, and writes down what came of each as a line of JSON. It is given inputs
 * alone: what is right is nowhere in the sandbox, so that nothing a program does to it can be more than an answer.
 */
export const pythonHarness = String.raw`
import atexit, builtins, collections.abc, linecache, os, signal, sys, tempfile, time, traceback, types
from json import dumps, loads

# What programs put into Python's own module is not what these functions find.
__builtins__ = dict(vars(builtins))
${standingChance}${codedValues}
NAME = "program.py"
CAN_FORK = hasattr(os, "fork") and sys.platform not in ("emscripten", "wasi")

# An answer may be a longer number than Python would print.
MOST_DIGITS = 100000
# What is taken of a generator; and so many bytes as a program may print.
MOST_ITEMS = 100000
MOST_PRINTS = 4

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
    return exact(loads(dumps(value, allow_nan=False)))

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

def answer_of(job, function, given):
    """What the function gives: plain data, or as codedValues has it."""
    if job["isCoded"]:
        positional, named = decode(given)
        value = function(*positional, **dict(named))
    else:
        value = function(*given)
    digits(MOST_DIGITS)
    try:
        return {"end": "value", "value": loads(dumps(encode(value, class_of, lambda other: drained(job, other)))) if job["isCoded"] else plain(value)}
    except (TypeError, ValueError, RecursionError):
        return {"end": "error", "text": "it returned a %s that is no plain data" % type(value).__name__}

def class_of(value):
    """The class that goes across: values of classes that a program makes of Python's own are told as those."""
    return next((base for base in type(value).__mro__ if base in CLASSES), object)

def drained(job, value):
    """What a generator gives until it ends, raises, or gave enough, at which who reads on is told."""
    if not isinstance(value, collections.abc.Iterator):
        raise TypeError
    items, room, until = [], MOST_PRINTS * job["outputBytes"], time.process_time() + job["ms"] / 2000
    end = None
    try:
        for item in value:
            if len(items) >= MOST_ITEMS or room < 0 or time.process_time() > until:
                end = {"type": "RuntimeError", "args": [], "text": "no more than %d items were taken of what it gave" % len(items)}
                break
            items.append(encode(item, class_of, lambda other: drained(job, other)))
            room -= len(dumps(items[-1]))
    except Exception as error:
        end = {**raised(error), "text": brief(error)}
    return {"iterator": [items, end]}

def raised(error):
    """The nearest of Python's own exceptions, and what it is made of."""
    kind = next(base.__name__ for base in type(error).__mro__ if ERRORS.get(base.__name__) is base)
    try:
        args = loads(dumps(encode(list(error.args), class_of, lambda other: drained({"outputBytes": 0, "ms": 0}, other))))
    except Exception:
        args = [str(error)]
    return {"type": kind, "args": args}

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

def forked(job, codes, test):
    limit = job["outputBytes"]
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as answer:
        given.write(test["given"].encode() if job["form"] == "lines" else b"")
        given.flush()
        os.lseek(given.fileno(), 0, os.SEEK_SET)
        sys.stdout.flush()
        there = processes()
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
                result = dumps(attempt(job, codes, test)).encode()
                flush()
                while result:
                    result = result[os.write(keep, result):]
            finally:
                os._exit(0)
        status, late = wait(child, there, job["ms"] / 1000, job["clockMs"] / 1000)
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
        result = loads(found)
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

def wait(child, there, seconds, most):
    """Until the process has ended, has computed for longer than it may, with all processes that came since, or took too long by the clock."""
    until = time.monotonic() + most
    pause = 0.0005
    spent = {}
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            return status, max(usage.ru_utime + usage.ru_stime, sum(spent.values())) > seconds
        for process in processes() - there | {child}:
            spent[process] = max(spent.get(process, 0), computed(process))
        if time.monotonic() > until or sum(spent.values()) > seconds:
            for kill in (os.killpg, os.kill):
                try:
                    kill(child, signal.SIGKILL)
                except OSError:
                    pass
            return os.waitpid(child, 0)[1], True
        time.sleep(pause)
        pause = min(pause * 2, 0.01)

def processes():
    """The user's processes, of which in a sandbox there are no others than the harness and what came of the program."""
    found = set()
    try:
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and os.stat("/proc/" + name).st_uid == os.getuid():
                    found.add(int(name))
            except OSError:
                pass
    except OSError:
        pass
    return found

def computed(process):
    """Seconds of processor time of a process, by the clock that Linux keeps for it; none where there is no such clock."""
    try:
        return time.clock_gettime((~process << 3) | 2)
    except OSError:
        return 0

STANDARD = "stdin", "stdout", "stderr"

class Left(BaseException):
    """Stands for the end of a process where there is none of its own."""

def leave_now(code):
    raise Left(code)

def inside(job, codes, test):
    """Without processes: in this one, which the sandbox stops where it does not end. Files stand for its standard streams as long as the test runs."""
    limit = job["outputBytes"]
    names = STANDARD + tuple("__%s__" % name for name in STANDARD)
    kept = [getattr(sys, name) for name in names], sys.modules["__main__"], os._exit
    sys.stdout.flush()
    descriptors = [os.dup(number) for number in range(3)]
    with tempfile.NamedTemporaryFile() as given, tempfile.NamedTemporaryFile() as printed, tempfile.NamedTemporaryFile() as said:
        given.write(test["given"].encode() if job["form"] == "lines" else b"")
        given.flush()
        os.lseek(given.fileno(), 0, os.SEEK_SET)
        try:
            for number, file in enumerate((given, printed, said)):
                os.dup2(file.fileno(), number)
                os.unlink("/dev/" + STANDARD[number])
                os.symlink(file.name, "/dev/" + STANDARD[number])
                stream = open(number, "w" if number > 0 else "r", encoding="utf-8", errors="replace", closefd=False)
                setattr(sys, names[number], stream)
                setattr(sys, names[number + 3], stream)
            os._exit = leave_now
            try:
                result = attempt(job, codes, test)
                flush()
            except Left as left:
                result = {"end": "printed"} if job["form"] == "lines" and left.args[0] == 0 else {"end": "error", "text": "the program left with %s" % left.args}
        finally:
            for name, stream in zip(names, kept[0]):
                setattr(sys, name, stream)
            sys.modules["__main__"], os._exit = kept[1:]
            for number, descriptor in enumerate(descriptors):
                os.dup2(descriptor, number)
                os.close(descriptor)
            digits()
        output, flooded = text_of(printed, limit)
    if flooded:
        result = {"end": "output"}
    result["printed"] = output
    return result

def main():
    digits(0)
    job = loads(sys.stdin.read(), object_hook=number)
    digits()
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
    linecache.cache[NAME] = (len(job["program"]), None, job["program"].splitlines(True), NAME)
    late = 0
    for at, test in enumerate(job["tests"]):
        result = {"end": "not run"} if late >= job["mostLate"] else forked(job, codes, test) if CAN_FORK else inside(job, codes, test)
        late += result["end"] == "time"
        tell(at, result)

main()
`;
