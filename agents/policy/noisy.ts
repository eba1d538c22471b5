import { UsageError } from '../../envs/core/errors.ts';
import type { Textual } from '../../envs/core/textual.ts';
import { admissibleActions, choiceDecision } from './admissible.ts';
import type { Agent } from '../core/agent.ts';

/**
 * Plays as `expert` does, but in a share of the turns it chooses uniformly among the admissible actions. Players of several shares are players
 * of graded skill. The expert is asked in every turn, so that it sees all observations. A decision records the probability of the action:
 * `share / n` for each of `n` actions, and `1 - share` more for the expert's.
 *
 * @param options.share of the turns, above 0 and below 1
 * @throws UsageError for another share
 */
export function createNoisyAgent<Obs, Act>(options: {
  readonly id?: string;
  readonly expert: Agent<Obs, Act>;
  readonly share: number;
  readonly text: Textual<Obs, Act>;
}): Agent<Obs, Act> {
  const { expert, share, text, id = `noisy:${share}` } = options;
  if (!(share > 0 && share < 1))
    throw new UsageError({
      where: `agent ${id}`,
      what: `${share} is no share of random turns.`,
      fix: 'Give a number above 0 and below 1. The expert itself has 0, and the random player 1.',
    });
  return {
    id,
    begin: (episode, context) => {
      const player = expert.begin(episode, context);
      const rng = context.rng.fork('noise');
      return {
        act: async (turn, acting, feedback) => {
          const answer = await player.act(turn, acting, feedback);
          const admissible = admissibleActions(turn, id);
          const isRandom = rng.uniform() < share;
          const drawn = rng.int(admissible.length); // drawn in every turn, so that a larger share only adds random turns
          const expertAt =
            answer.reply.kind === 'action' ? indexOf(text, admissible, answer.reply.action) : -1;
          if (!isRandom && expertAt < 0) return { ...answer, decision: undefined };
          const index = isRandom ? drawn : expertAt;
          const probability = share / admissible.length + (index === expertAt ? 1 - share : 0);
          return {
            reply: { kind: 'action', action: admissible[index] as Act },
            decision: choiceDecision(text, { admissible, index, logprob: Math.log(probability) }),
            policyVersion: undefined,
          };
        },
        end: () => player.end?.(),
      };
    },
  };
}

/** Actions are equal where their texts are. */
function indexOf<Obs, Act>(text: Textual<Obs, Act>, admissible: readonly Act[], action: Act): number {
  const wanted = text.action(action);
  return admissible.findIndex((each) => text.action(each) === wanted);
}
