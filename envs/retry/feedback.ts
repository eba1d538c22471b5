import { z } from 'zod';
import type { Context, ResetContext } from '../core/context.ts';
import { UsageError } from '../core/errors.ts';
import type { StepResult } from '../core/step.ts';
import { openChatModel } from '../engines/chat/chat-model.ts';
import { modelConfigSchema, scripted } from '../engines/chat/model-config.ts';

/** Who gives feedback on an episode that may be tried again. */
export const feedbackKeys = {
  feedback: z
    .union([z.literal('none'), z.literal(scripted), modelConfigSchema])
    .default('none')
    .describe(
      'none: a wrong attempt hears only that it was wrong; scripted: the environment says what was wrong; or the url and the model of a server, which comments on every turn without knowing the solution',
    ),
};
export type FeedbackConfig = z.output<(typeof feedbackKeys)['feedback']>;

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

/** Characters of a model's feedback that are shown, and of the turns that it reads. */
const longestFeedback = 4_000;
const longestTurns = 60_000;

/**
 * Opens the giver of feedback; undefined for none.
 *
 * @param declared what the env's own feedback says
 * @throws UsageError for an env without feedback of its own, and for a key that is not set
 */
export function openFeedback(
  feedback: FeedbackConfig,
  { env, declared }: { readonly env: string; readonly declared: string | undefined },
  { system, now }: Pick<ResetContext, 'system' | 'now'>,
): FeedbackGiver | undefined {
  if (feedback === 'none') return undefined;
  if (feedback === scripted) {
    if (declared !== undefined)
      return { reads: false, give: ({ result }) => result.feedback, close: () => Promise.resolve() };
    throw new UsageError({
      where: `config of ${env}, retry.feedback`,
      what: 'this environment says nothing of what was wrong.',
      fix: 'Let a model give the feedback (--feedback openai:MODEL@URL), or use none.',
    });
  }
  const model = openChatModel(feedback, { where: `config of ${env}, retry.feedback`, system, now });
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
      if (said === '') throw model.unusable('the model answered with nothing');
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
