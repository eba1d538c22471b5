import type { Audit, EnvHost, Experts, Snapshot } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { Rng } from '../core/rng.ts';
import { assertTask, type PanelInfo, type TaskInfo, type TaskRef, type TaskSource } from '../core/task.ts';
import { LruCache } from '../kit/lru-cache.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { ShopEnv } from './env.ts';
import type { Goal } from './goals/goal.ts';
import type { GoalPanel } from './goals/goal.ts';
import { drawerOf, type ObservationMode } from './observation.ts';
import { planPurchase } from './planner.ts';
import type { NounSource, Purchase, Score } from './reward/score.ts';
import { ShopSearcher } from './searcher/shop-searcher.ts';
import { Shop } from './shop.ts';
import { swapGoalIn } from './swap-goal.ts';
import { goalContent, taskOf, type ShopTask } from './task.ts';
import { revisit, Visit, type ShopRules } from './visit.ts';

/** The parts of a shop. */
export interface ShopStock {
  readonly catalogue: Catalogue;
  readonly panels: readonly GoalPanel[];
  readonly nouns: NounSource;
  score(purchase: Purchase, goal: Goal, nouns: NounSource, manner: Pick<ShopManner, 'strict'>): Score;
}

export interface ShopManner {
  readonly observationMode: ObservationMode;
  /** Fixes errors of the original in pages, actions and the reward. See the README of the family. */
  readonly strict: boolean;
  /** Whether products have a page with their attributes and categories. */
  readonly showAttributes: boolean;
}

/** The host of shop-v1. It also exposes its episodes as visits, for envs that show them in another way. */
export interface ShopHost extends EnvHost<string, string> {
  readonly experts: Required<Pick<Experts<string, string>, 'planner' | 'searcher'>>;
  readonly audit: Required<Pick<Audit<string>, 'swapHidden'>>;
  /** The description of a goal always has its instruction. */
  describeTask(ref: TaskRef): Required<Omit<TaskInfo, 'category'>>;
  /** Starts an episode of that task. */
  visit(ref: TaskRef): Visit;
  /**
   * Restores a saved episode.
   *
   * @throws UsageError for a snapshot that was not taken in this shop
   */
  revisit(saved: Snapshot): Visit;
}

const id = 'shop-v1';
const cachedTasks = 2048;
const cachedTitles = 8192;

/** Opens a shop. Closing the host closes its catalogue. */
export function openShop(stock: ShopStock, manner: ShopManner): ShopHost {
  const shop = new Shop(stock.catalogue, manner);
  const goals = new Goals(stock);
  const nouns = remembering(stock.nouns);
  const score = (purchase: Purchase, goal: Goal): Score => stock.score(purchase, goal, nouns, manner);
  const rules: ShopRules = {
    shop,
    draw: drawerOf(manner.observationMode, manner),
    taskOf: (ref, goal) => goals.task(ref, goal),
    score,
  };
  return {
    panels: goals.panels,
    describeTask: (ref) => goals.describeTask(ref),
    create: async () => new ShopEnv(rules),
    visit: (ref) => new Visit(rules, goals.task(ref)),
    revisit: (saved) => revisit(rules, saved),
    close: () => shop.close(),
    experts: {
      planner: (ref) => {
        const task = goals.task(ref);
        return planPurchase(task, { shop, score: (purchase) => score(purchase, task.goal) });
      },
      searcher: (rng) => new ShopSearcher(manner.observationMode, rng),
    },
    audit: { swapHidden: swapGoalIn(shop, (rng) => goals.any(rng)) },
  };
}

/** Caches the nouns of repeated titles. */
function remembering(nouns: NounSource): NounSource {
  const known = new LruCache<string, readonly string[]>(cachedTitles);
  return { origin: nouns.origin, nounsOf: (title) => known.get(title, () => nouns.nounsOf(title)) };
}

/**
 * Everything that the task's score depends on: the goal, the products, and the source of the nouns of titles.
 */
function contentOf(goal: Goal, { catalogue, nouns }: ShopStock): Json {
  return {
    goal: goalContent(goal),
    catalogue: { source: catalogue.source, fingerprint: catalogue.fingerprint },
    nouns: { ...nouns.origin },
  };
}

/** The goals by panel, with cached data about recent ones. */
class Goals implements TaskSource {
  readonly panels: readonly PanelInfo[];
  readonly #stock: ShopStock;
  readonly #panels: ReadonlyMap<string, GoalPanel>;
  readonly #tasks = new LruCache<string, ShopTask>(cachedTasks);

  constructor(stock: ShopStock) {
    const { panels } = stock;
    this.#stock = stock;
    this.panels = panels.map(({ name, size, purpose, summary }) => ({ name, size, purpose, summary }));
    this.#panels = new Map(panels.map((panel) => [panel.name, panel]));
  }

  /**
   * The task with its own goal or with another.
   *
   * @throws UsageError when it does not exist
   */
  task(ref: TaskRef, goal?: Goal): ShopTask {
    const panel = this.#panel(ref);
    const name = String(panel.first + ref.index);
    if (goal !== undefined) return taskOf(ref, name, goal);
    return this.#tasks.get(`${ref.panel}/${ref.index}`, () => taskOf(ref, name, panel.goal(ref.index)));
  }

  describeTask(ref: TaskRef): Required<Omit<TaskInfo, 'category'>> {
    // without a task, because a fingerprint reads a hundred thousand of them
    const goal = this.#panel(ref).goal(ref.index);
    return {
      family: goal.category === '' ? 'other' : goal.category,
      instruction: goal.instruction,
      content: contentOf(goal, this.#stock),
    };
  }

  #panel(ref: TaskRef): GoalPanel {
    assertTask(this, id, ref);
    return this.#panels.get(ref.panel) as GoalPanel;
  }

  any(rng: Rng): Goal {
    const panel = rng.pick([...this.#panels.values()]);
    return panel.goal(rng.int(panel.size));
  }
}
