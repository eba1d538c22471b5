import { defineProgramEnv } from '../define-program-env.ts';
import { machineLearningRecipes } from '../recipes.ts';
import { machineLearningConfig, type MachineLearningConfig } from './config.ts';

export const machineLearningEnv = defineProgramEnv({
  id: 'ml-engineering-v1',
  summary:
    'improve a training script on a small data set under a budget of runs; the score on hidden data judges, after ML-Agent',
  config: machineLearningConfig,
  recipes: machineLearningRecipes,
  open: async (config: MachineLearningConfig, context) => {
    const { openMachineLearning } = await import('./open-machine-learning.ts');
    return openMachineLearning(config, context);
  },
});
