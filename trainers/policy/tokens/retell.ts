import { retokenise } from '../../../agents/policy/retokenise.ts';
import type { Trajectory } from '../../../agents/rollout/trajectory.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { Textual } from '../../../envs/core/textual.ts';
import type { PromptFormat } from './prompt-format.ts';

/**
 * Rewrites an episode of another player as if a policy with that prompt format had written its replies. The
 * playing agent builds each turn, so the rows equal those of a played episode. The log-probabilities are 0.
 *
 * @throws UsageError for a reply that exceeds the context or `maxTokens`
 */
export function retell(
  trajectory: Trajectory,
  { chat, prompt, history, contextLength, maxTokens, restricted }: PromptFormat,
  text: Textual<unknown, unknown>,
): Promise<Trajectory> {
  const { tokenizer, template, guard, stopTokens } = chat;
  const [endToken = -1] = stopTokens; // cannot happen: a format has one
  const options = {
    prompt,
    text,
    codec: tokenizer,
    template,
    endToken,
    guard,
    history,
    restricted,
    room: { contextLength, maxTokens },
  };
  return retokenise(trajectory, options, createContext({ seed: 0, now: () => 0, path: trajectory.path }));
}
