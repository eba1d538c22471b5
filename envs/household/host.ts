import type { EnvHost } from '../core/env.ts';
import type { TaskRef } from '../core/task.ts';
import { LruCache } from '../kit/lru-cache.ts';
import { dialects, type DialectName } from './dialect.ts';
import { HouseholdEnv } from './env.ts';
import { HouseholdPanels, type PanelSpec } from './panels.ts';
import { planTask } from './planner.ts';
import { Scene } from './scene.ts';
import { HouseholdSearcher } from './searcher.ts';
import { swapHiddenIn } from './swap-hidden.ts';
import type { Wording } from './wording.ts';

/** What tells one household world from another. */
export interface HouseholdWorld {
  /** Names the streams of its tasks. */
  readonly world: string;
  readonly panels: readonly PanelSpec[];
  /** Every wording that its goals may have. */
  readonly wordings: readonly Wording[];
}

/** Scenes kept for the next episode of their task, enough for the largest panel that is played as a whole; those in play live anyway. */
const cachedScenes = 1_024;

/** Opens a household world. It holds nothing that must be given back. */
export async function openHousehold(
  world: HouseholdWorld,
  dialect: DialectName,
): Promise<EnvHost<string, string>> {
  const panels = new HouseholdPanels(world.world, world.panels);
  const scenes = new LruCache<string, Scene>(cachedScenes);
  const sceneOf = (ref: TaskRef): Scene =>
    scenes.get(`${ref.panel}/${ref.index}`, () => new Scene(ref, panels.task(ref), dialects[dialect]));
  return {
    panels: panels.panels,
    describeTask: (ref) => panels.describeTask(ref),
    create: async () => new HouseholdEnv(sceneOf),
    close: async () => scenes.clear(),
    experts: {
      planner: (ref) => planTask(panels.task(ref), dialects[dialect]) ?? [],
      searcher: (rng) => new HouseholdSearcher(world.wordings, rng),
    },
    audit: { swapHidden: swapHiddenIn(sceneOf) },
  };
}
