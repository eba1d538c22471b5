import { settlesWithin } from '../../../core/waiting.ts';
import type { Frame } from 'playwright-core';

/**
 * Time limit of an answer in milliseconds. A frame that is loading another document may have none to give.
 */
const frameMs = 2_000;

/**
 * Evaluates an expression among the scripts of a frame, also one of another origin. Undefined where no
 * document answers.
 */
export async function inFrame(frame: Frame, expression: string): Promise<unknown> {
  let told: unknown;
  const asking = frame.evaluate(expression).then((value: unknown) => (told = value));
  await settlesWithin(frameMs, asking);
  return told;
}
