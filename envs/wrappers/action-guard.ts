import { brokenContract } from '../core/broken-contract.ts';
import type { EnvDefinition, EnvId } from '../core/env.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import type { EpisodePlace } from './result-stage.ts';

/**
 * Refuses actions that do not match the env's schema, before they reach the env. Actions that the turn lists
 * come from the env itself and are not validated again. Validating them would slow down a step of a fast env
 * too much.
 */
export class ActionGuard<Act> {
  readonly #id: string;
  readonly #schema: EnvDefinition<EnvId, never, never, Act>['action'];

  constructor(id: string, schema: EnvDefinition<EnvId, never, never, Act>['action']) {
    this.#id = id;
    this.#schema = schema;
  }

  /**
   * The error for a wrong action; undefined for a valid one. It is a `UsageError` and not a fault, because
   * the caller has to be fixed and not the world.
   */
  refusal(
    action: Act,
    listed: readonly Act[] | undefined,
    { task, steps }: EpisodePlace,
  ): UsageError | undefined {
    if (listed?.includes(action) === true) return undefined;
    const call = `step ${steps + 1}${task === undefined ? '' : ` of task ${task.panel}/${task.index}`}`;
    try {
      const read = this.#schema.safeParse(action);
      if (read.success) return undefined;
      return new UsageError({
        where: `${this.#id}, ${call}`,
        what: `the action does not match the schema: ${describeIssues(read.error)}.`,
        fix: "Pass an action that the turn lists, or one that the definition's `action` accepts. If it was read from words, fix `text.parse`.",
      });
    } catch (thrown) {
      return brokenContract(this.#id, call, `the schema of actions threw: ${messageOf(thrown)}`);
    }
  }
}
