import type { Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import type { Assembly } from './assembly.ts';
import type { ProgramObservation } from './observation.ts';

/** What came of trying a program: what an agent sees of it. */
export type Practice = Omit<ProgramObservation, 'program'>;

/** That an input of one's own is none, and why. */
export interface Refused {
  readonly refused: string;
}

/** What the hidden part of a problem says of a program. */
export interface Judgement {
  /** From 0 to 1: of hidden tests that it passes, or of what can be improved. */
  readonly share: number;
  readonly solved: boolean;
  /** It can be read and has what is asked for. */
  readonly formed: boolean;
  /** For people: never what a test holds. */
  readonly said: string;
}

/** A problem that is answered by a program. */
export interface Exercise {
  readonly ref: TaskRef;
  readonly family: string;
  readonly instruction: string;
  readonly content: Json;
  /** Of what a program may be put together; undefined where it is to be written. */
  readonly assembly: Assembly | undefined;
  /** A right program, where one is known. */
  readonly solution: string | undefined;
  /** Programs that anybody could write who knows nothing but the form that is asked for. */
  readonly simple: readonly string[];
  /** Texts that no agent may ever see. */
  readonly secrets: readonly string[];
  /** Tries a program on what may be looked at. */
  practice(program: string, signal: AbortSignal): Promise<Practice>;
  /** What a program makes of an input of one's own. */
  tryOn(program: string, input: string, signal: AbortSignal): Promise<Practice | Refused>;
  /** Judges a program by what is hidden. */
  judge(program: string, signal: AbortSignal): Promise<Judgement>;
}
