import { assertTask, type PanelInfo, type TaskInfo, type TaskRef, type TaskSource } from '../core/task.ts';
import { FaultError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { GameEntry } from './game-index.ts';
import { anyGoal, type GameShelf, type LoadedGame } from './game-shelf.ts';

/** `dev` may take at most one in this many training games. */
const mostDevShare = 10;

/** The panels of a set of games: one per split, and `dev` from `train`. */
export class AlfworldPanels implements TaskSource {
  readonly panels: readonly PanelInfo[];
  readonly identity: Json;
  readonly #games: ReadonlyMap<string, readonly GameEntry[]>;
  readonly #shelf: GameShelf;
  readonly #described = new Map<GameEntry, TaskInfo>();

  constructor(
    entries: readonly GameEntry[],
    shelf: GameShelf,
    options: { readonly dev: number; readonly identity: Json },
  ) {
    this.#shelf = shelf;
    this.identity = options.identity;
    const dev = chooseDev(entries, options.dev);
    const panelOf = (entry: GameEntry): string =>
      entry.split === 'train' && dev.has(entry.digest) ? 'dev' : entry.split;
    const known = panelNames.map(
      ({ name }) => [name, entries.filter((entry) => panelOf(entry) === name)] as const,
    );
    this.#games = new Map(known.filter(([, games]) => games.length > 0));
    this.panels = panelNames.flatMap((panel) => {
      const size = this.#games.get(panel.name)?.length ?? 0;
      return size === 0 ? [] : [{ ...panel, size }];
    });
  }

  entry(ref: TaskRef): GameEntry {
    assertTask(this, 'alfworld-v1', ref);
    return this.#games.get(ref.panel)?.[ref.index] as GameEntry;
  }

  game(ref: TaskRef): LoadedGame {
    return this.#shelf.get(this.entry(ref));
  }

  describeTask(ref: TaskRef): TaskInfo {
    const entry = this.entry(ref);
    const known = this.#described.get(entry) ?? this.#describe(entry);
    this.#described.set(entry, known); // a missing file is reported when it is played
    return known;
  }

  /**
   * The description of a game. A game with broken rules gets what its folder and its grammar show, and the
   * error is reported when it is played.
   */
  #describe(entry: GameEntry): TaskInfo {
    const { family, instruction } = entry;
    const content = { game: entry.digest };
    if (family !== undefined && instruction !== undefined) return { family, instruction, content };
    try {
      const loaded = this.#shelf.get(entry);
      return {
        family: family ?? loaded.game.goal?.family ?? 'other',
        instruction: loaded.instruction,
        content,
      };
    } catch (thrown) {
      if (!FaultError.is(thrown)) throw thrown;
      return { family: family ?? 'other', instruction: instruction ?? anyGoal, content };
    }
  }
}

const panelNames: readonly Omit<PanelInfo, 'size'>[] = [
  { name: 'train', purpose: 'train', summary: 'games to learn from' },
  { name: 'dev', purpose: 'dev', summary: 'games taken out of train, for every choice' },
  { name: 'valid_seen', purpose: 'held-out', summary: 'rooms of train, other placements and goals' },
  { name: 'valid_unseen', purpose: 'held-out', summary: 'rooms that train never has' },
];

/**
 * Digests of the games of `dev`: the first ones in the order of their digests, which is unrelated to their
 * content.
 */
function chooseDev(entries: readonly GameEntry[], wanted: number): ReadonlySet<string> {
  const train = entries.filter(({ split }) => split === 'train');
  const digests = [...new Set(train.map(({ digest }) => digest))].toSorted();
  return new Set(digests.slice(0, Math.min(wanted, Math.floor(digests.length / mostDevShare))));
}
