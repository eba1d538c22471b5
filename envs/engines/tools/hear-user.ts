import { boundary, type Fault } from '../../core/errors.ts';
import { abortable, openDeadline } from '../../core/waiting.ts';
import type { EpisodeRules } from './rules.ts';
import { runCall } from './run-call.ts';
import type { Heard, UserAnswer } from './user.ts';
import type { WorldState } from './world.ts';

const crashed = (message: string): Fault => ({ kind: 'env-crashed', where: 'user simulator', message });

/**
 * Lets the user answer. The user's tools act on the same world as the agent's.
 *
 * @throws FaultError where the user throws, is late, or answers with something else
 */
export async function hearUser(
  heard: Pick<Heard, 'text' | 'request' | 'state'>,
  on: { readonly rules: EpisodeRules; readonly world: WorldState; readonly signal: AbortSignal },
): Promise<UserAnswer> {
  const { rules, world } = on;
  const { limits } = rules;
  const tools = new Map(rules.userTools.map((tool) => [tool.name, tool]));
  using deadline = openDeadline(on.signal, { where: 'user simulator', ms: limits.timeMs });
  const { signal } = deadline;
  const useTool = async (name: string): Promise<string> => {
    const result = await runCall({ name, arguments: {} }, { tools, world, limits, signal });
    return result.kind === 'done' ? result.text : result.message;
  };
  return await boundary(crashed, signal, async () => {
    const hearing = Promise.resolve(
      rules.user.hear({ ...heard, useTool, toolNames: [...tools.keys()], signal }),
    );
    const answer = await abortable(signal, hearing);
    if (typeof answer?.says !== 'string')
      throw new TypeError('it answered with something that is no message');
    return answer.says.length <= longestAnswer
      ? answer
      : { ...answer, says: `${answer.says.slice(0, longestAnswer)}…` };
  });
}

/** Characters of an answer that are shown. */
const longestAnswer = 4_000;
