import { defineEnv } from '../core/env.ts';
import { describeAction, isSample, readAction, routeActionSchema } from './action.ts';
import { routeConfig, type RouteConfig } from './config.ts';
import { describeObservation, routeObservationSchema } from './observation.ts';
import { routeRecipes } from './recipes.ts';

export const routeEnv = defineEnv({
  id: 'route-v1',
  summary:
    'questions answered by calling other models, which differ in knowledge, price and latency: simulated ones, or models of servers; cost is in the reward',
  config: routeConfig,
  observation: routeObservationSchema,
  action: routeActionSchema,
  deterministic: true,
  text: {
    observation: describeObservation,
    action: describeAction,
    parse: readAction,
    readsThoughts: true,
    isSample,
  },
  bench: { prompt: 'think-tags' },
  recipes: routeRecipes,
  catalogue: {
    family: 'route',
    tags: ['tool-calls', 'cost', 'step-wise', 'hidden-information', 'generated'],
    licence: 'Apache-2.0',
  },
  unchecked: {
    secrets: 'models state the answer, as they must; the law of what is hidden swaps the gold answers',
  },
  turnLimit: ({ maxSteps }: RouteConfig) => maxSteps,
  open: async (config: RouteConfig, context) => {
    const { openRoute } = await import('./host.ts'); // loaded only to play, not by every command
    return openRoute(config, context);
  },
});
