import { defineEnv } from '../core/env.ts';
import { describeAction, readAction, webActionSchema } from './action.ts';
import { webConfig, type WebConfig } from './config.ts';
import { webRecipes } from './recipes.ts';
import { describeObservation, webObservationSchema } from './observation.ts';

export const webEnv = defineEnv({
  id: 'web-v1',
  summary:
    'web pages in a real browser, by the MiniWoB++ convention: 45 of our own, or any folder of such pages',
  config: webConfig,
  observation: webObservationSchema,
  action: webActionSchema,
  deterministic: true,
  text: { observation: describeObservation, action: describeAction, parse: readAction },
  recipes: webRecipes,
  catalogue: {
    family: 'web',
    tags: ['browser', 'step-wise', 'generated'],
    licence: 'Apache-2.0',
    needs: ['browser'],
  },
  unchecked: {
    tasks: 'what is wanted is drawn by the page, when it is played',
    secrets: 'what a page hides is in its scripts, which agents never see',
    hidden: 'what a page hides is in its scripts, and cannot be swapped from outside',
    experts:
      'what a page hides is in its scripts, and cannot be swapped from outside: whether the searcher looks there cannot be checked',
    snapshot: 'a page cannot be saved in mid-episode',
    'state-key-alias': 'there is no state key: what scripts hold is not to be seen from outside',
    'state-key-split': 'there is no state key',
  },
  turnLimit: ({ maxSteps }: WebConfig) => maxSteps,
  open: async (config: WebConfig, context) => {
    const { openWeb } = await import('./host.ts'); // the browser is loaded only to play, not by every command
    return openWeb(config, context);
  },
});
