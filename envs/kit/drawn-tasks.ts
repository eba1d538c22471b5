import { hash } from 'node:crypto';
import type { z } from 'zod';
import type { EnvId } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { canonicalJson } from '../core/json.ts';
import { createRng, type Rng } from '../core/rng.ts';
import type { TaskRef } from '../core/task.ts';
import type { WorldPanel, WorldTask } from './text-world.ts';

/** Where the tasks of a world come from. See {@link drawnTasks}. */
export interface TaskDraw<Id extends EnvId, Config extends z.ZodType, State> {
  readonly id: Id;
  readonly config: Config;
  readonly instruction: string | ((config: z.output<Config>, start: State) => string);
  /** Draws the start of a task. All chance comes from `rng`. `index` lets levels of difficulty take turns. */
  readonly draw: (rng: Rng, config: z.output<Config>, index: number) => State;
  /** Fixed starts, such as the board of the original game. They make the held-out panel `original`, and no drawn task equals one. */
  readonly originals?: {
    readonly size: number;
    readonly start: (index: number, config: z.output<Config>) => State;
  };
  /** Results are reported by family. Default: the name of the env. */
  readonly family?: (start: State, config: z.output<Config>) => string;
  /** What the hash of a start is taken from. Starts with equal values are in one panel. Default: the start. */
  readonly apart?: (start: State) => unknown;
  /** The panel of a start, where a hash would leave a panel empty because there are a handful of starts. Default: by the hash. */
  readonly panelOf?: (start: State, config: z.output<Config>) => DrawnPanel | undefined;
}

export type DrawnPanel = 'train' | 'dev' | 'unseen';

const panels = {
  train: { size: 1_000, summary: 'Tasks to learn on' },
  dev: { size: 100, summary: 'Other tasks, for every choice' },
  unseen: { size: 100, summary: 'Other tasks again, run once at the end' },
} as const;

/** After this many draws without a task of the panel, there are too few different starts. */
const mostDraws = 5_000;

/**
 * Tasks whose starts are drawn at random: `id`, `config`, `panels` and `task` of {@link defineTextEnv}, to be spread into it. The panels
 * are `train` (1,000 tasks), `dev` and `unseen` (100 each), and `original` where fixed starts are given. A hash of the start decides on
 * the panel: eight of ten starts are for training, one for `dev`, one is unseen. No start is in two panels.
 *
 * @throws UsageError at a reset, where the starts are too few
 */
export function drawnTasks<const Id extends EnvId, Config extends z.ZodType, State>(
  source: TaskDraw<Id, Config, State>,
): {
  readonly id: Id;
  readonly config: Config;
  readonly panels: Readonly<Record<string, WorldPanel>>;
  task(ref: TaskRef, config: z.output<Config>): WorldTask<State>;
} {
  const { id, config, instruction, originals, family, apart = (start: State): unknown => start } = source;
  const root = createRng(0).fork('drawn-tasks').fork(id);
  const fixed = (settings: z.output<Config>): ReadonlySet<string> =>
    new Set(
      Array.from({ length: originals?.size ?? 0 }, (_, index) =>
        canonicalJson(apart(originals?.start(index, settings) as State)),
      ),
    );
  const startOf = ({ panel, index }: TaskRef, settings: z.output<Config>): State => {
    if (panel === 'original' && originals !== undefined) return originals.start(index, settings);
    const stream = root.fork(panel).fork(index);
    const taken = fixed(settings);
    for (let attempt = 0; attempt < mostDraws; attempt += 1) {
      const start = source.draw(stream.fork(attempt), settings, index);
      const text = canonicalJson(apart(start));
      const drawn = source.panelOf?.(start, settings) ?? drawnPanelOf(text);
      if (drawn === panel && !taken.has(text)) return start;
    }
    throw new UsageError({
      where: `${id}, task ${panel}/${index}`,
      what: `${mostDraws} draws gave no start of this panel.`,
      fix: 'Let draw return more different starts. Each config needs dozens.',
    });
  };
  return {
    id,
    config,
    panels: {
      ...panels,
      ...(originals === undefined
        ? {}
        : { original: { size: originals.size, summary: 'The start of the original game' } }),
    },
    task: (ref, settings) => {
      const start = startOf(ref, settings);
      return {
        instruction: typeof instruction === 'string' ? instruction : instruction(settings, start),
        start,
        ...(family === undefined ? {} : { family: family(start, settings) }),
      };
    },
  };
}

/** The panel of a start, by its canonical text. */
function drawnPanelOf(text: string): DrawnPanel {
  const share = Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) % 10;
  return share < 8 ? 'train' : share === 8 ? 'dev' : 'unseen';
}
