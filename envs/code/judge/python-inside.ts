/**
 * Runs Python programs where processes are unavailable: one after the other in the harness's own process.
 * Calls the harness for the inner work.
 */
export const pythonInside = String.raw`
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
`;
