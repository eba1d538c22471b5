import type { EnvHost } from '../../envs/core/env.ts';
import { expertPlayer, randomPlayer, type Player as Contestant } from '../../trainers/evaluate/evaluate.ts';
import type { Workbench } from '../../trainers/workbench.ts';
import type { AgentSpec, ScriptedAgent } from './agent-spec.ts';

/** A contestant with what it holds, such as weights on a GPU. */
export interface OpenedContestant extends AsyncDisposable {
  readonly contestant: Contestant;
  /** Of what computes it, as far as is known by now. */
  readonly versions: () => Readonly<Record<string, string>>;
  /** Of a language model: replies so far that called tools and said nothing. */
  readonly toolCallsOnly?: () => number;
  /** Of a language model: replies so far, of all episodes. */
  readonly replies?: () => number;
}

export function openScripted(bench: Workbench, agent: ScriptedAgent): OpenedContestant {
  const contestant = agent === 'random' ? randomPlayer() : expertPlayer(bench, agent);
  return { contestant, versions: () => ({}), [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Whether the env comes with anybody who can play it. */
export const hasExpert = ({ experts }: EnvHost<unknown, unknown>): boolean =>
  experts?.searcher !== undefined || experts?.planner !== undefined;

/** `expert` is the searcher, which sees what agents see, or the planner where there is no searcher. */
export function resolveExpert(
  { agent }: Extract<AgentSpec, { readonly kind: 'scripted' }>,
  { experts }: EnvHost<unknown, unknown>,
): ScriptedAgent {
  if (agent !== 'expert') return agent;
  return experts?.searcher === undefined && experts?.planner !== undefined ? 'planner' : 'searcher';
}
