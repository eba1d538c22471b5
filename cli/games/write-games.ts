import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { describePathError } from '../../envs/core/user-file.ts';
import type { DialectName } from '../../envs/household/dialect.ts';
import { goalTarget } from '../../envs/household/goal.ts';
import { HouseholdPanels } from '../../envs/household/panels.ts';
import type { HouseholdTask } from '../../envs/household/task.ts';
import { worldPanels } from '../../envs/household/world-panels.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { writeNew } from '../options/new-file.ts';
import { householdGame } from './household-game.ts';
import { taskTypes, trajectoryData } from './trajectory-data.ts';

/** Panels of the household world, and ALFWorld's folder names for such games. */
export const splitOfPanel = { train: 'train', seen: 'valid_seen', unseen: 'valid_unseen' } as const;

export type GamePanel = keyof typeof splitOfPanel;

export interface GamesToWrite {
  readonly folder: string;
  readonly panels: readonly GamePanel[];
  /** Tasks of each panel, from the first; all if a panel has fewer. */
  readonly tasks: number;
  readonly dialect: DialectName;
}

/**
 * Writes household tasks as game files, in folders named like ALFWorld's, each with the `traj_data.json` by
 * which ALFWorld's own loader finds games. Returns the number of each panel.
 *
 * @throws UsageError for an existing folder that is not empty
 */
export async function writeGames(
  { folder, panels: names, tasks, dialect }: GamesToWrite,
  {
    signal,
    onWritten,
  }: { readonly signal: AbortSignal; readonly onWritten: (done: number, total: number) => void },
): Promise<Readonly<Record<string, number>>> {
  await assertEmpty(folder);
  const panels = new HouseholdPanels('household-v1', worldPanels);
  const wanted = names.map((name) => ({
    name,
    count: Math.min(tasks, panels.panels.find((panel) => panel.name === name)?.size ?? 0),
  }));
  const total = wanted.reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  for (const { name, count } of wanted) {
    for (let index = 0; index < count; index += 1) {
      signal.throwIfAborted();
      const task = panels.task({ panel: name, index });
      const trial = `trial_household_${name}_${index}`;
      const place = path.join(folder, 'json_2.1.1', splitOfPanel[name], folderOf(task, index), trial);
      await makeFolder(place);
      await writeNew(path.join(place, 'game.tw-pddl'), JSON.stringify(householdGame(task, dialect)));
      await writeNew(path.join(place, 'traj_data.json'), JSON.stringify(trajectoryData(task, trial)));
      onWritten((done += 1), total);
    }
  }
  return Object.fromEntries(wanted.map(({ name, count }) => [splitOfPanel[name], count]));
}

function folderOf({ goal }: HouseholdTask, index: number): string {
  return `${taskTypes[goal.family]}-${goal.object}-None-${goalTarget(goal)}-${String(index).padStart(4, '0')}`;
}

async function assertEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw new UsageError(
      {
        where: folder,
        what: `it cannot be a folder: ${describePathError(thrown)}.`,
        fix: 'Name a new folder.',
      },
      { cause: thrown },
    );
  });
  if (entries.length === 0) return;
  throw new UsageError({
    where: folder,
    what: 'the folder is not empty, and nothing is overwritten.',
    fix: 'Name a new folder.',
  });
}
