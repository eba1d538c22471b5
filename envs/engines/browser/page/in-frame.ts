import { settlesWithin } from '../../../core/waiting.ts';
import type { Frame } from 'playwright-core';

/** A frame on its way to another document may have none to ask. */
const frameMs = 2_000;

/** Evaluates among the scripts of a frame, also one of another origin; undefined where it has no document that answers. */
export async function inFrame(frame: Frame, expression: string): Promise<unknown> {
  let told: unknown;
  const asking = frame.evaluate(expression).then((value: unknown) => (told = value));
  await settlesWithin(frameMs, asking);
  return told;
}
