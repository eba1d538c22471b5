import { brokenContract } from '../core/broken-contract.ts';
import type { EnvDefinition, EnvId } from '../core/env.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import type { EpisodePlace } from './result-stage.ts';

/**
 * Refuses what is no action by the env's own schema, before it reaches the env. What the turn lists is the env's own word and is not read
 * again: reading it takes longer than a step of a fast env may lose.
 */
export class ActionGuard<Act> {
  readonly #id: string;
  readonly #schema: EnvDefinition<EnvId, never, never, Act>['action'];

  constructor(id: string, schema: EnvDefinition<EnvId, never, never, Act>['action']) {
    this.#id = id;
    this.#schema = schema;
  }

  /** The error of a wrong action; undefined where it may be done. A `UsageError`, as whoever gave it has to be fixed, and no fault of the world. */
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
        what: `it was given what is no action: ${describeIssues(read.error)}.`,
        fix: "Give one that the turn lists, or one that fits the definition's `action`; what was read from words was read wrongly by `text.parse`.",
      });
    } catch (thrown) {
      return brokenContract(this.#id, call, `its schema of actions threw: ${messageOf(thrown)}`);
    }
  }
}
