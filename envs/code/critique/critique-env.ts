import { z } from 'zod';
import type { Context } from '../../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../../core/env.ts';
import type { Json } from '../../core/json.ts';
import { reward, type Opening, type StepResult, type Turn } from '../../core/step.ts';
import type { TaskRef } from '../../core/task.ts';
import { shortDigest } from '../../kit/short-digest.ts';
import { currentEpisode } from '../../kit/current-episode.ts';
import { readSnapshot } from '../../kit/snapshot.ts';
import type { Practice } from '../exercise.ts';
import { describeRefused } from '../own-input.ts';
import type { CritiqueAction } from './action.ts';
import type { Case } from './critique-case.ts';

/** The observation of a critic. */
export const critiqueObservationSchema = z.strictObject({
  /** The program to judge. */
  program: z.string(),
  /** The result of the last action, in words; empty at first. */
  said: z.string(),
  /** Visible tests that the program passed, if the last action ran them. */
  passed: z.int().min(0).optional(),
  total: z.int().min(0).optional(),
});

export type CritiqueObservation = Readonly<z.output<typeof critiqueObservationSchema>>;

type Result = StepResult<CritiqueObservation, CritiqueAction>;

/** A running episode. */
interface Playing {
  readonly given: Case;
  /** The last observation. */
  readonly observation: CritiqueObservation;
  /** A digest of everything shown so far. */
  readonly seen: string;
  /**
   * Whether it passed all visible tests; undefined until they were run. A repeated run gives the same result.
   */
  readonly passesAll: boolean | undefined;
}

const savedSchema = z.object({
  world: z.strictObject({ panel: z.string(), index: z.int(), isRight: z.boolean() }),
  episode: z.strictObject({
    observation: critiqueObservationSchema,
    seen: z.string(),
    passesAll: z.boolean().optional(),
  }),
});

/**
 * Parses a snapshot.
 *
 * @throws UsageError where the snapshot was not taken from such an env
 */
export const readPoint = (snapshot: Snapshot): z.output<typeof savedSchema> =>
  readSnapshot(savedSchema, snapshot, 'a critique');

/**
 * An env in which an agent reads a program, may run it where allowed, and then declares it right or wrong.
 */
export class CritiqueEnv implements Env<CritiqueObservation, CritiqueAction> {
  readonly snapshots: Snapshots<CritiqueObservation, CritiqueAction> = {
    take: () => {
      const { given, observation, seen, passesAll } = this.#expect();
      const {
        ref: { panel, index },
        isRight,
      } = given;
      return {
        world: { panel, index, isRight },
        episode: {
          observation: { ...observation } as Json,
          seen,
          ...(passesAll === undefined ? {} : { passesAll }),
        },
        steps: 0,
      };
    },
    restore: (snapshot) => {
      const {
        world: { panel, index, isRight },
        episode,
      } = readPoint(snapshot);
      this.#playing = {
        given: { ...this.#find({ panel, index }), isRight },
        ...episode,
        passesAll: episode.passesAll,
      };
      return turnOf(this.#playing);
    },
  };
  readonly #find: (ref: TaskRef) => Case;
  #playing: Playing | undefined;

  constructor(find: (ref: TaskRef) => Case) {
    this.#find = find;
  }

  async reset(ref: TaskRef): Promise<Opening<CritiqueObservation, CritiqueAction>> {
    const given = this.#find(ref);
    this.#playing = {
      given,
      observation: { program: given.program, said: '' },
      seen: '',
      passesAll: undefined,
    };
    return { ...turnOf(this.#playing), instruction: given.instruction };
  }

  async step(action: CritiqueAction, { signal }: Context): Promise<Result> {
    const playing = this.#expect();
    this.#playing = undefined; // until the program has run, or for ever where it fails
    if (action.kind === 'verdict') return judged(playing.given, action.verdict);
    const came = await practise(playing.given, action, signal);
    this.#playing = after(playing, came);
    return {
      kind: 'ongoing',
      ...turnOf(this.#playing),
      reward: reward({ verdict: 0 }),
      inadmissible: came.inadmissible,
    };
  }

  async close(): Promise<void> {
    this.#playing = undefined;
  }

  #expect(): Playing {
    return currentEpisode('critique-v1', this.#playing);
  }
}

type Trial = Exclude<CritiqueAction, { readonly kind: 'verdict' }>;
type Came = Practice & { readonly inadmissible: boolean };

/** Runs the program. An impossible action is answered and changes nothing. */
async function practise({ test, run }: Case, action: Trial, signal: AbortSignal): Promise<Came> {
  if (test === undefined || run === undefined)
    return { said: 'Nothing was run: here programs are read. Say right or wrong.', inadmissible: true };
  const practice = action.kind === 'test' ? await test(signal) : await run(action.input, signal);
  return 'refused' in practice
    ? { said: describeRefused(practice), inadmissible: true }
    : { ...practice, inadmissible: false };
}

function after({ given, seen, passesAll }: Playing, { said, passed, total }: Came): Playing {
  return {
    given,
    observation: {
      program: given.program,
      said,
      ...(passed === undefined ? {} : { passed }),
      ...(total === undefined ? {} : { total }),
    },
    seen: shortDigest(`${seen}\n${said}`),
    passesAll: passed === undefined ? passesAll : passed === total,
  };
}

function judged(given: Case, verdict: 'right' | 'wrong'): Result {
  const isSolved = (verdict === 'right') === given.isRight;
  return {
    kind: 'terminated',
    outcome: isSolved ? 'solved' : 'failed',
    observation: { program: given.program, said: isSolved ? 'So it is.' : 'So it is not.' },
    reward: reward({ verdict: isSolved ? 1 : 0 }),
    inadmissible: false,
    stateKey: stateKeyOf(given),
  };
}

const stateKeyOf = ({ ref, isRight }: Case): string => `${ref.panel}/${ref.index} ${isRight ? 1 : 0}`;

/** The anchor is the task and everything shown. */
function turnOf({ given, observation, seen, passesAll }: Playing): Turn<CritiqueObservation, CritiqueAction> {
  const { panel, index } = given.ref;
  const about =
    passesAll === undefined
      ? {}
      : { about: passesAll ? 'all visible tests passed' : 'some visible tests failed' };
  return {
    observation,
    stateKey: stateKeyOf(given),
    anchorKey: seen === '' ? `${panel}/${index}` : `${panel}/${index} ${seen}`,
    admissible: [
      ...(given.test === undefined || passesAll !== undefined ? [] : [{ kind: 'test' } as const]),
      { kind: 'verdict', verdict: 'right', ...about },
      { kind: 'verdict', verdict: 'wrong', ...about },
    ],
    stepsLeft: undefined,
    seat: 0,
  };
}
