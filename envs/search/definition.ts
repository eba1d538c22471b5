import { defineEnv } from '../core/env.ts';
import { describeAction, isSample, readAction, searchActionSchema } from './action.ts';
import { searchConfig, type SearchConfig } from './config.ts';
import { describeObservation, searchObservationSchema } from './observation.ts';
import { searchRecipes } from './recipes.ts';

export const searchEnv = defineEnv({
  id: 'search-v1',
  summary:
    'questions of 1 to 5 facts, answered by searching: a generated world that no model has read, a corpus of your own, or a retrieval server',
  config: searchConfig,
  observation: searchObservationSchema,
  action: searchActionSchema,
  deterministic: true,
  text: {
    observation: describeObservation,
    action: describeAction,
    parse: readAction,
    readsThoughts: true,
    isSample,
  },
  bench: { prompt: 'think-tags' },
  recipes: searchRecipes,
  catalogue: {
    family: 'search',
    tags: ['retrieval', 'step-wise', 'hidden-information', 'generated'],
    licence: 'Apache-2.0',
  },
  unchecked: {
    secrets: 'documents show the answer, as they must; the law of what is hidden swaps the gold answers',
  },
  turnLimit: ({ maxSteps }: SearchConfig) => maxSteps,
  open: async (config: SearchConfig, context) => {
    const { openSearch } = await import('./host.ts'); // the engine is loaded only to play, not by every command
    return openSearch(config, context);
  },
});
