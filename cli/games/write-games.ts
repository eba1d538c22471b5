import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import type { DialectName } from '../../envs/household/dialect.ts';
import { goalTarget, type Family } from '../../envs/household/goal.ts';
import { HouseholdPanels } from '../../envs/household/panels.ts';
import type { HouseholdTask } from '../../envs/household/task.ts';
import { worldPanels } from '../../envs/household/world-panels.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { writeNew } from '../options/new-file.ts';
import { householdGame } from './household-game.ts';

/** Panels of the household world, and ALFWorld's folder names for such games. */
export const splitOfPanel = { train: 'train', seen: 'valid_seen', unseen: 'valid_unseen' } as const;

export type GamePanel = keyof typeof splitOfPanel;

/** ALFWorld's names of task kinds, with which its folder names begin. */
const taskNames: Readonly<Record<Family, string>> = {
  pick: 'pick_and_place_simple',
  look: 'look_at_obj_in_light',
  clean: 'pick_clean_then_place_in_recep',
  heat: 'pick_heat_then_place_in_recep',
  cool: 'pick_cool_then_place_in_recep',
  pick2: 'pick_two_obj_and_place',
};

export interface GamesToWrite {
  readonly folder: string;
  readonly panels: readonly GamePanel[];
  /** Tasks of each panel, from the first; all if a panel has fewer. */
  readonly tasks: number;
  readonly dialect: DialectName;
}

/**
 * Writes household tasks as game files, in folders named like ALFWorld's. Returns the number of each panel.
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
      const place = path.join(
        folder,
        'json_2.1.1',
        splitOfPanel[name],
        folderOf(task, index),
        `trial_household_${name}_${index}`,
      );
      await makeFolder(place);
      await writeNew(path.join(place, 'game.tw-pddl'), JSON.stringify(householdGame(task, dialect)));
      onWritten((done += 1), total);
    }
  }
  return Object.fromEntries(wanted.map(({ name, count }) => [splitOfPanel[name], count]));
}

function folderOf({ goal }: HouseholdTask, index: number): string {
  return `${taskNames[goal.family]}-${goal.object}-None-${goalTarget(goal)}-${String(index).padStart(4, '0')}`;
}

async function assertEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch(() => []);
  if (entries.length === 0) return;
  throw new UsageError({
    where: folder,
    what: 'the folder is not empty, and nothing is overwritten.',
    fix: 'Name a new folder.',
  });
}
