import { Worker } from 'node:worker_threads';

/** What the thread runs: plain JavaScript, so that it needs no file beside it. */
const program = `
const { writeSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
setTimeout(() => {
  try { writeSync(2, workerData.paragraph); } catch {}
  process.kill(process.pid, 'SIGKILL');
}, workerData.ms);
`;

/**
 * Watches, from a thread of its own, over code that may loop for ever and lets no timer and no signal of this process through:
 * unless it is disposed within `ms`, it writes `paragraph` on stderr and kills the process, whose exit code is then 137.
 */
export function watchImport(paragraph: string, ms: number): Disposable {
  const worker = new Worker(program, { eval: true, execArgv: [], workerData: { paragraph, ms } });
  worker.unref();
  worker.on('error', () => undefined); // where no thread can be had, the import goes unwatched
  return { [Symbol.dispose]: () => void worker.terminate() };
}
