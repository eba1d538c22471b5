import { codedValues } from './coded-values.ts';
import { standingChance } from './standing-chance.ts';

/**
 * Runs Python assertions about a function without the function. Its results are looked up among known
 * answers, and calls without an answer are recorded. So the tests are never where the program is.
 */
export const scriptHarness = String.raw`
import ast, json, signal, sys, traceback
${standingChance}
${codedValues}
def no_data(value):
    raise TypeError("a %s is no plain data" % type(value).__name__)

class Enough(BaseException):
    """A script goes on and on, or asks more and more, perhaps because it has no answers yet."""

class Anything:
    """Stands for an answer that is not known yet, so that what follows it can be asked too. Nothing that is checked after it counts."""
    uses = 0
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return same(self)
    def __call__(self, *given, **named):
        return same(self)
    def __iter__(self):
        return iter(())
    def __len__(self):
        return 0
    def __float__(self):
        return 0.0
    def __int__(self):
        return 0
    def __index__(self):
        return 0
    def __getitem__(self, key):
        return same(self)
    def __hash__(self):
        return 0
def same(self, *others):
    Anything.uses += 1
    if Anything.uses > 100000:
        raise Enough
    return self
def true(self, *others):
    return same(self) is self
for name in "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow neg pos abs round and or xor".split():
    setattr(Anything, "__%s__" % name, same)
for name in "eq ne lt le gt ge bool contains".split():
    setattr(Anything, "__%s__" % name, true)

def stop(number, frame):
    raise Enough

def keep_time(seconds):
    """So many seconds of processor time, and three times that by the clock."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, stop)
        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, 3 * seconds)

def brief(error):
    if isinstance(error, Enough):
        return str(error) or "they did not come to an end"
    if isinstance(getattr(error, "told", None), str):
        return error.told
    return "".join(traceback.format_exception_only(type(error), error)).strip()

def short(value):
    if hasattr(value, "__next__"):
        return "a generator"
    try:
        text = repr(value)
    except ValueError:
        return "a number of many digits"
    return text if len(text) <= 300 else text[:150] + "…" + text[-149:]

def call(name, given, named):
    return "%s(%s)" % (name, ", ".join([short(each) for each in given] + ["%s=%s" % (key, short(each)) for key, each in named.items()]))

class Asserts(ast.NodeTransformer):
    """Each assertion is counted, and the next one is tried after it; one that names nothing, such as assert True, tests nothing. One that is false stands where nobody is to come."""
    guards = 0
    def visit_Assert(self, node):
        if not any(isinstance(part, ast.Name) for part in ast.walk(node.test)):
            self.guards += isinstance(node.test, ast.Constant) and not node.test.value
            return node
        test = ast.Lambda(args=ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]), body=node.test)
        text = ast.Constant(ast.unparse(node.test))
        return ast.copy_location(ast.Expr(ast.Call(func=ast.Name("_check", ast.Load()), args=[test, text], keywords=[])), node)

def calls_in(codes, name, seconds):
    """The calls of the function that these make, whatever becomes of them."""
    keys = set()
    def function(*given, **named):
        keys.add(json.dumps(encode([list(given), named], type, no_data)))
        return Anything()
    for code in codes:
        Anything.uses = 0
        stand_still()
        try:
            keep_time(seconds)
            exec(compile(code, "told.py", "exec"), {"__name__": "tests", name: function, "candidate": function})
        except BaseException:
            pass
        finally:
            keep_time(0)
    return keys

def main():
    job = json.loads(sys.stdin.read())
    print(job["mark"], flush=True)
    told = calls_in(job["told"], job["name"], job["seconds"])
    answers = {json.dumps(key): answer for key, answer in job["answers"]}
    room = job["mostAsked"]
    for number, script in enumerate(job["scripts"]):
        asked, checks, calls = [], [], []
        state = {"known": 0, "missing": None}
        since, is_told = [], False
        Anything.uses = 0
        stand_still()
        def note(error):
            if type(error) is NameError and state["known"] == 0 and not asked:
                state["missing"] = getattr(error, "name", None) or str(error)
        def function(*given, **named):
            nonlocal room
            key = encode([list(given), named], type, no_data)
            text = json.dumps(key)
            since.append(text in told)
            answer = answers.get(text)
            if answer is None:
                room -= len(text)
                if room < 0:
                    raise Enough("what they ask of the program is too long")
                if len(asked) >= job["mostCalls"]:
                    raise Enough
                asked.append(key)
                return Anything()
            if not asked:
                state["known"] += 1
            if "value" in answer:
                if len(calls) < 3:
                    calls.append((given, named, decode(answer["value"])))
                return decode(answer["value"])
            raise error_of({"type": "RuntimeError", "args": [answer["text"]], **answer})
        def tells():
            """Whether all that was asked since the last assertion is told; of one that asks nothing, what holds of the last."""
            nonlocal is_told
            is_told = all(since) if since else is_told
            since.clear()
            return is_told
        def check(test, text):
            calls.clear()
            try:
                right, why = bool(test()), ""
            except Exception as error:
                note(error)
                right, why = False, brief(error)
            came = [] if right else ["%s gave %s" % (call(job["name"], *each[:2]), short(each[2])) for each in calls]
            checks.append({"right": right, "text": text, "why": why, "came": came, "open": len(asked) > 0, "told": tells()})
        space = {"__name__": "tests", "_check": check, job["name"]: function, "candidate": function}
        whole = True
        why = ""
        try:
            keep_time(job["seconds"])
            asserts = Asserts()
            tree = ast.fix_missing_locations(asserts.visit(ast.parse(script)))
            exec(compile(tree, "tests.py", "exec"), space)
            if "check" in space and job["name"] != "check":
                space["check"](function)
            keep_time(0)
            if not checks and asserts.guards > 0 and state["known"] > 0:
                checks.append({"right": True, "text": "False", "why": "", "came": [], "open": len(asked) > 0, "told": tells()})
        except BaseException as error:
            keep_time(0)
            note(error)
            whole, why = False, brief(error)
        print("\n" + job["mark"] + json.dumps({"script": number, "asked": asked, "checks": checks, "whole": whole, "why": why, **state}), flush=True)

main()
`;
