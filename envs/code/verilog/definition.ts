import { defineProgramEnv } from '../define-program-env.ts';
import { verilogRecipes } from '../recipes.ts';
import { verilogConfig, type VerilogConfig } from './config.ts';

export const verilogEnv = defineProgramEnv({
  id: 'verilog-v1',
  summary:
    'write a Verilog module; Icarus simulates it beside a golden one, on the same inputs, corners and by lot, clocked designs too',
  config: verilogConfig,
  recipes: verilogRecipes,
  unchecked: { secrets: 'the inputs of hidden steps are short numbers' },
  open: async (config: VerilogConfig, context) => {
    const { openVerilog } = await import('./open-verilog.ts');
    return openVerilog(config, context);
  },
});
