import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import type { Opening, StepResult } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { currentEpisode } from '../kit/current-episode.ts';
import type { RouteAction } from './action.ts';
import { RouteEpisode, type RouteRules } from './episode.ts';
import type { RouteObservation } from './observation.ts';
import { readPoint } from './snapshot.ts';

/** An env for one question at a time. */
export class RouteEnv implements Env<RouteObservation, RouteAction> {
  readonly snapshots: Snapshots<RouteObservation, RouteAction> = {
    take: () => this.#underWay().save(),
    restore: (snapshot: Snapshot) => {
      this.#episode = new RouteEpisode(this.#rules, readPoint(snapshot));
      return this.#episode.turn();
    },
  };
  readonly #rules: RouteRules;
  #episode: RouteEpisode | undefined;

  constructor(rules: RouteRules) {
    this.#rules = rules;
  }

  async reset(ref: TaskRef, { signal }: ResetContext): Promise<Opening<RouteObservation, RouteAction>> {
    signal.throwIfAborted();
    const episode = new RouteEpisode(this.#rules, ref);
    this.#episode = episode;
    return { ...episode.turn(), instruction: episode.instruction };
  }

  async step(action: RouteAction, { signal }: Context): Promise<StepResult<RouteObservation, RouteAction>> {
    const episode = this.#underWay();
    const result = await episode.act(action, signal);
    if (result.kind !== 'ongoing' && this.#episode === episode) this.#episode = undefined;
    return result;
  }

  async close(): Promise<void> {
    this.#episode = undefined;
  }

  #underWay(): RouteEpisode {
    return currentEpisode('route', this.#episode);
  }
}
