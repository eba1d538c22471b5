/**
 * Runs Python programs in processes of their own, where these are available. Each is watched, and ended
 * together with its children. Calls the harness for the inner work.
 */
export const pythonProcesses = String.raw`
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
        status, late = wait(child, there, job["ms"] / 1000, job["idleMs"] / 1000)
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
    """Until the process has ended, has computed for longer than it may, with all processes that came since, or was idle for too long: who waits for its turn on a processor is not.

    On a machine that is busy a look comes late, and tells of no more than a tenth of a second; where whoever looks was neither running nor waiting for its own
    turn for longer than that, it was stopped, and all of that time is counted.
    """
    last, was_awake = time.monotonic(), awake()
    idle = 0
    pause, longest = 0.0005, min(0.05, max(0.01, seconds / 100))
    spent = {}
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        now, awake_now = time.monotonic(), awake()
        asleep = now - last - (awake_now - was_awake)
        if asleep > 0.1:
            idle += asleep
        elif not done and not any(runnable(process) for process in spent):
            idle += min(now - last, 0.1)
        last, was_awake = now, awake_now
        if done:
            return status, idle > most or max(usage.ru_utime + usage.ru_stime, sum(spent.values())) > seconds
        for process in processes() - there | {child}:
            spent[process] = max(spent.get(process, 0), computed(process))
        if idle > most or sum(spent.values()) > seconds:
            for kill in (os.killpg, os.kill):
                try:
                    kill(child, signal.SIGKILL)
                except OSError:
                    pass
            return os.waitpid(child, 0)[1], True
        time.sleep(pause)
        pause = min(pause * 2, longest)

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

def awake():
    """Seconds for which this process has run or waited for its turn; always 0 where nothing tells."""
    try:
        with open("/proc/self/schedstat") as file:
            ran, waited, _ = file.read().split()
        return (int(ran) + int(waited)) / 1e9
    except (OSError, ValueError):
        return 0

def runnable(process):
    """Whether a thread of a process runs or waits for its turn; not where nothing tells so."""
    folder = "/proc/%d" % process
    if state(folder) == "R":
        return True
    try:
        return any(state(folder + "/task/" + thread) == "R" for thread in os.listdir(folder + "/task"))
    except OSError:
        return False

def state(folder):
    try:
        with open(folder + "/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0].decode()
    except (OSError, IndexError):
        return ""
`;
