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

/** The differences between household worlds. */
export interface HouseholdWorld {
  /** The name of the random streams of its tasks. */
  readonly world: string;
  readonly panels: readonly PanelSpec[];
  /** All wordings of its goals. */
  readonly wordings: readonly Wording[];
}

/**
 * Scenes cached for the next episode of their task, enough for the largest panel that is played completely.
 * Running episodes hold their own scenes.
 */
const cachedScenes = 1_024;

/** Opens a household world. It has no resources that must be released. */
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
