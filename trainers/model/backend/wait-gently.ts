import { setImmediate } from 'node:timers';

/** Turns of the event loop, some milliseconds of them, after which a wait counts as a long one. */
const longWait = 200;
/** Milliseconds of sleep in a turn then: as much later than it could does a long wait end. */
const pause = 0.5;
const nothing = new Int32Array(new SharedArrayBuffer(4));

let waits = 0;
let isTurning = false;
let turns = 0; // since a wait began or ended

/**
 * Waits for a GPU without taking a whole core for it: Dawn looks whether it is done in every turn of the event loop, and keeps the loop
 * turning. After the first turns, in which most passes are done, this thread sleeps for a moment in each. A driver that computes on the
 * processor has that core for itself, and so is done sooner (bench/model/webgpu-calls).
 */
export async function waitGently<T>(waited: Promise<T>): Promise<T> {
  waits += 1;
  turns = 0;
  if (!isTurning) setImmediate(turn);
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
  setImmediate(turn);
}
