import type { ActingTurn, Answer } from '../../../agents/policy/agent.ts';
import type { SampledTokens, TokenSampler } from '../../../agents/policy/token-sampler.ts';
import { writeReply } from '../../../agents/prompt/read-reply.ts';
import type { Trajectory, TrajectoryStep } from '../../../agents/rollout/trajectory.ts';
import { createContext } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Textual } from '../../../envs/core/textual.ts';
import { createMannerAgent, type Manner } from './manner.ts';

/**
 * An episode that somebody else has played, as if a policy of that manner had written each of its replies: told turn by turn by the very
 * agent that plays, so that it becomes the rows that the policy would have played. The log-probabilities are 0.
 *
 * @throws UsageError for a reply that the manner leaves no room for
 */
export async function retell(trajectory: Trajectory, manner: Manner, text: Textual<unknown, unknown>): Promise<Trajectory> {
  const pen = new ForcedSampler(manner);
  const agent = createMannerAgent(manner, { id: 'retelling', sampler: pen, text, decoding: { temperature: 0 } });
  const context = createContext({ seed: 0, now: () => 0, path: trajectory.path });
  const player = agent.begin({ task: trajectory.task, instruction: trajectory.instruction }, context);
  const steps: TrajectoryStep[] = [];
  let feedback: string | undefined;
  for (const step of trajectory.steps) {
    pen.next = wordsOf(step, manner, text);
    const { decision }: Answer<unknown> = await player.act(turnOf(step, text), context, feedback);
    steps.push({ ...step, decision });
    feedback = step.reply.kind === 'malformed' ? step.reply.why : undefined;
  }
  player.end?.();
  return { ...trajectory, steps };
}

/** What is to be written for a step. */
function wordsOf({ reply }: TrajectoryStep, { prompt }: Manner, text: Textual<unknown, unknown>): string {
  return reply.kind === 'malformed' ? reply.text : writeReply({ thought: '', command: text.action(reply.action) }, prompt.grammar);
}

/** The turn as its agent had it, as far as it was written down. */
function turnOf({ observation, seat, stateKey, anchorKey, stepsLeft, decision }: TrajectoryStep, text: Textual<unknown, unknown>): ActingTurn<unknown, unknown> {
  const listed = decision?.kind === 'choice' ? decision.candidates.map((words) => text.parse(words)) : undefined;
  const admissible = listed?.flatMap((read) => (read.kind === 'action' ? [read.action] : []));
  return { instruction: '', observation, seat, stateKey, anchorKey, stepsLeft, admissible };
}

/** Writes what it is told to, and the end of the turn. */
class ForcedSampler implements TokenSampler {
  readonly version = 0;
  readonly contextLength: number;
  readonly #manner: Manner;
  next = '';

  constructor(manner: Manner) {
    this.#manner = manner;
    this.contextLength = manner.contextLength;
  }

  begin(): ReturnType<TokenSampler['begin']> {
    return { sample: async (_request, { path }) => this.#write(path), end: () => undefined };
  }

  #write(path: string): SampledTokens {
    const { format, maxTokens } = this.#manner;
    const tokens = [...format.tokenizer.encode(this.next), ...format.stopTokens.slice(0, 1)];
    if (tokens.length > maxTokens) {
      throw new UsageError({ where: `policy.maxTokens, ${path}`, what: `what was done there is written with ${tokens.length} tokens, and a reply may have ${maxTokens}.`, mend: `Raise it: --with policy.maxTokens=${tokens.length}.` });
    }
    return { tokens, logprobs: tokens.map(() => 0), finish: 'stop', version: 0 };
  }
}
