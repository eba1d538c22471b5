import { z } from 'zod';
import { defineEnv } from '../core/env.ts';
import { costColumns, familyColumns } from '../kit/bench-columns.ts';
import { commandText } from '../kit/text-game.ts';

export const alfworldConfig = z.strictObject({
  files: z
    .union([z.string(), z.array(z.string().min(1))])
    .default([])
    .describe(
      "the game files: a folder, such as the original's json_2.1.1, a file, a pattern with * and **, or a list of these",
    ),
  skip: z
    .enum(['as-original', 'nothing'])
    .default('as-original')
    .describe(
      'games to leave out: sliced and movable tasks and those not known to be solvable, as the original does, or none',
    ),
  dev: z
    .int()
    .min(0)
    .default(100)
    .describe('number of games of train that form the panel dev, at most a tenth'),
  maxSteps: z.int().min(1).max(1000).default(50).describe('number of steps after which the task fails'),
});

export type AlfworldConfig = z.output<typeof alfworldConfig>;

/** The families with their titles in papers, in the order of the papers. */
const paperTitles = {
  pick: 'Pick',
  look: 'Look',
  clean: 'Clean',
  heat: 'Heat',
  cool: 'Cool',
  pick2: 'Pick2',
};

export const alfworldEnv = defineEnv({
  id: 'alfworld-v1',
  summary: "ALFWorld's own games, played from their files (game.tw-pddl)",
  config: alfworldConfig,
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: commandText,
  bench: {
    panels: ['valid_unseen', 'valid_seen'],
    columns: [...familyColumns(paperTitles), { kind: 'success', title: 'All' }, ...costColumns],
    prompt: {
      by: 'dialect',
      prompts: { current: 'household-react', classic: 'household-react-classic', other: 'plain' },
    },
  },
  catalogue: {
    family: 'alfworld',
    tags: ['text', 'step-wise', 'hidden-information'],
    licence: 'MIT (the games of ALFWorld, which the user downloads)',
    needs: ['data'],
  },
  unchecked: { secrets: 'its hidden facts are places, whose names are no secrets' },
  turnLimit: (config: AlfworldConfig) => config.maxSteps,
  open: async (config: AlfworldConfig, context) => {
    // planner and grammar are loaded only to play, not by every command
    const { openAlfworld } = await import('./host.ts');
    return openAlfworld(config, context);
  },
});
