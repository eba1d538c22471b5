import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import type { Opening, StepResult } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { currentEpisode } from '../kit/current-episode.ts';
import type { SqlAction } from './action.ts';
import { SqlEpisode, type SqlRules } from './episode.ts';
import type { SqlObservation } from './observation.ts';
import { readPoint } from './snapshot.ts';
import { instructionOf } from './task.ts';

/** An env for one question at a time. */
export class SqlEnv implements Env<SqlObservation, SqlAction> {
  readonly snapshots: Snapshots<SqlObservation, SqlAction> = {
    take: () => this.#underWay().save(),
    restore: (snapshot: Snapshot) => {
      const { task, saved } = readPoint(snapshot);
      this.#episode = new SqlEpisode(this.#rules, task, saved);
      return this.#episode.turn();
    },
  };
  readonly #rules: SqlRules;
  #episode: SqlEpisode | undefined;

  constructor(rules: SqlRules) {
    this.#rules = rules;
  }

  async reset(ref: TaskRef, { signal }: ResetContext): Promise<Opening<SqlObservation, SqlAction>> {
    signal.throwIfAborted();
    const named: TaskRef = { panel: ref.panel, index: ref.index };
    const episode = new SqlEpisode(this.#rules, { ref: named, behind: named });
    this.#episode = episode;
    return { ...episode.turn(), instruction: instructionOf(episode.question) };
  }

  async step(action: SqlAction, { signal }: Context): Promise<StepResult<SqlObservation, SqlAction>> {
    const episode = this.#underWay();
    const result = await episode.act(action, signal);
    if (result.kind !== 'ongoing' && this.#episode === episode) this.#episode = undefined;
    return result;
  }

  async close(): Promise<void> {
    this.#episode = undefined;
  }

  #underWay(): SqlEpisode {
    return currentEpisode('sql', this.#episode);
  }
}
