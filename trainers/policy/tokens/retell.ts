import { retokenise } from '../../../agents/policy/retokenise.ts';
import type { Trajectory } from '../../../agents/rollout/trajectory.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { Textual } from '../../../envs/core/textual.ts';
import type { Manner } from './manner.ts';

/**
 * An episode that somebody else has played, as if a policy of that manner had written each of its replies: told turn by turn by the very
 * agent that plays, so that it becomes the rows that the policy would have played. The log-probabilities are 0.
 *
 * @throws UsageError for a reply that the manner leaves no room for
 */
export function retell(
  trajectory: Trajectory,
  { format, prompt, history, contextLength, maxTokens, restricted }: Manner,
  text: Textual<unknown, unknown>,
): Promise<Trajectory> {
  const { tokenizer, template, guard, stopTokens } = format;
  const [endToken = -1] = stopTokens; // never: a format has one
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
