import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Flag } from '../command.ts';
import { flagOf, wholeNumber } from '../options/option-values.ts';
import type { EvaluationOptions } from './options.ts';

/** The flags of an evaluation over several attempts. */
export const attemptFlags: readonly Flag[] = [
  {
    flags: '--attempts <turns>',
    says: 'as MINT does: at most so many turns a task, wrong answers may be tried again; prints success within 1 turn, 2 turns and so on, and the gain per turn',
  },
  {
    flags: '--proposals <number>',
    says: 'with --attempts: the most answers that may be tried; 2 is the rule of MINT (default: as many as turns)',
  },
  {
    flags: '--feedback <by>',
    says: 'with --attempts: plays all tasks again with feedback and prints its gain; scripted (the environment says what was wrong) or openai:MODEL@URL (a model comments on every turn)',
  },
  {
    flags: '--feedback-key-env <name>',
    says: 'the environment variable with the key of the server of the feedback (default: no key is sent)',
  },
];

/** The options that go with {@link attemptFlags}. */
export const attemptOptions = {
  attempts: wholeNumber(1, 100).optional(),
  proposals: wholeNumber(1, 100).optional(),
  feedback: z.string().optional(),
  feedbackKeyEnv: z.string().min(1, 'must be the name of a variable').optional(),
};
const optionsSchema = z.object(attemptOptions);
export type AttemptOptions = z.output<typeof optionsSchema>;

/** @throws UsageError for options of attempts without `--attempts`, or that contradict each other */
export function assertAttemptOptions(options: AttemptOptions & Pick<EvaluationOptions, 'keyEnv'>): void {
  const { attempts, feedback, feedbackKeyEnv } = options;
  const alone = (['proposals', 'feedback', 'feedbackKeyEnv'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (attempts === undefined && alone !== undefined)
    throw new UsageError({
      where: flagOf(alone),
      what: 'it applies to evaluations over several attempts, and --attempts is not given.',
      fix: 'Add --attempts TURNS, such as --attempts 5, or remove it.',
    });
  if (feedback === 'none')
    throw new UsageError({
      where: '--feedback none',
      what: 'tasks are played without feedback in any case.',
      fix: 'Remove it, or give scripted or openai:MODEL@URL.',
    });
  if (feedbackKeyEnv === undefined) return;
  if (feedback === undefined || feedback === 'scripted')
    throw new UsageError({
      where: '--feedback-key-env',
      what: 'no model gives feedback.',
      fix: 'Add --feedback openai:MODEL@URL, or remove it.',
    });
  if (feedbackKeyEnv === (options.keyEnv ?? 'OPENAI_API_KEY'))
    throw new UsageError({
      where: `--feedback-key-env ${feedbackKeyEnv}`,
      what: "the agent's key is taken from this variable, which is empty afterwards.",
      fix: 'Export the key of the feedback under another name.',
    });
}
