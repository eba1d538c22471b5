import { defineEnv } from '../core/env.ts';
import { describeAction, readAction, sqlActionSchema } from './action.ts';
import { sqlConfig, type SqlConfig } from './config.ts';
import { sqlRecipes } from './recipes.ts';
import { describeObservation, sqlObservationSchema } from './observation.ts';

export const sqlEnv = defineEnv({
  id: 'sql-v1',
  summary:
    'questions about databases, answered by SQL: look at tables, try queries, answer; generated, or folders in the form of Spider and BIRD',
  config: sqlConfig,
  observation: sqlObservationSchema,
  action: sqlActionSchema,
  deterministic: true,
  text: { observation: describeObservation, action: describeAction, parse: readAction },
  recipes: sqlRecipes,
  catalogue: {
    family: 'sql',
    tags: ['queries', 'step-wise', 'hidden-information', 'generated'],
    licence: 'Apache-2.0',
  },
  unchecked: {
    secrets:
      'a query that is built right reads as the gold query does; the law of what is hidden swaps answers and rows',
  },
  feedback: 'whether the query ran, and whether the numbers of its rows and columns are right',
  turnLimit: ({ maxSteps }: SqlConfig) => maxSteps,
  open: async (config: SqlConfig, context) => {
    const { openSql } = await import('./host.ts'); // the engine is loaded only to play, not by every command
    return openSql(config, context);
  },
});
