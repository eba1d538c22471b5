import { setImmediate } from 'node:timers';

/** Turns of the event loop, some milliseconds, after which a wait counts as a long one. */
const longWait = 200;
/** Milliseconds of sleep in a turn then. */
const pause = 0.5;
const nothing = new Int32Array(new SharedArrayBuffer(4));

let waits = 0;
let isTurning = false;
let turns = 0; // since a wait began or ended

/**
 * Waits for a driver that computes on the processor without taking a core from it: Dawn looks whether it is done in every turn of the event
 * loop, and keeps the loop turning. After the first turns this thread sleeps for a moment in each, and the driver is done sooner
 * (bench/model/webgpu-calls). Whatever else waits for the event loop comes later by as much a turn.
 */
export async function waitGently<T>(waited: Promise<T>): Promise<T> {
  waits += 1;
  turns = 0;
  if (!isTurning) setImmediate(turn).unref();
  isTurning = true;
  try {
    return await waited;
  } finally {
    waits -= 1;
    turns = 0;
  }
}

function turn(): void {
  isTurning = waits > 0;
  if (!isTurning) return;
  turns += 1;
  if (turns > longWait) Atomics.wait(nothing, 0, 0, pause);
  setImmediate(turn).unref();
}
