import type { Textual } from '../../envs/core/textual.ts';
import { admissibleActions, choiceDecision } from './admissible.ts';
import type { Agent } from '../core/agent.ts';

/** Chooses uniformly among the admissible actions. Given the env's text, it also records its decisions. */
export function createRandomAgent<Obs, Act>(
  options: { readonly id?: string; readonly text?: Textual<Obs, Act> } = {},
): Agent<Obs, Act> {
  const id = options.id ?? 'random';
  const { text } = options;
  return {
    id,
    begin: () => ({
      act: async (turn, context) => {
        const admissible = admissibleActions(turn, id);
        const index = context.rng.int(admissible.length);
        return {
          reply: { kind: 'action', action: admissible[index] as Act },
          decision:
            text && choiceDecision(text, { admissible, index, logprob: 0 - Math.log(admissible.length) }),
          policyVersion: undefined,
        };
      },
    }),
  };
}
