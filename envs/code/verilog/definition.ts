import { defineEnv } from '../../core/env.ts';
import { describeAction, programActionSchema, readAction } from '../action.ts';
import { describeObservation, programObservationSchema } from '../observation.ts';
import { verilogConfig, type VerilogConfig } from './config.ts';

export const verilogEnv = defineEnv({
  id: 'verilog-v1',
  summary: 'write a Verilog module; Icarus simulates it beside a golden one, on the same inputs, corners and by lot, clocked designs too',
  config: verilogConfig,
  observation: programObservationSchema,
  action: programActionSchema,
  deterministic: true,
  text: { observation: describeObservation, action: describeAction, parse: readAction },
  turnLimit: ({ maxSteps }: VerilogConfig) => maxSteps,
  open: async (config: VerilogConfig, context) => {
    const { openVerilog } = await import('./open-verilog.ts');
    return openVerilog(config, context);
  },
});
