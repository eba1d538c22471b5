import { boundary, type Fault } from '../../core/errors.ts';
import { abortable, openDeadline } from '../../core/waiting.ts';
import type { ToolCall } from './action.ts';
import type { EpisodeRules } from './rules.ts';
import { runCall, type CallResult } from './run-call.ts';
import type { Heard, UserAnswer, UserTurn } from './user.ts';
import type { WorldState } from './world.ts';

const crashed = (message: string): Fault => ({ kind: 'env-crashed', where: 'user simulator', message });

/** Where a user lives, and what notes its calls. */
export interface UserSurroundings {
  readonly rules: EpisodeRules;
  readonly world: WorldState;
  readonly signal: AbortSignal;
  readonly noteCall?: (call: ToolCall, result: CallResult) => void;
}

/**
 * Lets the user answer. The user's tools act on the same world as the agent's.
 *
 * @throws FaultError where the user throws, is late, or answers with something else
 */
export const hearUser = (
  heard: Pick<Heard, 'text' | 'ref' | 'request' | 'state' | 'marks' | 'isReached'>,
  on: UserSurroundings,
): Promise<UserAnswer> => askUser(on, (turn) => on.rules.user.hear({ ...heard, ...turn }));

/**
 * The first message of the user; undefined where the instruction has it.
 *
 * @throws FaultError as {@link hearUser} does
 */
export async function openUser(
  at: Pick<UserTurn, 'ref' | 'request'>,
  on: UserSurroundings,
): Promise<UserAnswer | undefined> {
  const { user } = on.rules;
  if (user.open === undefined) return undefined;
  return askUser(on, (turn) => user.open?.({ ...at, ...turn }));
}

async function askUser(
  { rules, world, signal: parent, noteCall }: UserSurroundings,
  ask: (
    turn: Pick<UserTurn, 'useTool' | 'toolNames' | 'tools' | 'signal'>,
  ) => UserAnswer | Promise<UserAnswer> | undefined,
): Promise<UserAnswer> {
  const { limits } = rules;
  const tools = new Map(rules.userTools.map((tool) => [tool.name, tool]));
  using deadline = openDeadline(parent, { where: 'user simulator', ms: limits.timeMs });
  const { signal } = deadline;
  const useTool = async (name: string, given: ToolCall['arguments'] = {}): Promise<string> => {
    const call = { name, arguments: given };
    const result = await runCall(call, { tools, world, limits, signal });
    noteCall?.(call, result);
    if (result.kind === 'done') return result.text;
    const tool = tools.get(name);
    return rules.wordError === undefined ? result.message : rules.wordError({ call, tool, ...result });
  };
  return await boundary(crashed, signal, async () => {
    const asking = Promise.resolve(
      ask({ useTool, toolNames: [...tools.keys()], tools: rules.userTools, signal }),
    );
    const answer = await abortable(signal, asking);
    if (typeof answer?.says !== 'string')
      throw new TypeError('it answered with something that is no message');
    return answer.says.length <= longestAnswer
      ? answer
      : { ...answer, says: `${answer.says.slice(0, longestAnswer)}…` };
  });
}

/** Characters of an answer that are shown. */
const longestAnswer = 4_000;
