import type { Context } from '../../envs/core/context.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { Reply } from '../../envs/core/textual.ts';
import type { Agent } from '../core/agent.ts';

/** What a script says to a turn; undefined where it has nothing more to say. `feedback` says why its last reply could not be used. */
export type ScriptedReply<Obs, Act> = (
  turn: ActingTurn<Obs, Act>,
  context: Context,
  feedback?: string,
) => Reply<Act> | undefined | Promise<Reply<Act> | undefined>;

/**
 * Gives fixed replies in order, malformed ones too, the same in every episode; or what a function of the turn says. What must be
 * remembered over an episode takes an {@link Agent} of its own.
 *
 * Once the list is over, or the function gives undefined, each further reply of that episode is malformed: it costs the penalty of one,
 * and so many in a row as the limits allow end the episode, failed, with the cause `malformed-cap`. Other episodes play on.
 */
export function createScriptedAgent<Obs, Act>(options: {
  readonly id?: string;
  readonly replies: readonly Reply<Act>[] | ScriptedReply<Obs, Act>;
}): Agent<Obs, Act> {
  const { id = 'scripted', replies } = options;
  return {
    id,
    begin: () => {
      const say = typeof replies === 'function' ? replies : inOrder<Obs, Act>(replies);
      return {
        act: async (turn, context, feedback) => ({
          reply: (await say(turn, context, feedback)) ?? over,
          decision: undefined,
          policyVersion: undefined,
        }),
      };
    },
  };
}

const over = { kind: 'malformed', why: 'The script is over.', text: '' } as const satisfies Reply<never>;

function inOrder<Obs, Act>(replies: readonly Reply<Act>[]): ScriptedReply<Obs, Act> {
  let next = 0;
  return () => replies[next++];
}
