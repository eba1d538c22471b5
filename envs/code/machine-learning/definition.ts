import { defineEnv } from '../../core/env.ts';
import { describeAction, programActionSchema, readAction } from '../action.ts';
import { describeObservation, programObservationSchema } from '../observation.ts';
import { machineLearningConfig, type MachineLearningConfig } from './config.ts';

export const machineLearningEnv = defineEnv({
  id: 'ml-engineering-v1',
  summary: 'improve a training script on a small data set under a budget of runs; the score on hidden data judges, after ML-Agent',
  config: machineLearningConfig,
  observation: programObservationSchema,
  action: programActionSchema,
  deterministic: true,
  text: { observation: describeObservation, action: describeAction, parse: readAction },
  turnLimit: ({ maxSteps }: MachineLearningConfig) => maxSteps,
  open: async (config: MachineLearningConfig, context) => {
    const { openMachineLearning } = await import('./open-machine-learning.ts');
    return openMachineLearning(config, context);
  },
});
