import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import type { Opening, StepResult } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { currentEpisode } from '../kit/current-episode.ts';
import type { SearchAction } from './action.ts';
import { SearchEpisode, type SearchRules } from './episode.ts';
import type { SearchObservation } from './observation.ts';
import { readPoint } from './snapshot.ts';

/** An env for one question at a time. */
export class SearchEnv implements Env<SearchObservation, SearchAction> {
  readonly snapshots: Snapshots<SearchObservation, SearchAction> = {
    take: () => this.#underWay().save(),
    restore: (snapshot: Snapshot) => {
      this.#episode = new SearchEpisode(this.#rules, readPoint(snapshot));
      return this.#episode.turn();
    },
  };
  readonly #rules: SearchRules;
  #episode: SearchEpisode | undefined;

  constructor(rules: SearchRules) {
    this.#rules = rules;
  }

  async reset(ref: TaskRef, { signal }: ResetContext): Promise<Opening<SearchObservation, SearchAction>> {
    signal.throwIfAborted();
    const episode = new SearchEpisode(this.#rules, ref);
    this.#episode = episode;
    return { ...episode.turn(), instruction: episode.question.question };
  }

  async step(
    action: SearchAction,
    { signal, progress, askAgent }: Context,
  ): Promise<StepResult<SearchObservation, SearchAction>> {
    const episode = this.#underWay();
    const result = await episode.act(action, { signal, progress, askAgent });
    if (result.kind !== 'ongoing' && this.#episode === episode) this.#episode = undefined;
    return result;
  }

  async close(): Promise<void> {
    this.#episode = undefined;
  }

  #underWay(): SearchEpisode {
    return currentEpisode('search', this.#episode);
  }
}
