import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { householdGame } from '../../cli/games/household-game.ts';
import type { DialectName } from '../../envs/household/dialect.ts';
import { HouseholdPanels } from '../../envs/household/panels.ts';
import { worldPanels } from '../../envs/household/world-panels.ts';

const panels = new HouseholdPanels('household-v1', worldPanels);

/** Panels of the household world, and the folders that ALFWorld keeps such games in. */
const splitOf = { train: 'train', seen: 'valid_seen', unseen: 'valid_unseen' } as const;

export type Counts = Readonly<Partial<Record<keyof typeof splitOf, number>>>;

/** A temporary folder of games in the original's layout, written from household tasks; remove it after. */
export function writeGames(
  counts: Counts,
  dialect: DialectName = 'current',
): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-alfworld-'));
  for (const [panel, split] of Object.entries(splitOf)) {
    for (let index = 0; index < (counts[panel as keyof typeof splitOf] ?? 0); index += 1) {
      const trial = path.join(folder, 'json_2.1.1', split, `task-${index}`, 'trial_0');
      mkdirSync(trial, { recursive: true });
      writeFileSync(
        path.join(trial, 'game.tw-pddl'),
        JSON.stringify(householdGame(panels.task({ panel, index }), dialect)),
      );
    }
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
