import { defineToolEnv } from '../engines/tools/define-tool-env.ts';
import { tau2Settings } from './config.ts';

export const tau2Env = defineToolEnv({
  id: 'tau2-v1',
  summary:
    "τ²-bench's customer service: its domains mock, retail, airline and telecom, played from your copy of its data",
  settings: tau2Settings,
  // results are shown as the original shows them, and a model that plays the user takes its time
  defaults: { maxSteps: 200, resultCharacters: 200_000, timeMs: 300_000 },
  catalogue: {
    family: 'tau2',
    tags: ['tool-calls', 'dialogue', 'step-wise', 'hidden-information'],
    licence: 'MIT (the data of τ²-bench, which the user downloads)',
    needs: ['data'],
  },
  world: async (config, context) => {
    const { openTau2 } = await import('./world.ts'); // the domains are loaded only to play, not by every command
    return openTau2(config, context);
  },
});
