import type { Experts, Searcher } from '../../envs/core/env.ts';
import { boundary, FaultError, UsageError } from '../../envs/core/errors.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Textual } from '../../envs/core/textual.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import { choiceDecision } from './admissible.ts';
import type { Agent, ChoiceDecision } from '../core/agent.ts';

/** Which of the env's own players: the searcher sees what agents see, the planner sees the whole state. */
export type ExpertKind = 'searcher' | 'planner';

/**
 * Drives one of the env's own players. Given the env's text, it records each admissible action as a decision
 * of probability 1. Behaviour cloning learns from these records.
 */
export function createExpertAgent<Obs, Act>(options: {
  readonly kind: ExpertKind;
  readonly experts: Experts<Obs, Act> | undefined;
  readonly text?: Textual<Obs, Act>;
  readonly id?: string;
}): Agent<Obs, Act> {
  const { kind, experts, text, id = kind } = options;
  if (experts?.[kind] === undefined) refuse(kind, experts);
  return drive({
    id,
    where: `experts.${kind}`,
    text,
    begin: (task, rng) =>
      kind === 'searcher' && experts.searcher !== undefined
        ? experts.searcher(rng)
        : replay(experts.planner?.(task) ?? [], experts.attemptOf?.bind(experts)),
  });
}

/**
 * Drives one of the env's baselines.
 *
 * @throws UsageError where the env has none of that name
 */
export function createBaselineAgent<Obs, Act>(options: {
  readonly name: string;
  readonly experts: Experts<Obs, Act> | undefined;
  readonly text?: Textual<Obs, Act>;
}): Agent<Obs, Act> {
  const { name, experts, text } = options;
  const all = experts?.baselines ?? {};
  const baseline = Object.hasOwn(all, name) ? all[name] : undefined;
  if (baseline === undefined) {
    const names = Object.keys(all);
    throw new UsageError({
      where: `agent baseline:${name}`,
      what: names.length === 0 ? 'this env has no baselines.' : 'this env has no baseline of that name.',
      fix: names.length === 0 ? 'Use another agent.' : `Use one of ${names.join(', ')}.`,
    });
  }
  return drive({
    id: name,
    where: `experts.baselines.${name}`,
    text,
    begin: (task, rng) => baseline.play(task, rng),
  });
}

/** An agent that asks a player of the env. The env's own failures are the env's, not the agent's. */
function drive<Obs, Act>(options: {
  readonly id: string;
  readonly where: string;
  readonly text: Textual<Obs, Act> | undefined;
  readonly begin: (task: TaskRef, rng: Rng) => Searcher<Obs, Act>;
}): Agent<Obs, Act> {
  const { id, where, text } = options;
  return {
    id,
    begin: (episode, context) => {
      // Created at the first turn: a planner may take long.
      let player: Searcher<Obs, Act> | undefined;
      return {
        act: (turn, { signal }) =>
          boundary(
            (message) => ({ kind: 'env-crashed', where, message }),
            signal,
            async () => {
              player ??= options.begin(episode.task, context.rng);
              const action = player.act(turn);
              return {
                reply: { kind: 'action', action },
                decision: text && decisionOf(text, turn, action),
                policyVersion: undefined,
              };
            },
          ),
      };
    },
  };
}

/** Plays a plan, from its start in each attempt at the task. */
function replay<Obs, Act>(
  actions: readonly Act[],
  attemptOf: ((observation: Obs) => number) | undefined,
): Searcher<Obs, Act> {
  let next = 0;
  let attempt: number | undefined;
  return {
    act: ({ observation }) => {
      const now = attemptOf?.(observation);
      if (now !== attempt) [attempt, next] = [now, 0];
      if (next >= actions.length) {
        const message = `the plan of ${actions.length} actions ended before the episode`;
        throw new FaultError({ kind: 'env-crashed', where: 'experts.planner', message });
      }
      next += 1;
      return actions[next - 1] as Act;
    },
  };
}

/** The record of an action. Actions are equal if their texts are. Undefined if the action is not listed. */
function decisionOf<Obs, Act>(
  text: Textual<Obs, Act>,
  turn: ActingTurn<Obs, Act>,
  action: Act,
): ChoiceDecision | undefined {
  const { admissible } = turn;
  if (admissible === undefined) return undefined;
  const decision = choiceDecision(text, { admissible, index: 0, logprob: 0 });
  const index = decision.candidates.indexOf(text.action(action));
  return index < 0 ? undefined : { ...decision, index };
}

function refuse<Obs, Act>(kind: ExpertKind, experts: Experts<Obs, Act> | undefined): never {
  const has = (['searcher', 'planner'] as const).filter((name) => experts?.[name] !== undefined);
  throw new UsageError({
    where: `agent ${kind}`,
    what: `this env has no ${kind}.`,
    fix: has.length > 0 ? `Use its ${has.join(' or ')}.` : 'It has no experts: use another agent.',
  });
}
