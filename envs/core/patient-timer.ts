/*
 * A deadline is for others: a browser, a server, a program. A thread that computes without a pause, as a language model does for seconds, reads no
 * answers. Once it pauses, timers that are due fire before any answer is read. So such time does not count.
 */

/** Milliseconds between two beats. Of a pause that is longer than two, only two count. */
const beatMs = 50;
/** A deadline ends after so many times its length by the clock, however busy the thread is. */
const mostTimes = 10;
const longestTimerMs = 2_147_483_647;

let timers = 0;
let beat: NodeJS.Timeout | undefined;
let lastBeat = 0;
/** Milliseconds that did not count since the first timer. */
let blockedMs = 0;

function noteBeat(): void {
  const now = performance.now();
  blockedMs += Math.max(0, now - lastBeat - 2 * beatMs);
  lastBeat = now;
}

/** Starts counting; the beat is kept while any timer runs. */
function begin(): void {
  timers += 1;
  if (beat !== undefined) return;
  lastBeat = performance.now();
  beat = setInterval(noteBeat, beatMs);
  beat.unref();
}

function end(): void {
  timers -= 1;
  if (timers > 0) return;
  clearInterval(beat);
  beat = undefined;
}

/**
 * Calls `late` after `ms` milliseconds in which this thread could have answered: time in which it computed without a pause does not count. At the
 * latest it calls after ten times `ms`. Dispose the result to stop it.
 */
export function startPatientTimer(ms: number, late: () => void): Disposable {
  begin();
  const blockedBefore = blockedMs;
  let given = 0;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    end();
  };
  const wait = (forMs: number): void => {
    timer = setTimeout(() => {
      noteBeat(); // this timer may be due before the next beat
      const owed = Math.min(blockedMs - blockedBefore, (mostTimes - 1) * ms) - given;
      if (owed >= 1) {
        given += owed;
        wait(Math.min(owed, longestTimerMs));
        return;
      }
      stop();
      late();
    }, forMs);
  };
  wait(ms);
  return { [Symbol.dispose]: stop };
}
