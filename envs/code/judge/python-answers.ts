/**
 * Python source that encodes the results and exceptions of functions as JSON. It is a part of the harness and
 * uses `encode`, `decode` and the rest of `codedValues`.
 */
export const pythonAnswers = String.raw`
# An answer may be a longer number than Python would print.
MOST_DIGITS = 100000
# What is taken of a generator; and so many bytes as a program may print.
MOST_ITEMS = 100000
MOST_PRINTS = 4

def digits(most=0):
    """Whole numbers of so many digits may be read and written; 0: of any number. Pythons before 3.11 have no such limit, and graders lift it."""
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(most)

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

def whole_keys(value):
    """The dictionary with whole numbers for keys, where all of its keys are written so; JSON has texts alone."""
    if type(value) is not dict:
        return value
    try:
        return {int(key): item for key, item in value.items()}
    except ValueError:
        return value

def answer_of(job, function, given):
    """What the function gives: plain data, or as codedValues has it."""
    if job["isCoded"]:
        positional, named = decode(given)
        value = function(*positional, **dict(named))
    else:
        value = function(*(map(whole_keys, given) if job.get("wholeKeys") else given))
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
`;
