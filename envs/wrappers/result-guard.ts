import { brokenContract } from '../core/broken-contract.ts';
import { messageOf } from '../core/errors.ts';
import { flawOfDeadEnd, flawOfOpening, flawOfResult, flawOfTurn, nameOf } from '../core/result-shape.ts';
import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { Textual } from '../core/textual.ts';
import type { EpisodePlace, ResultStage } from './result-stage.ts';

type Words<Obs, Act> = Pick<Textual<Obs, Act>, 'observation' | 'action'>;

/**
 * Refuses what is no opening, no step result and no turn, where it leaves the env and before anybody builds on it.
 *
 * A `UsageError`, which stops the run, and no fault of the one episode: a fault is the world's doing, is played again and left
 * out of training. An env that returns rubbish was written wrongly and will return it again, in the same places; as a fault it
 * would only thin out the episodes that come there, and train on a selection that nobody chose. Its author has to see it at once.
 */
export class ResultGuard<Obs, Act> implements ResultStage<Obs, Act> {
  readonly #id: string;
  readonly #text: Words<Obs, Act>;

  constructor(id: string, text: Words<Obs, Act>) {
    this.#id = id;
    this.#text = text;
  }

  opening(opening: Opening<Obs, Act>, place: EpisodePlace): Opening<Obs, Act> {
    const flaw = flawOfOpening(opening) ?? this.#flawOfWords(opening);
    if (flaw !== undefined) refuse(this.#id, 'reset', flaw, place);
    return opening;
  }

  result(result: StepResult<Obs, Act>, place: EpisodePlace): StepResult<Obs, Act> {
    const flaw = flawOfResult(result);
    if (flaw !== undefined) refuse(this.#id, `step ${place.steps}`, flaw, place);
    return result;
  }

  restored(turn: Turn<Obs, Act>, place: EpisodePlace): Turn<Obs, Act> {
    const flaw = flawOfTurn(turn);
    if (flaw !== undefined) refuse(this.#id, 'snapshots.restore', flaw, place);
    return turn;
  }

  /** Words are tried once an episode: an env whose words are none has none from the start. */
  #flawOfWords({ observation, admissible }: Turn<Obs, Act>): string | undefined {
    const flaw = flawOfSaying('text.observation', () => this.#text.observation(observation));
    if (flaw !== undefined || admissible === undefined || admissible.length === 0) return flaw;
    return flawOfSaying('text.action', () => this.#text.action(admissible[0] as Act));
  }
}

/** Refuses, after all limits, a turn that goes on where there is nothing to do. */
export class DeadEndGuard<Obs, Act> implements ResultStage<Obs, Act> {
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  opening(opening: Opening<Obs, Act>, place: EpisodePlace): Opening<Obs, Act> {
    const flaw = flawOfDeadEnd(opening);
    if (flaw !== undefined) refuse(this.#id, 'reset', flaw, place);
    return opening;
  }

  result(result: StepResult<Obs, Act>, place: EpisodePlace): StepResult<Obs, Act> {
    const flaw = result.kind === 'ongoing' ? flawOfDeadEnd(result) : undefined;
    if (flaw !== undefined) refuse(this.#id, `step ${place.steps}`, flaw, place);
    return result;
  }

  restored(turn: Turn<Obs, Act>, place: EpisodePlace): Turn<Obs, Act> {
    const flaw = flawOfDeadEnd(turn);
    if (flaw !== undefined) refuse(this.#id, 'snapshots.restore', flaw, place);
    return turn;
  }
}

function refuse(env: string, call: string, flaw: string, { task }: EpisodePlace): never {
  const of = task === undefined ? '' : ` of task ${task.panel}/${task.index}`;
  throw brokenContract(env, `${call}${of}`, flaw);
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
