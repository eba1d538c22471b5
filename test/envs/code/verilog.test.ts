import { afterAll, describe, expect, test } from 'vitest';
import { designs, type Design } from '../../../envs/code/verilog/designs.ts';
import { verilogEnv } from '../../../envs/code/verilog/definition.ts';
import { Simulator } from '../../../envs/code/verilog/simulate.ts';
import { rightText } from '../../../envs/code/text-assembly.ts';
import { createContext } from '../../../envs/core/context.ts';
import { openEnv } from '../../../envs/open.ts';
import { createFakeProvider } from '../../../sandbox/fake/provider.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { openGround, signal } from './ground.ts';

const context = createContext({ seed: 0, now: () => performance.now() });
const limits = { wallMs: 20_000, memoryBytes: 512 * 1024 * 1024 };
const find = (name: string): Design => designs.find((each) => each.name === name) as Design;

describe('a sandbox without Icarus', () => {
  test('is refused with the mend', async () => {
    const bare = new Simulator({ provider: createFakeProvider(() => ({ stderr: 'iverilog: not found', end: { code: 127 } })), needs: {} }, limits);
    await expect(bare.assertThere(signal)).rejects.toThrow(/Icarus Verilog cannot be run.*npm run provision/);
  });
});

await describeWithParts(['bubblewrap', 'iverilog'], 'verilog-v1', () => {
  const ground = openGround();
  afterAll(() => ground.provider[Symbol.asyncDispose]());
  const simulator = new Simulator(ground, limits);

  test('simulates modules, the clock too: outputs worked out by hand', async () => {
    const adder = find('saturating-add-3');
    const added = await simulator.run({ design: adder, source: rightText({ text: adder.source, remark: '//' }), stimuli: [[3, 4], [7, 7], [4, 4], [0, 0]] }, signal);
    expect(added).toEqual({ kind: 'ran', outputs: ['111', '111', '111', '000'] });
    const counter = find('counter-2');
    const counted = await simulator.run({ design: counter, source: rightText({ text: counter.source, remark: '//' }), stimuli: [[1, 1], [0, 1], [0, 0], [0, 1], [0, 1], [1, 0]] }, signal);
    expect(counted).toEqual({ kind: 'ran', outputs: ['- / 00 0', '00 0 / 01 0', '01 0 / 01 0', '01 0 / 10 1', '10 1 / 00 0', '00 0 / 00 0'] });
  }, 60_000);

  test.each([
    ['127', "which shells say of a program that is not there: iverilog's code is its count of errors", 128],
    ['256', "whose code is 0: there is a byte for it", 257],
  ])('a module with %s errors, %s, is refused and nothing more', async (_count, _why, wires) => {
    const adder = find('saturating-add-3');
    const source = rightText({ text: adder.source, remark: '//' }).replace('endmodule', `${'  wire twice;\n'.repeat(wires)}endmodule`);
    const found = await simulator.run({ design: adder, source, stimuli: [[3, 4]] }, signal);
    expect(found).toEqual({ kind: 'refused', text: expect.stringMatching(/^top\.v:\d+: error: 'twice' has already been declared/) as string });
  }, 60_000);

  test('every golden module runs and solves its task; a constant, a forger and one that ends the simulation do not', async () => {
    const host = await openEnv(verilogEnv, { hiddenSteps: 60 }, context);
    const size = host.panels.find(({ name }) => name === 'dev')?.size ?? 0;
    for (let index = 0; index < size; index += 1) {
      const ref = { panel: 'dev', index };
      const endOf = async (program: string) => {
        const env = await host.create();
        const opening = await env.reset(ref, context);
        await env.step({ kind: 'submit', program }, context);
        return { end: await env.step({ kind: 'finish' }, context), opening };
      };
      const [plan] = host.experts?.planner?.(ref) ?? [];
      const golden = plan?.kind === 'submit' ? plan.program : '';
      const { end, opening } = await endOf(golden);
      expect(end, opening.instruction).toMatchObject({ outcome: 'solved', reward: { total: 1 } });
      const simple = opening.admissible?.find(({ kind }) => kind === 'submit');
      if (simple?.kind === 'submit') expect((await endOf(simple.program)).end).toMatchObject({ outcome: 'failed' });
      if (index > 1) continue;
      expect((await endOf(golden.replace('endmodule', '  initial begin $display("0 0"); $finish; end\nendmodule'))).end).toMatchObject({ outcome: 'failed' });
      expect((await endOf('module top(')).end).toMatchObject({ outcome: 'failed', metrics: { formed: 0 } });
    }
    await host.close();
  }, 180_000);
});
