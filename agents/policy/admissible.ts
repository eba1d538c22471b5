import { UsageError } from '../../envs/core/errors.ts';
import type { Textual } from '../../envs/core/textual.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { ChoiceDecision } from '../core/agent.ts';

/** The turn's admissible actions, at least one. @throws UsageError if the env lists none */
export function admissibleActions<Obs, Act>(turn: ActingTurn<Obs, Act>, agent: string): readonly Act[] {
  const { admissible } = turn;
  if (admissible === undefined) {
    throw new UsageError({
      where: `agent ${agent}`,
      what: 'it chooses among admissible actions, and this env lists none.',
      fix: 'Use an env that lists its admissible actions, or an agent that writes text.',
    });
  }
  if (admissible.length === 0) {
    throw new UsageError({
      where: `agent ${agent}`,
      what: 'it chooses among admissible actions, and the list is empty.',
      fix: 'Fix the environment: end the episode where no action is possible. `npx cairn-gym check` lists everything that breaks the contract.',
    });
  }
  return admissible;
}

/** The decision record for candidate `index`. */
export function choiceDecision<Obs, Act>(
  text: Textual<Obs, Act>,
  choice: { readonly admissible: readonly Act[]; readonly index: number; readonly logprob: number },
): ChoiceDecision {
  return {
    kind: 'choice',
    candidates: choice.admissible.map((action) => text.action(action)),
    index: choice.index,
    logprob: choice.logprob,
  };
}
