/**
 * Measures how long JavaScript programs compute and idle. A process is polled. A call is watched by a thread,
 * which interrupts it when it is too late. It is a part of the harness and uses its names.
 */
export const javascriptWatch = String.raw`
/** Milliseconds between looks at what runs. */
const lookMs = Math.min(50, Math.max(10, job.ms / 100));

/**
 * Milliseconds in which something that is looked at had nothing to compute, as far as looks tell: who waits for its turn on a processor is not
 * idle. On a machine that is busy a look comes late, and tells of no more than a tenth of a second; where whoever looks was neither running
 * nor waiting for its own turn for longer than that, it was stopped, and all of that time is counted.
 */
function idling(isBusy) {
  let [idle, last, awake] = [0, performance.now(), awakeMs()];
  return () => {
    const [now, awakeNow] = [performance.now(), awakeMs()];
    const asleep = now - last - (awakeNow - awake);
    if (asleep > 100) idle += asleep;
    else if (!isBusy()) idle += Math.min(now - last, 100);
    [last, awake] = [now, awakeNow];
    return idle;
  };
}

/** Milliseconds for which this thread has run or waited for its turn; always 0 where nothing tells. */
function awakeMs() {
  try {
    const [ran, waited] = fs.readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return (Number(ran) + Number(waited)) / 1e6;
  } catch {
    return 0;
  }
}

/** The fields of a process or thread behind its name, as Linux tells them; none of one that is gone. */
function statOf(folder) {
  try {
    const stat = fs.readFileSync(folder + '/stat', 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Milliseconds of processor time of a process, told in hundredths of a second. */
function computed(pid) {
  const fields = statOf('/proc/' + pid);
  return fields.length === 0 ? 0 : (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Whether a thread of a process, other than the one named, runs or waits for its turn. */
function isRunnable(pid, but) {
  const folder = '/proc/' + pid;
  if (statOf(folder)[0] === 'R') return true;
  try {
    return fs.readdirSync(folder + '/task').some((thread) => thread !== but && statOf(folder + '/task/' + thread)[0] === 'R');
  } catch {
    return false;
  }
}

/** The number of this thread; none where nothing tells. */
function ownThread() {
  try {
    return path.basename(fs.readlinkSync('/proc/thread-self'));
  } catch {
    return undefined;
  }
}

/**
 * Interrupts a call that has computed for longer than it may, or was idle for too long: a thread looks at this process. It waits before it does so again, as nobody
 * hears it while an interrupted call is put away, and only while the gate is open: between two interruptible runs SIGINT ends the process. Where the program keeps the interrupts for itself, the thread says that it was too late, and ends the process.
 */
function watched() {
  const [NONE, SINCE, LOOKS, CALLS, LATE, GATE] = [-1, 0, 1, 2, 3, 4];
  const [CLOSED, OPEN, SENT] = [0, 1, 2];
  const state = new Int32Array(new SharedArrayBuffer(20));
  store(state, SINCE, NONE);
  const used = () => {
    const { user, system } = process.cpuUsage();
    return Math.floor((user + system) / 1000);
  };
  process.on('SIGINT', () => {}); // that comes too late
  const watch = () => {
    const own = ownThread();
    const idle = idling(() => (own === undefined ? statOf('/proc/self')[0] === 'R' : isRunnable(process.pid, own)));
    let [call, before, last, late, sent] = [0, 0, 0, Infinity, -Infinity];
    const look = () => {
      const [since, calls, soFar] = [load(state, SINCE), load(state, CALLS), idle()];
      if (calls !== call) [call, before, late] = [calls, last, Infinity]; // what came since the last look is of this call
      last = soFar;
      if (since === NONE || (soFar - before <= job.idleMs && used() - since <= job.ms)) return;
      store(state, LATE, calls);
      const now = performance.now();
      late = Math.min(late, now);
      if (now - late > 2000) {
        put('\n' + job.mark + JSON.stringify({ at: calls - 1, end: 'time' }) + '\n');
        process.kill(process.pid, 'SIGKILL');
      }
      if (now - sent < 500) return;
      if (compareExchange(state, GATE, OPEN, SENT) === CLOSED) return;
      sent = now;
      process.kill(process.pid, 'SIGINT');
    };
    const tellLook = () => {
      look();
      add(state, LOOKS, 1);
      notify(state, LOOKS);
    };
    tellLook();
    setInterval(tellLook, lookMs);
  };
  const text = [
    'const fs = require("fs"); const path = require("path"); const write = fs.writeSync; const never = new Int32Array(new SharedArrayBuffer(4));',
    'const { add, compareExchange, load, notify, store, wait } = Atomics; const { job, state, lookMs, NONE, SINCE, LOOKS, CALLS, LATE, GATE, CLOSED, OPEN, SENT } = require("worker_threads").workerData;',
    'const put = ' + put + '; const used = ' + used + ';', idling, awakeMs, statOf, isRunnable, ownThread, '(' + watch + ')();',
  ].join('\n');
  const { mark, ms, idleMs } = job;
  new Worker(text, { eval: true, workerData: { job: { mark, ms, idleMs }, state, lookMs, NONE, SINCE, LOOKS, CALLS, LATE, GATE, CLOSED, OPEN, SENT } }).unref();
  wait(state, LOOKS, 0, job.idleMs);
  /** Runs what an interrupt may end. An interrupt that was sent meanwhile is waited for. */
  const interruptible = (work) => {
    store(state, GATE, OPEN);
    try {
      return work();
    } finally {
      for (let waits = 0; waits < 100 && compareExchange(state, GATE, OPEN, CLOSED) === SENT; waits += 1) wait(never, 0, 0, 10);
      store(state, GATE, CLOSED);
    }
  };
  return (call) => (test) => {
    const [begun, at] = [performance.now(), add(state, CALLS, 1) + 1];
    store(state, SINCE, used());
    try {
      const result = call(test, interruptible);
      if (performance.now() - begun > job.idleMs) wait(state, LOOKS, load(state, LOOKS), 1000); // it may have stopped who looks until now
      return load(state, LATE) === at ? { end: 'time', printed: result.printed } : result;
    } finally {
      store(state, GATE, CLOSED); // an interrupted run did not close it
      store(state, SINCE, NONE);
    }
  };
}`;
