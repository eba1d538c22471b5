import { codeConfig, type CodeConfig } from './config.ts';
import { defineProgramEnv } from './define-program-env.ts';
import { codeRecipes } from './recipes.ts';

export const codeEnv = defineProgramEnv({
  id: 'code-v1',
  summary:
    'write a program, run it, see which visible tests fail, fix it; hidden tests judge: 595 problems of our own, or files as of HumanEval, MBPP, APPS and TACO',
  config: codeConfig,
  recipes: codeRecipes,
  open: async (config: CodeConfig, context) => {
    // problems and judges are loaded only to play, not by every command
    const { openCodeInContext } = await import('./open-code.ts');
    return openCodeInContext(config, context);
  },
});
