import type { Context } from '../../envs/core/context.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Textual } from '../../envs/core/textual.ts';
import type { TokenSampler } from '../core/token-sampler.ts';
import { createTokenAgent } from './token.ts';
import { replyIn, turnsOf, type RetellOptions } from '../prompt/retell.ts';
import { Transcript } from '../prompt/transcript.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { TextGuard } from '../prompt/text-guard.ts';
import type { Trajectory, TrajectoryStep } from '../rollout/trajectory.ts';
import type { MessageTemplate, TokenCodec } from '../render/token-prompt.ts';

/** The prompt format and limits to re-tokenise an episode with. */
export interface RetokeniseOptions extends RetellOptions {
  readonly codec: TokenCodec;
  readonly template: MessageTemplate;
  /** The token that ends a reply in the template. */
  readonly endToken: number;
  readonly guard: TextGuard;
  /** Earlier steps that the policy would see; by default as the prompt says. */
  readonly history?: Prompt['history'];
  /** Whether only admissible actions could be written. The trajectory must then list them. */
  readonly restricted?: boolean;
  /** Token limits of a row and of a reply. Without it rows have any length. */
  readonly room?: { readonly contextLength: number; readonly maxTokens: number };
}

const endless = { contextLength: 1 << 30, maxTokens: 1 << 24 };

/**
 * Re-tokenises the episode as if a token agent had played it with this prompt and written its replies (see
 * {@link replyIn}). Prompts and rows are the same, and actions are listed if the prompt lists them and the
 * trajectory has them. Log-probabilities are unknown, so the recorded ones are meaningless.
 * @throws UsageError if the prompt needs a list of actions and a step has none, and for a reply that exceeds
 * the limit
 */
export async function retokenise(
  trajectory: Trajectory,
  options: RetokeniseOptions,
  context: Context,
): Promise<Trajectory> {
  const {
    prompt,
    text,
    codec,
    template,
    endToken,
    guard,
    history = prompt.history,
    restricted = false,
    room: { contextLength, maxTokens } = endless,
  } = options;
  const admissible = prompt.actions.shown !== false;
  const reader = new Transcript(
    { prompt, text, guard, view: { admissible: false, history: 'all' } },
    trajectory.instruction,
  );
  let words = '';
  const sampler: TokenSampler = {
    version: 0,
    contextLength,
    begin: () => ({
      sample: async ({ prompt: before }) => {
        const reply = [...codec.encode(words, before.at(-1)), endToken];
        if (reply.length > maxTokens) throw tooLong(trajectory, reply.length, maxTokens);
        return { tokens: reply, logprobs: reply.map(() => 0), finish: 'stop', version: 0 };
      },
      end: () => undefined,
    }),
  };
  const agent = createTokenAgent<unknown, string>({
    id: 'retold',
    sampler,
    codec,
    template,
    guard,
    prompt,
    text: inWords(text),
    view: { admissible, history },
    decoding: { temperature: 1 },
    maxTokens,
    stopTokens: [endToken],
    restricted,
  });
  const player = agent.begin(trajectory, context);
  const steps: TrajectoryStep[] = [];
  for (const { step, turn, feedback } of turnsOf(trajectory)) {
    words = replyIn(step, reader, options);
    const listed = step.decision?.kind === 'choice' ? step.decision.candidates : undefined;
    if (listed === undefined && prompt.actions.shown === 'always') throw notListed(trajectory, prompt.name);
    const { decision } = await player.act({ ...turn, admissible: listed }, context, feedback);
    steps.push({ ...step, decision });
  }
  player.end?.();
  return { ...trajectory, steps };
}

/** The text methods of an env whose actions are already text. */
const inWords = (text: Textual<unknown, unknown>): Textual<unknown, string> => ({
  observation: (seen) => text.observation(seen),
  action: (words) => words,
  parse: (words) => ({ kind: 'action', action: words }),
});

function tooLong({ path }: Trajectory, tokens: number, most: number): UsageError {
  return new UsageError({
    where: `policy.maxTokens, ${path}`,
    what: `the action has ${tokens} tokens, and a reply may have ${most}.`,
    fix: `Raise it: --with policy.maxTokens=${tokens}.`,
  });
}

function notListed({ path }: Trajectory, prompt: string): UsageError {
  return new UsageError({
    where: `prompt ${prompt} for trajectory ${path}`,
    what: 'it always lists the admissible actions, which only choice policies and experts record.',
    fix: 'Use another prompt, such as plain.',
  });
}
