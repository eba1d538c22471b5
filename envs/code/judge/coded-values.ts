/**
 * Python source that encodes Python values as JSON, for scripts and programs that run in different places.
 * Values without a JSON form become objects with one key, the name of the class. Built-in exceptions are
 * encoded too.
 */
export const codedValues = String.raw`
import builtins, collections

CLASSES = (type(None), bool, str, int, float, complex, bytes, bytearray, list, tuple, set, frozenset, dict, range, collections.deque, type({}.keys()), type({}.values()), type({}.items()))
VIEWS = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}
ERRORS = {kind.__name__: kind for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, Exception)}

def encode(value, class_of, other):
    """The value as JSON. What is of none of the classes that go across, by class_of, is left to other."""
    found = class_of(value)
    if found in (type(None), bool, str):
        return value
    if found is int:
        return int(value) if abs(value) < 2 ** 53 else {"int": "%x" % int(value)}
    if found is float:
        return {"float": repr(float(value))}
    if found is complex:
        return {"complex": [repr(value.real), repr(value.imag)]}
    if found in (bytes, bytearray):
        return {"bytes": list(value)}
    if found is range:
        return {"range": [encode(each, class_of, other) for each in (value.start, value.stop, value.step)]}
    if found is dict:
        return {"dict": [[encode(key, class_of, other), encode(item, class_of, other)] for key, item in value.items()]}
    if found not in CLASSES:
        return other(value)
    items = [encode(item, class_of, other) for item in value]
    if found is list:
        return items
    if found in (set, frozenset):
        return {found.__name__: sorted(items, key=repr)}
    if found is collections.deque:
        return {"deque": [items, value.maxlen]}
    return {VIEWS.get(found) or found.__name__: items}

def decode(value):
    """What encode wrote."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    (kind, inner), = value.items()
    if kind == "float":
        return float(inner)
    if kind == "int":
        return int(inner, 16)
    if kind == "complex":
        return complex(*map(float, inner))
    if kind == "bytes":
        return bytes(inner)
    if kind == "deque":
        return collections.deque(decode(inner[0]), inner[1])
    if kind == "iterator":
        return again(*inner)
    items = decode(inner)
    if kind == "range":
        return range(*items)
    if kind == "keys":
        return dict.fromkeys(items).keys()
    if kind == "values":
        return dict(enumerate(items)).values()
    made = {"tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict, "items": dict}[kind](items)
    return made.items() if kind == "items" else made

def again(items, end):
    """The items that a generator gave, and then what it raised."""
    for item in items:
        yield decode(item)
    if end is not None:
        raise error_of(end)

def error_of(raised):
    """The exception that a program raised, or the nearest of Python's own; one that cannot be made again is a RuntimeError."""
    try:
        error = ERRORS[raised["type"]](*decode(raised["args"]))
    except Exception:
        error = RuntimeError(raised["text"])
    error.told = raised["text"]
    return error
`;
