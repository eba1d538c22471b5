import { brokenContract } from '../core/broken-contract.ts';
import { messageOf } from '../core/errors.ts';
import { flawOfDeadEnd, flawOfOpening, flawOfResult, flawOfTurn, nameOf } from '../core/result-shape.ts';
import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { Textual } from '../core/textual.ts';
import type { EpisodePlace, ResultStage } from './result-stage.ts';

type Words<Obs, Act> = Pick<Textual<Obs, Act>, 'observation' | 'action'>;

/**
 * Refuses malformed openings, step results and turns as soon as the env returns them.
 *
 * It throws a `UsageError`, which stops the run, and no fault of the episode. A fault is an accident of the
 * world: the episode is played again and left out of training. An env that returns malformed results has a
 * bug and will return them again in the same places. As faults these would remove just those episodes and
 * bias the training data. The author has to see the error at once.
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

  /** The words are tried once per episode. An env whose words are broken has broken words from the start. */
  #flawOfWords({ observation, admissible }: Turn<Obs, Act>): string | undefined {
    const flaw = flawOfSaying('text.observation', () => this.#text.observation(observation));
    if (flaw !== undefined || admissible === undefined || admissible.length === 0) return flaw;
    return flawOfSaying('text.action', () => this.#text.action(admissible[0] as Act));
  }
}

/** Refuses a turn without admissible actions in an episode that goes on. It runs after all limits. */
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
    return `${call} threw: ${messageOf(thrown)}`;
  }
  return typeof said === 'string' ? undefined : `${call} must return a string, not ${nameOf(said)}`;
}
