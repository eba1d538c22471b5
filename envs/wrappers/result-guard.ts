import { brokenContract } from '../core/broken-contract.ts';
import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import { messageOf } from '../core/errors.ts';
import { flawOfOpening, flawOfResult, flawOfTurn, nameOf } from '../core/result-shape.ts';
import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import type { Textual } from '../core/textual.ts';

/**
 * Refuses what is no opening, no step result and no turn, where it leaves the env and before anybody builds on it.
 *
 * A `UsageError`, which stops the run, and no fault of the one episode: a fault is the world's doing, is played again and left
 * out of training. An env that returns rubbish was written wrongly and will return it again, in the same places; as a fault it
 * would only thin out the episodes that come there, and train on a selection that nobody chose. Its author has to see it at once.
 */
export class ResultGuard<Obs, Act> implements Env<Obs, Act> {
  readonly #inner: Env<Obs, Act>;
  readonly #id: string;
  readonly #text: Pick<Textual<Obs, Act>, 'observation' | 'action'>;
  #task: TaskRef | undefined;
  #steps = 0;
  readonly snapshots?: Snapshots<Obs, Act>;

  constructor(inner: Env<Obs, Act>, id: string, text: Pick<Textual<Obs, Act>, 'observation' | 'action'>) {
    this.#inner = inner;
    this.#id = id;
    this.#text = text;
    if (inner.snapshots !== undefined) this.snapshots = this.#guardSnapshots(inner.snapshots);
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<Obs, Act>> {
    const opening = await this.#inner.reset(task, context);
    this.#task = task;
    this.#steps = 0;
    const flaw = flawOfOpening(opening) ?? this.#flawOfWords(opening);
    if (flaw !== undefined) this.#refuse('reset', flaw);
    return opening;
  }

  async step(action: Act, context: Context): Promise<StepResult<Obs, Act>> {
    const result = await this.#inner.step(action, context);
    this.#steps += 1;
    const flaw = flawOfResult(result);
    if (flaw !== undefined) this.#refuse(`step ${this.#steps}`, flaw);
    return result;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #guardSnapshots(inner: Snapshots<Obs, Act>): Snapshots<Obs, Act> {
    return {
      take: () => inner.take(),
      restore: (snapshot: Snapshot): Turn<Obs, Act> => {
        const turn = inner.restore(snapshot);
        this.#steps = snapshot.steps;
        const flaw = flawOfTurn(turn);
        if (flaw !== undefined) this.#refuse('snapshots.restore', flaw);
        return turn;
      },
    };
  }

  /** Words are tried once an episode: an env whose words are none has none from the start. */
  #flawOfWords({ observation, admissible }: Turn<Obs, Act>): string | undefined {
    const flaw = flawOfSaying('text.observation', () => this.#text.observation(observation));
    if (flaw !== undefined || admissible === undefined || admissible.length === 0) return flaw;
    return flawOfSaying('text.action', () => this.#text.action(admissible[0] as Act));
  }

  #refuse(call: string, flaw: string): never {
    const task = this.#task === undefined ? '' : ` of task ${this.#task.panel}/${this.#task.index}`;
    throw brokenContract(this.#id, `${call}${task}`, flaw);
  }
}

function flawOfSaying(call: string, say: () => unknown): string | undefined {
  let said: unknown;
  try {
    said = say();
  } catch (thrown) {
    return `${call} threw on what it shows: ${messageOf(thrown)}`;
  }
  return typeof said === 'string' ? undefined : `${call} makes ${nameOf(said)} of what it shows, no text`;
}
