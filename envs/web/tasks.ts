import { assertTask, type PanelInfo, type TaskInfo, type TaskRef, type TaskSource } from '../core/task.ts';
import type { Json } from '../core/json.ts';
import type { FolderPage } from './page-folder.ts';
import type { WebPage } from './pages.ts';

/** A problem of a page. */
export interface WebTask {
  readonly page: FolderPage;
  /** What is known of the page, for our own pages. */
  readonly known: WebPage | undefined;
  readonly seed: number;
  /** The share of the work that is done when the episode starts, in thirds. */
  readonly thirdsDone: 0 | 1 | 2;
}

/** The problems of each page by panel. Their seeds are disjoint. */
const panelPlans = [
  { name: 'train', purpose: 'train', problems: 1000, firstSeed: 0, summary: 'problems to learn from' },
  {
    name: 'dev',
    purpose: 'dev',
    problems: 20,
    firstSeed: 1_000_000,
    summary: 'problems to choose settings by',
  },
  {
    name: 'test',
    purpose: 'held-out',
    problems: 20,
    firstSeed: 2_000_000,
    summary: 'held-out problems of the same pages',
  },
] as const;

/** A start of an episode in the middle of a page's work. */
interface Opening {
  readonly page: FolderPage;
  readonly known: WebPage | undefined;
  readonly thirdsDone: WebTask['thirdsDone'];
}

/** The panels of a set of pages: the first problem of each page, then the second of each, and so on. */
export class WebTasks implements TaskSource {
  readonly panels: readonly PanelInfo[];
  readonly identity: Json;
  readonly #openings: ReadonlyMap<string, readonly Opening[]>;
  readonly #digest: string;

  constructor(
    pages: readonly FolderPage[],
    of: {
      readonly known: ReadonlyMap<string, WebPage>;
      readonly digest: string;
      readonly curriculum: boolean;
      readonly identity: Json;
    },
  ) {
    this.identity = of.identity;
    this.#digest = of.digest;
    const plain = pages.map((page): Opening => ({ page, known: of.known.get(page.name), thirdsDone: 0 }));
    const begun = plain.flatMap((opening): readonly Opening[] =>
      (opening.known?.steps ?? 0) < 3
        ? []
        : [
            { ...opening, thirdsDone: 1 },
            { ...opening, thirdsDone: 2 },
          ],
    );
    this.#openings = new Map(
      panelPlans.map(({ name }) => [name, name === 'train' && of.curriculum ? [...plain, ...begun] : plain]),
    );
    this.panels = panelPlans.map(({ name, purpose, problems, summary }) => ({
      name,
      purpose,
      summary,
      size: problems * (this.#openings.get(name)?.length ?? 0),
    }));
  }

  task(ref: TaskRef): WebTask {
    assertTask(this, 'web-v1', ref);
    const openings = this.#openings.get(ref.panel) ?? [];
    const opening = openings[ref.index % openings.length] as Opening;
    const { firstSeed } = panelPlans.find(({ name }) => name === ref.panel) as (typeof panelPlans)[number];
    return { ...opening, seed: firstSeed + Math.floor(ref.index / openings.length) };
  }

  /** Without an instruction, because the page draws it when it is played. */
  describeTask(ref: TaskRef): TaskInfo {
    const { page, seed, thirdsDone } = this.task(ref);
    const family = thirdsDone === 0 ? page.name : `${page.name}, ${thirdsDone}/3 done`;
    return { family, content: { page: page.path, seed, thirdsDone, pages: this.#digest } };
  }
}
