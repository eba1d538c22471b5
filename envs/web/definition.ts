import { defineEnv } from '../core/env.ts';
import { describeAction, readAction, webActionSchema } from './action.ts';
import { webConfig, type WebConfig } from './config.ts';
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
  turnLimit: ({ maxSteps }: WebConfig) => maxSteps,
  open: async (config: WebConfig, context) => {
    const { openWeb } = await import('./host.ts'); // the browser is for who plays, not for every command
    return openWeb(config, context);
  },
});
