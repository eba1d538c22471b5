import { createRng, type Rng } from '../core/rng.ts';
import { assertTask, type PanelInfo, type TaskInfo, type TaskRef, type TaskSource } from '../core/task.ts';
import { families, type Family } from './goal.ts';
import { generateTask, type Recipe } from './generate-task.ts';
import { contentOf, type HouseholdTask } from './task.ts';

/** The number of tasks of each family in a panel. */
export type FamilyCounts = Readonly<Record<Family, number>>;

/** A panel and the source of its tasks. */
export interface PanelSpec {
  readonly name: string;
  readonly purpose: PanelInfo['purpose'];
  readonly summary: string;
  readonly counts: FamilyCounts;
  readonly recipe: () => Recipe;
}

/** The seed of all household tasks. Another seed would be another benchmark. */
const worldSeed = 20_260_101;

/**
 * The tasks of one env id. They are pure functions of panel and index, generated on demand and then kept
 * (about 4 kB each).
 */
export class HouseholdPanels implements TaskSource {
  readonly panels: readonly PanelInfo[];
  readonly #world: string;
  readonly #open: ReadonlyMap<string, OpenPanel>;

  constructor(world: string, specs: readonly PanelSpec[]) {
    const root = createRng(worldSeed).fork(world);
    this.#world = world;
    this.#open = new Map(specs.map((spec) => [spec.name, new OpenPanel(spec, root.fork(spec.name))]));
    this.panels = specs.map((spec) => ({
      name: spec.name,
      size: families.reduce((sum, family) => sum + spec.counts[family], 0),
      purpose: spec.purpose,
      summary: spec.summary,
    }));
  }

  /**
   * Returns a task.
   *
   * @throws UsageError where it does not exist
   */
  task(ref: TaskRef): HouseholdTask {
    assertTask(this, this.#world, ref);
    return (this.#open.get(ref.panel) as OpenPanel).task(ref.index);
  }

  describeTask(ref: TaskRef): TaskInfo {
    const task = this.task(ref);
    return { family: task.goal.family, instruction: task.instruction, content: contentOf(task) };
  }
}

class OpenPanel {
  readonly #spec: PanelSpec;
  readonly #rng: Rng;
  #recipe: Recipe | undefined;
  #order: readonly Family[] | undefined; // (tasks)
  readonly #tasks = new Map<number, HouseholdTask>();

  constructor(spec: PanelSpec, rng: Rng) {
    this.#spec = spec;
    this.#rng = rng;
  }

  task(index: number): HouseholdTask {
    const known = this.#tasks.get(index);
    if (known !== undefined) return known;
    const task = this.#generate(index);
    this.#tasks.set(index, task);
    return task;
  }

  #generate(index: number): HouseholdTask {
    this.#order ??= this.#rng
      .fork('families')
      .shuffle(families.flatMap((family) => Array.from({ length: this.#spec.counts[family] }, () => family)));
    this.#recipe ??= this.#spec.recipe();
    return generateTask(this.#recipe, this.#order[index] as Family, this.#rng.fork(index));
  }
}
