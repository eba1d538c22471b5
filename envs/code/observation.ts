import { z } from 'zod';

/** What an agent sees. */
export const programObservationSchema = z.strictObject({
  /** The program as it is, where it is put together; each place is marked by its number. */
  program: z.string().optional(),
  /** Visible tests that the program passed. */
  passed: z.int().min(0).optional(),
  total: z.int().min(0).optional(),
  /** What the program is worth by what may be looked at, from 0 to 1, where it is measured and not tested. */
  score: z.number().optional(),
  /** What came of the last action, in words. */
  said: z.string(),
});

export type ProgramObservation = Readonly<z.output<typeof programObservationSchema>>;

/** The observation in words: the program where it is put together, then what came of the action. */
export const describeObservation = ({ program, said }: ProgramObservation): string =>
  program === undefined ? said : `${program.trimEnd()}\n${said}`;

/** A text of at most so many characters: of a longer one its two ends. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(text.length - half)}`;
}

/** The last so many characters, which tracebacks say most in. */
export const ending = (text: string, most: number): string =>
  text.length <= most ? text : `…${text.slice(text.length - most + 1)}`;
