// Run as a thread of its own: computes passes with a copy of the model, on a backend of its own.
import { parentPort } from 'node:worker_threads';
import { openBackend } from '../../backend/open-backend.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { Replica } from './replica.ts';
import { failureOf, type WorkerAnswer, type WorkerRequest } from './worker-messages.ts';

if (parentPort === null)
  throw new TypeError('pass-worker is no program of its own: a token model starts it as a thread');
const port = parentPort;
const queue = new SerialQueue();
let replica: Replica | undefined;

async function answerTo(request: WorkerRequest): Promise<WorkerAnswer> {
  if (request.kind === 'begin') {
    replica = await Replica.open(await openBackend('wasm'), request);
    return { kind: 'done' };
  }
  if (replica === undefined) throw new TypeError(`${request.kind} came before begin`);
  return replica.answer(request);
}

port.on('message', (request: WorkerRequest) => {
  void queue.run(async () => {
    const answer = await answerTo(request).catch((thrown: unknown): WorkerAnswer => ({
      kind: 'failed',
      failure: failureOf(thrown),
    }));
    port.postMessage(answer, buffersOf(answer));
  });
});

/** What is moved to the other side, not copied. */
function buffersOf(answer: WorkerAnswer): ArrayBuffer[] {
  const arrays =
    answer.kind === 'learned'
      ? Object.values(answer.gradient ?? {})
      : answer.kind === 'written'
        ? answer.logits
        : [];
  return [...new Set(arrays.map(({ buffer }) => buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}
