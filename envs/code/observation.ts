import { z } from 'zod';

/** What an agent sees. */
export const programObservationSchema = z.strictObject({
  /** The current program where it is assembled, with its places marked by number. */
  program: z.string().optional(),
  /** Visible tests that the program passed. */
  passed: z.int().min(0).optional(),
  total: z.int().min(0).optional(),
  /** The worth of the program on visible data, from 0 to 1, where it is measured instead of tested. */
  score: z.number().optional(),
  /** The result of the last action, in words. */
  said: z.string(),
});

export type ProgramObservation = Readonly<z.output<typeof programObservationSchema>>;

/** The observation in words: the program where it is assembled, then the result of the action. */
export const describeObservation = ({ program, said }: ProgramObservation): string =>
  program === undefined ? said : `${program.trimEnd()}\n${said}`;

/** Shortens a text to a number of characters: keeps its two ends. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(text.length - half)}`;
}

/** The last characters of a text. Tracebacks are most informative there. */
export const ending = (text: string, most: number): string =>
  text.length <= most ? text : `…${text.slice(text.length - most + 1)}`;
