import { defineEnv } from '../core/env.ts';
import { describeAction, programActionSchema, readAction } from './action.ts';
import { codeConfig, type CodeConfig } from './config.ts';
import { describeObservation, programObservationSchema } from './observation.ts';

export const codeEnv = defineEnv({
  id: 'code-v1',
  summary: 'write a program, run it, see which visible tests fail, mend it; hidden tests judge: 595 problems of our own, or files as of HumanEval, MBPP, APPS and TACO',
  config: codeConfig,
  observation: programObservationSchema,
  action: programActionSchema,
  deterministic: true,
  text: { observation: describeObservation, action: describeAction, parse: readAction },
  turnLimit: ({ maxSteps }: CodeConfig) => maxSteps,
  open: async (config: CodeConfig, context) => {
    const { openCodeInContext } = await import('./open-code.ts'); // problems and judges are for who plays, not for every command
    return openCodeInContext(config, context);
  },
});
