/** In a paragraph of the watch: where the step and the task of the call go. No text that is printed holds them. */
export const mark = { step: '\u0001', task: '\u0002' } as const;

/**
 * Limits in milliseconds:
 *
 * - Signals within `wish` of a signal are the same wish.
 * - A call may continue for `call` after a signal.
 * - Anything else may continue for `loop`. It may be our own computation, such as a pass of a large model.
 */
export const patience = { wish: 1_000, call: 5_000, loop: 120_000 } as const;

/** Numbers that the two threads share. A serial that is odd says that a call is under way, and each call has one of its own. */
export const cell = { serial: 0, paragraph: 1, panel: 2, index: 3, step: 4, turns: 5, stall: 6 } as const;

/** Milliseconds between two looks of the thread. */
export const pollMs = 500;

/**
 * What the thread runs: plain JavaScript, so that it needs no file beside it. A look counts for two polls at most: the process may have
 * been stopped in between, or the machine asleep.
 */
export const program = `
const { writeSync } = require('node:fs');
const { isatty } = require('node:tty');
const { parentPort, workerData } = require('node:worker_threads');
const { cells, cell, mark, pollMs, patience } = workerData;
const texts = [];
const handles = [];
let heard = { turns: -1, at: 0, isRepeated: false }; // signals that the loop has not turned since
const onSignal = () => {
  const [now, turns] = [performance.now(), Atomics.load(cells, cell.turns)];
  if (heard.turns !== turns) heard = { turns, at: now, isRepeated: false };
  else if (now - heard.at >= patience.wish) heard.isRepeated = true;
};
const hear = (signals) => {
  for (const handle of handles.splice(0)) handle.close();
  if (signals.length === 0) return;
  process.noDeprecation = true;
  try {
    const { Signal } = process.binding('signal_wrap');
    for (const signal of signals) {
      const handle = new Signal();
      handles.push(handle);
      handle.unref();
      handle.onsignal = onSignal;
      handle.start(signal);
    }
  } catch {}
};
parentPort.on('message', (message) => (message.kind === 'hear' ? hear(message.signals) : texts.push(message)));
const ended = (place, what, fix) => 'error: ' + place + ': ' + what + ', so that the command could not end in good order when it was told to, and was stopped. ' + fix + 'What was put away before is kept.';
const wished = (now, call, underWay) => {
  if (heard.turns !== Atomics.load(cells, cell.turns)) return undefined;
  const waited = now - heard.at;
  const isOfCall = call !== undefined && underWay > 0;
  if (!heard.isRepeated && waited < (isOfCall && underWay >= patience.call ? patience.call : patience.loop)) return undefined;
  return isOfCall ? ended(call.place, 'it computes without letting anything else run', call.fix + ' ') : ended('cairn-gym', 'nothing else has run for ' + Math.round(waited / 1000) + ' s', '');
};
let [serial, turns, last, underWay, stalled] = [0, 0, performance.now(), 0, 0];
setInterval(() => {
  const [now, call, turn] = [performance.now(), serial, turns];
  [serial, turns] = [Atomics.load(cells, cell.serial), Atomics.load(cells, cell.turns)];
  const passed = Math.min(now - last, 2 * pollMs);
  last = now;
  underWay = serial % 2 === 0 || serial !== call ? 0 : underWay + passed;
  stalled = turns === 0 || turns !== turn ? 0 : stalled + passed;
  const isOver = (said, ms) => ms > 0 && said !== undefined && ms >= said.limitMs;
  const [ofCall, ofLoop] = [texts[cells[cell.paragraph]], texts[cells[cell.stall]]];
  const said = isOver(ofCall, underWay) ? ofCall.text : isOver(ofLoop, stalled) ? ofLoop.text : wished(now, ofCall, underWay);
  if (said === undefined) return;
  const task = (texts[cells[cell.panel]] || { text: '?' }).text + '/' + cells[cell.index];
  const paragraph = said.split(mark.step).join(cells[cell.step]).split(mark.task).join(task);
  try { writeSync(2, (isatty(2) ? '\\n' : '') + paragraph + '\\n'); } catch {}
  process.kill(process.pid, 'SIGKILL');
}, pollMs);
`;
