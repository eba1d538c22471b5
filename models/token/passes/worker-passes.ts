import { uploadTensors } from '../checkpoint.ts';
import type { CachedPasses, CacheSize } from '../generate/cached-passes.ts';
import { trainedShapes } from '../token-parameters.ts';
import type { PassComputer } from './compute-pass.ts';
import { dealt } from './deal.ts';
import type { LearnedPass, LearnJob, Passes, ScoreJob } from './passes.ts';
import { sharedBatch, sharedTraining } from './thread-memory.ts';
import { WorkerCachedPasses } from './worker-cached-passes.ts';
import { WorkerCrew } from './worker-crew.ts';
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts';

/** Slots of generation that make a share: of fewer the tokens of a pass cost so much more each that handing them over gains nothing. */
const slotsOfShare = 16;

/** Passes in threads of their own. */
export class WorkerPasses implements Passes {
  readonly #crew: WorkerCrew;
  readonly #count: number;
  #caches = 0;

  /** @param model whose transformer is that of the moment */
  constructor(model: PassComputer, count: number) {
    this.#crew = new WorkerCrew(model, count);
    this.#count = count;
  }

  async *score(job: ScoreJob, plan: readonly Int32Array[]): AsyncGenerator<Float32Array, void, undefined> {
    const shared = { ...job, batch: sharedBatch(job.batch) };
    for await (const answer of this.#deal(job, plan, (rows) => ({ kind: 'score', job: shared, rows }))) {
      if (answer.kind !== 'scored') throw new TypeError(`a worker answered ${answer.kind} for score`);
      yield answer.logprob;
    }
  }

  async *learn(
    job: LearnJob,
    plan: readonly Int32Array[],
    signal: AbortSignal,
  ): AsyncGenerator<LearnedPass, void, undefined> {
    const shared = { ...job, training: sharedTraining(job.training) };
    const {
      backend,
      transformer: { config, adapter },
    } = this.#crew.model;
    const shapes = trainedShapes({ config, lora: adapter?.config });
    for await (const answer of this.#deal(
      { ...job, whose: 'trained' },
      plan,
      (rows) => ({ kind: 'learn', job: shared, rows }),
      signal,
    )) {
      if (answer.kind !== 'learned') throw new TypeError(`a worker answered ${answer.kind} for learn`);
      const { sums, gradient } = answer;
      yield {
        sums,
        gradient:
          gradient === undefined ? undefined : await uploadTensors(backend, shapes, Object.entries(gradient)),
      };
    }
  }

  cached(size: CacheSize): CachedPasses | undefined {
    const count = Math.min(this.#count, Math.floor(size.slots / slotsOfShare));
    if (count < 2) return undefined; // one alone would only have further to go
    this.#caches += 1;
    return new WorkerCachedPasses(this.#crew, { ...size, count, cache: this.#caches });
  }

  close(): Promise<void> {
    return this.#crew.close();
  }

  async *#deal(
    { name, whose }: Pick<ScoreJob, 'name' | 'whose'>,
    plan: readonly Int32Array[],
    request: (rows: Int32Array) => WorkerRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<WorkerAnswer, void, undefined> {
    if (plan.length === 0) return;
    const crew = await this.#crew.begin(name, whose);
    yield* dealt({
      workers: crew.threads,
      count: plan.length,
      ask: (thread, pass) => this.#crew.ask(crew, thread, request(plan[pass] as Int32Array), name),
      ...(signal === undefined ? {} : { signal }),
    });
  }
}
