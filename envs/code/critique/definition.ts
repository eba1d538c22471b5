import { defineEnv } from '../../core/env.ts';
import { critiqueRecipes } from '../recipes.ts';
import { critiqueActionSchema, describeCritiqueAction, readCritiqueAction } from './action.ts';
import { critiqueConfig } from './config.ts';
import { critiqueObservationSchema, type CritiqueObservation } from './critique-env.ts';

/**
 * The agent decides whether a program is right, as in Critique-Coder. With `runs`, it may run the program
 * first.
 */
export const critiqueEnv = defineEnv({
  id: 'critique-v1',
  summary:
    'is this program right? Solutions of code-v1 and slips made in them, half and half; a verdict on each, where runs says so after running it',
  config: critiqueConfig,
  observation: critiqueObservationSchema,
  action: critiqueActionSchema,
  deterministic: true,
  recipes: critiqueRecipes,
  catalogue: {
    family: 'code',
    tags: ['programs', 'step-wise', 'generated'],
    licence: 'Apache-2.0',
    needs: ['sandbox'],
  },
  unchecked: {
    secrets: 'its secret is one word of two',
    'state-key-alias': 'a program is judged once, and running it changes nothing',
  },
  turnLimit: ({ runs }) => runs + 1,
  text: {
    observation: ({ program, said }: CritiqueObservation) => (said === '' ? program : said),
    action: describeCritiqueAction,
    parse: readCritiqueAction,
  },
  open: async (config, context) => {
    // problems and judges are loaded only to play, not by every command
    const { openCritique } = await import('./open-critique.ts');
    return openCritique(config, context);
  },
});
