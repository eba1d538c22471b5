import { z } from 'zod';
import { defineCommand } from '../program/define-command.ts';
import { wholeNumber } from '../options/option-values.ts';
import type { GamePanel } from '../games/write-games.ts';

const panelNames = ['train', 'seen', 'unseen'] as const satisfies readonly GamePanel[];

export const gamesCommand = defineCommand({
  arguments: [{ name: 'folder', says: 'a new folder for the files', required: true }],
  flags: [
    {
      flags: '--panel <name>',
      says: 'train, seen or unseen of household-v1 (repeatable; default: all three)',
      repeatable: true,
    },
    { flags: '--tasks <n>', says: 'number of tasks of each panel, from the first (default: 100)' },
    {
      flags: '--dialect <name>',
      says: 'current, or classic, the wording before version 0.4.0 (default: current)',
    },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    { line: 'npx cairn-gym games games', says: 'a hundred games of each split' },
    {
      line: 'npx cairn-gym bench alfworld --set files=games --agent expert',
      says: 'plays the held-out ones',
    },
  ],
  options: z.strictObject({
    folder: z.string(),
    panel: z.array(z.enum(panelNames)).default([]),
    tasks: wholeNumber(1).default(100),
    dialect: z.enum(['current', 'classic']).default('current'),
  }),
  run: async ({ folder, panel, tasks, dialect }, session) => {
    const { writeGames } = await import('../games/write-games.ts');
    const written = await writeGames(
      { folder, panels: panel.length === 0 ? panelNames : [...new Set(panel)], tasks, dialect },
      {
        signal: session.signal,
        onWritten: (done, total) => session.progress.report({ label: 'games', done, total }),
      },
    );
    const counts = Object.entries(written).map(([split, count]) => `${split} ${count}`);
    return {
      document: { folder, games: written },
      lines: [
        `${folder}: ${counts.join(', ')}`,
        `Play one with npx cairn-gym play alfworld --set files=${folder}.`,
      ],
    };
  },
});
