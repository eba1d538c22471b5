import { defineProgramEnv } from '../define-program-env.ts';
import { verilogConfig, type VerilogConfig } from './config.ts';

export const verilogEnv = defineProgramEnv({
  id: 'verilog-v1',
  summary:
    'write a Verilog module; Icarus simulates it beside a golden one, on the same inputs, corners and by lot, clocked designs too',
  config: verilogConfig,
  open: async (config: VerilogConfig, context) => {
    const { openVerilog } = await import('./open-verilog.ts');
    return openVerilog(config, context);
  },
});
