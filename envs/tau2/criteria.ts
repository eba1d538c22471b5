import { canonicalJson, type Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import type { ToolCall } from '../engines/tools/action.ts';
import type { EpisodeEnd, Grade, Grader } from '../engines/tools/grader.ts';
import { transferTool, type Domain, type EnvFunction } from './domain.ts';
import type { Criteria, GoldAction, RewardType, Tau2Task } from './task-file.ts';

/** What to do with NL assertions, which only a model could judge. */
export type Judged = 'exclude' | 'communicate' | 'ignore';

/** The checks by the type of reward. */
const checkOf = {
  DB: 'db',
  ENV_ASSERTION: 'env-assertion',
  ACTION: 'action',
  COMMUNICATE: 'communicate',
} as const;

/** Whether the reward depends on what a model judges. An empty list of assertions holds, as in the original. */
export const needsJudge = ({ evaluation_criteria: criteria }: Tau2Task): boolean =>
  criteria?.reward_basis.includes('NL_ASSERTION') === true && (criteria.nl_assertions ?? []).length > 0;

/** The types of reward that a task is graded by here. */
export function basisOf(task: Tau2Task, judged: Judged): readonly Exclude<RewardType, 'NL_ASSERTION'>[] {
  const basis = new Set<RewardType>(task.evaluation_criteria?.reward_basis);
  if (needsJudge(task) && judged === 'communicate') basis.add('COMMUNICATE');
  return [...basis].filter((type) => type !== 'NL_ASSERTION');
}

/** The mark of an agent that gave the user to a person. */
export const transferred = 'transferred';

/**
 * Grades as τ²-bench does: the reward is the product of the criteria in the task's `reward_basis`. `DB` compares all tables
 * with those after the gold actions, by deep equality; the original compares hashes of them.
 */
export class Tau2Grader implements Grader {
  readonly checks = Object.values(checkOf);
  readonly #domain: Domain;
  readonly #judged: Judged;
  readonly #taskOf: (ref: TaskRef) => Tau2Task;

  constructor(domain: Domain, judged: Judged, taskOf: (ref: TaskRef) => Tau2Task) {
    this.#domain = domain;
    this.#judged = judged;
    this.#taskOf = taskOf;
  }

  marksAtStart(ref: TaskRef): readonly string[] {
    return (this.#taskOf(ref).initial_state?.message_history ?? []).flatMap((message) =>
      message.role === 'tool'
        ? []
        : [
            ...(message.role === 'assistant' ? this.marksOfMessage(ref, message.content ?? '') : []),
            ...(message.tool_calls ?? []).flatMap((call) => this.marksOfCall(ref, call)),
          ],
    );
  }

  /** Whoever makes a call: the original compares names and arguments alone. */
  marksOfCall(ref: TaskRef, call: ToolCall): readonly string[] {
    const actions = this.#criteria(ref)?.actions ?? [];
    return [
      ...actions.flatMap((action, at) => (isMatch(action, call) ? [`action-${at}`] : [])),
      ...(call.name === transferTool ? [transferred] : []),
    ];
  }

  marksOfMessage(ref: TaskRef, text: string): readonly string[] {
    const said = text.toLowerCase().replaceAll(',', '');
    return (this.#criteria(ref)?.communicate_info ?? []).flatMap((info, at) =>
      said.includes(info.toLowerCase()) ? [`told-${at}`] : [],
    );
  }

  grade(end: EpisodeEnd): Grade {
    const basis = basisOf(this.#taskOf(end.ref), this.#judged);
    return { checks: Object.fromEntries(basis.map((type) => [checkOf[type], this.#holds(type, end)])) };
  }

  #holds(type: keyof typeof checkOf, { ref, marks, isGoldState, world }: EpisodeEnd): boolean {
    const { actions, env_assertions: assertions, communicate_info: infos } = this.#criteria(ref) ?? {};
    switch (type) {
      case 'DB':
        return isNothing(actions) && isNothing(assertions) ? true : isGoldState;
      case 'ACTION':
        return (actions ?? []).every((_action, at) => marks.has(`action-${at}`));
      case 'COMMUNICATE':
        return (infos ?? []).every((_info, at) => marks.has(`told-${at}`));
      case 'ENV_ASSERTION':
        return (assertions ?? []).every(
          ({ env_type, func_name, arguments: given, assert_value }) =>
            functionOf(this.#domain, env_type, func_name)?.run(given, world) === assert_value,
        );
      default:
        return type satisfies never;
    }
  }

  #criteria(ref: TaskRef): Criteria | null | undefined {
    return this.#taskOf(ref).evaluation_criteria;
  }
}

/** A missing list differs from an empty one, as in the original. */
const isNothing = (list: readonly unknown[] | null | undefined): boolean =>
  list === null || list === undefined;

/** A function that is no tool. */
export function functionOf(
  domain: Domain,
  side: 'assistant' | 'user',
  name: string,
): EnvFunction | undefined {
  const functions = (side === 'assistant' ? domain.agent : domain.user)?.functions ?? {};
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}

/**
 * Whether a call is a gold action. Without `compare_args` only the arguments that the call has are compared, as in the
 * original: a call that leaves some out matches.
 */
function isMatch(action: GoldAction, call: ToolCall): boolean {
  if (action.name !== call.name) return false;
  const names = action.compare_args ?? Object.keys(call.arguments);
  const picked = (given: ToolCall['arguments']): string =>
    canonicalJson(
      Object.fromEntries(
        names.flatMap((name) => {
          const value = Object.hasOwn(given, name) ? given[name] : undefined;
          return value === undefined ? [] : [[name, normal(value)]];
        }),
      ),
    );
  return picked(call.arguments) === picked(action.arguments);
}

/** Texts that are JSON objects or lists are compared by their content. */
function normal(value: Json): Json {
  if (typeof value === 'string') {
    if (!/^\s*[{[]/.test(value)) return value;
    try {
      return normal(JSON.parse(value) as Json);
    } catch {
      return value;
    }
  }
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, normal(part)]));
}
