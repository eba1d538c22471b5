import type { Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import type { Assembly } from './assembly.ts';
import type { ProgramObservation } from './observation.ts';

/** The result of trying a program, as an agent sees it. */
export type Practice = Omit<ProgramObservation, 'program'>;

/** Why an input of the agent is invalid. */
export interface Refused {
  readonly refused: string;
}

/** The result of a program on the hidden part of a problem. */
export interface Judgement {
  /** From 0 to 1: the share of hidden tests that it passes, or of the possible improvement. */
  readonly share: number;
  readonly solved: boolean;
  /** The program can be parsed and defines what is required. */
  readonly formed: boolean;
  /** For people. It never contains the content of a test. */
  readonly said: string;
}

/** A problem whose answer is a program. */
export interface Exercise {
  readonly ref: TaskRef;
  readonly family: string;
  readonly instruction: string;
  readonly content: Json;
  /** The pieces of which a program is assembled; undefined where it is to be written. */
  readonly assembly: Assembly | undefined;
  /** A right program, where one is known. */
  readonly solution: string | undefined;
  /** Programs that can be written with knowledge of the required form alone. */
  readonly simple: readonly string[];
  /** Texts that no agent may see. */
  readonly secrets: readonly string[];
  /** Tries a program on what is visible. */
  practice(program: string, signal: AbortSignal): Promise<Practice>;
  /** Runs a program on an input of the agent. */
  tryOn(program: string, input: string, signal: AbortSignal): Promise<Practice | Refused>;
  /** Judges a program by what is hidden. */
  judge(program: string, signal: AbortSignal): Promise<Judgement>;
}
