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

/** As what a token policy would have seen and written an episode is told. */
export interface RetokeniseOptions extends RetellOptions {
  readonly codec: TokenCodec;
  readonly template: MessageTemplate;
  /** The token that ends a reply in the template. */
  readonly endToken: number;
  readonly guard: TextGuard;
  /** Earlier steps that the policy would have been shown; as the prompt says where left out. */
  readonly history?: Prompt['history'];
  /** Whether it could have written admissible actions only, all of which the trajectory must hold then. */
  readonly restricted?: boolean;
  /** What goes into a row, and into a reply; rows are as long as they come where left out. */
  readonly room?: { readonly contextLength: number; readonly maxTokens: number };
}

const endless = { contextLength: 1 << 30, maxTokens: 1 << 24 };

/**
 * The episode as if a token agent had played it with this prompt and written its replies (see {@link replyIn}): same prompts, same rows,
 * the actions listed where the prompt lists them and the trajectory has them. What each token would have cost is not known, and its
 * log-probability says nothing.
 *
 * @throws UsageError where the prompt needs the list of actions and a step has none, and for a reply that is longer than the room for it
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
  let reply: readonly number[] = [];
  const sampler: TokenSampler = {
    version: 0,
    contextLength,
    begin: () => ({
      sample: () =>
        Promise.resolve({ tokens: reply, logprobs: reply.map(() => 0), finish: 'stop', version: 0 }),
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
    reply = [...codec.encode(replyIn(step, reader, options)), endToken];
    if (reply.length > maxTokens) throw tooLong(trajectory, reply.length, maxTokens);
    const listed = step.decision?.kind === 'choice' ? step.decision.candidates : undefined;
    if (listed === undefined && prompt.actions.shown === 'always') throw notListed(trajectory, prompt.name);
    const { decision } = await player.act({ ...turn, admissible: listed }, context, feedback);
    steps.push({ ...step, decision });
  }
  player.end?.();
  return { ...trajectory, steps };
}

/** The words of an env for actions that are words already. */
const inWords = (text: Textual<unknown, unknown>): Textual<unknown, string> => ({
  observation: (seen) => text.observation(seen),
  action: (words) => words,
  parse: (words) => ({ kind: 'action', action: words }),
});

function tooLong({ path }: Trajectory, tokens: number, most: number): UsageError {
  return new UsageError({
    where: `policy.maxTokens, ${path}`,
    what: `what was done there is written with ${tokens} tokens, and a reply may have ${most}.`,
    fix: `Raise it: --with policy.maxTokens=${tokens}.`,
  });
}

function notListed({ path }: Trajectory, prompt: string): UsageError {
  return new UsageError({
    where: `prompt ${prompt} for trajectory ${path}`,
    what: 'it always lists the admissible actions, which only choice policies and experts write down.',
    fix: 'Take another prompt, such as plain.',
  });
}
