import type { Context, ResetContext } from '../../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../../core/env.ts';
import type { Opening, StepResult } from '../../core/step.ts';
import type { TaskRef } from '../../core/task.ts';
import { currentEpisode } from '../../kit/current-episode.ts';
import type { ToolAction } from './action.ts';
import { readPoint } from './episode-state.ts';
import { ToolEpisode } from './episode.ts';
import type { ToolObservation } from './observation.ts';
import type { ToolRules } from './rules.ts';
import { TableWorld } from './table-world.ts';

/** An env for one task at a time. */
export class ToolEnv implements Env<ToolObservation, ToolAction> {
  readonly snapshots: Snapshots<ToolObservation, ToolAction> = {
    take: () => this.#playing().save(),
    restore: (snapshot: Snapshot) => {
      const saved = readPoint(snapshot, this.#rules.id);
      const world = new TableWorld(this.#rules, saved.world, saved);
      this.#episode = new ToolEpisode(this.#rules, {
        ref: saved.world,
        world,
        saved: { ...saved, from: snapshot },
      });
      return this.#episode.turn();
    },
  };
  readonly #rules: ToolRules;
  readonly #instructionOf: (ref: TaskRef) => string;
  #episode: ToolEpisode | undefined;

  constructor(rules: ToolRules, instructionOf: (ref: TaskRef) => string) {
    this.#rules = rules;
    this.#instructionOf = instructionOf;
  }

  async reset(ref: TaskRef, { signal }: ResetContext): Promise<Opening<ToolObservation, ToolAction>> {
    signal.throwIfAborted();
    this.#episode = undefined;
    const world = new TableWorld(this.#rules, ref);
    const episode = await ToolEpisode.open(this.#rules, { ref, world }, signal);
    this.#episode = episode;
    return { ...episode.turn(), instruction: this.#instructionOf(ref) };
  }

  async step(action: ToolAction, { signal }: Context): Promise<StepResult<ToolObservation, ToolAction>> {
    const episode = this.#playing();
    const result = await episode.act(action, signal);
    if (result.kind !== 'ongoing' && this.#episode === episode) this.#episode = undefined;
    return result;
  }

  async close(): Promise<void> {
    this.#episode = undefined;
  }

  #playing(): ToolEpisode {
    return currentEpisode(this.#rules.id, this.#episode);
  }
}
