import type { Context } from '../../envs/core/context.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { Reply } from '../../envs/core/textual.ts';
import type { Agent } from '../core/agent.ts';

/**
 * A script's reply to a turn; undefined if the script has ended. `feedback` says why its last reply was
 * unusable.
 */
export type ScriptedReply<Obs, Act> = (
  turn: ActingTurn<Obs, Act>,
  context: Context,
  feedback?: string,
) => Reply<Act> | undefined | Promise<Reply<Act> | undefined>;

/**
 * Gives fixed replies in order, including malformed ones, the same in every episode; or what a function of
 * the turn returns. To keep memory over an episode, write an {@link Agent}.
 *
 * After the end of the list, or if the function returns undefined, each further reply of that episode is
 * malformed. It costs the penalty, and the limit of consecutive ones ends the episode as failed with the
 * cause `malformed-cap`. Other episodes continue.
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
