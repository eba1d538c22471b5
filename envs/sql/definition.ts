import { defineEnv } from '../core/env.ts';
import { describeAction, readAction, sqlActionSchema } from './action.ts';
import { sqlConfig, type SqlConfig } from './config.ts';
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
  turnLimit: ({ maxSteps }: SqlConfig) => maxSteps,
  open: async (config: SqlConfig, context) => {
    const { openSql } = await import('./host.ts'); // the engine is for who plays, not for every command
    return openSql(config, context);
  },
});
