import { z } from 'zod';
import type { Context, ResetContext } from './core/context.ts';
import { FaultError, UsageError } from './core/errors.ts';
import type { StepResult } from './core/step.ts';
import { addressPattern, openChatModel } from './engines/chat/chat-model.ts';

/** Who gives feedback on an episode that may be tried again. */
export const feedbackKeys = {
  feedback: z
    .string()
    .refine(
      (text) => text === 'none' || text === 'scripted' || addressPattern.test(text),
      'must be none, scripted or openai:MODEL@URL',
    )
    .default('none')
    .describe(
      'none: a wrong attempt hears only that it was wrong; scripted: the environment says what was wrong; openai:MODEL@URL: a model comments on every turn, without knowing the solution',
    ),
  feedbackKey: z
    .string()
    .default('')
    .describe('the environment variable with the key of the server of the feedback; empty: no key is sent'),
};

/** A turn of the episode, in words. */
export interface SaidTurn {
  readonly action: string;
  readonly observation: string;
}

/** What a giver of feedback may know. */
export interface FeedbackRequest {
  readonly instruction: string;
  /** The opening, then each turn; the last one is to be commented on. */
  readonly opening: string;
  readonly turns: readonly SaidTurn[];
  readonly result: StepResult<unknown, unknown>;
  readonly signal: Context['signal'];
}

/** Gives feedback on the last turn. */
export interface FeedbackGiver {
  /** Whether {@link FeedbackRequest.turns} is needed. An episode then keeps all its words. */
  readonly reads: boolean;
  /** The feedback; undefined for none on this turn. */
  give(request: FeedbackRequest): Promise<string | undefined> | string | undefined;
  close(): Promise<void>;
}

/** Milliseconds for one answer of a model, with all tries, and tries after the first. */
const answerMs = 120_000;
const answerRetries = 3;
/** Characters of a model's feedback that are shown, and of the turns that it reads. */
const longestFeedback = 4_000;
const longestTurns = 60_000;

/**
 * Opens the giver of feedback; undefined for none.
 *
 * @param declared what the env's own feedback tells
 * @throws UsageError for an env without feedback of its own, and for a key that is not set
 */
export function openFeedback(
  keys: { readonly feedback: string; readonly feedbackKey: string },
  { env, declared }: { readonly env: string; readonly declared: string | undefined },
  { system }: Pick<ResetContext, 'system'>,
): FeedbackGiver | undefined {
  const { feedback, feedbackKey } = keys;
  if (feedback === 'none') return undefined;
  if (feedback === 'scripted') {
    if (declared !== undefined)
      return { reads: false, give: ({ result }) => result.feedback, close: () => Promise.resolve() };
    throw new UsageError({
      where: `config of ${env}, retry.feedback`,
      what: 'this environment says nothing of what was wrong.',
      fix: 'Let a model give the feedback (openai:MODEL@URL), or use none.',
    });
  }
  const key = feedbackKey === '' ? undefined : system?.[feedbackKey];
  if (feedbackKey !== '' && (key === undefined || key === ''))
    throw new UsageError({
      where: `config of ${env}, retry.feedbackKey`,
      what: `the environment variable ${feedbackKey} is not set.`,
      fix: 'Export it with the key of the server, or leave it out for a server that needs none.',
    });
  const where = 'feedback';
  const model = openChatModel({
    where,
    address: feedback,
    key,
    timeoutMs: answerMs,
    retries: answerRetries,
  });
  return {
    reads: true,
    give: async ({ signal, ...request }) => {
      const { content } = await model.ask(
        [
          { role: 'system', content: guidelines },
          { role: 'user', content: promptOf(request) },
        ],
        [],
        signal,
      );
      const said = content.trim();
      if (said === '')
        throw new FaultError({ kind: 'env-crashed', where, message: 'the model answered with nothing' });
      return said.length <= longestFeedback ? said : `${said.slice(0, longestFeedback)}…`;
    },
    close: () => model.close(),
  };
}

/** The part of MINT's user that gives feedback: it sees what the agent sees, and does not know the solution. */
const guidelines = `You are an expert who watches an assistant at work on a task. After each of its turns you give it feedback.

- Say whether the last turn was good or bad, and why, in a few sentences.
- Point out mistakes, and what to look at next.
- Do not do the task yourself, and do not write the answer or the next action out.`;

function promptOf({
  instruction,
  opening,
  turns,
}: Pick<FeedbackRequest, 'instruction' | 'opening' | 'turns'>): string {
  const told = turns
    .map(({ action, observation }) => `Assistant:\n${action}\n\nResult:\n${observation}`)
    .join('\n\n');
  const shown = told.length <= longestTurns ? told : `…${told.slice(told.length - longestTurns)}`;
  return `Task:\n${instruction}\n\n${opening}\n\n${shown}\n\nYour feedback on the last turn:`;
}
