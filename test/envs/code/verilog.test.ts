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
  test('refuses to run and names the fix', async () => {
    const bare = new Simulator(
      {
        provider: createFakeProvider(() => ({ stderr: 'iverilog: not found', end: { code: 127 } })),
        needs: {},
      },
      limits,
    );
    await expect(bare.assertThere(signal)).rejects.toThrow(/Icarus Verilog cannot be run.*npm run provision/);
  });
});

await describeWithParts(['bubblewrap', 'iverilog'], 'verilog-v1', () => {
  const ground = openGround();
  afterAll(() => ground.provider[Symbol.asyncDispose]());
  const simulator = new Simulator(ground, limits);

  test('simulates modules, clocked ones too, with outputs worked out by hand', async () => {
    const adder = find('saturating-add-3');
    const added = await simulator.run(
      {
        design: adder,
        source: rightText({ text: adder.source, remark: '//' }),
        stimuli: [
          [3, 4],
          [7, 7],
          [4, 4],
          [0, 0],
        ],
      },
      signal,
    );
    expect(added).toEqual({ kind: 'ran', outputs: ['111', '111', '111', '000'] });
    const counter = find('counter-2');
    const counted = await simulator.run(
      {
        design: counter,
        source: rightText({ text: counter.source, remark: '//' }),
        stimuli: [
          [1, 1],
          [0, 1],
          [0, 0],
          [0, 1],
          [0, 1],
          [1, 0],
        ],
      },
      signal,
    );
    expect(counted).toEqual({
      kind: 'ran',
      outputs: ['- / 00 0', '00 0 / 01 0', '01 0 / 01 0', '01 0 / 10 1', '10 1 / 00 0', '00 0 / 00 0'],
    });
  });

  test.each([
    ['127', 'an exit code that shells use for a missing program', 128],
    ['256', 'an exit code that wraps to 0', 257],
  ])('refuses a module with %s errors, %s', async (_count, _why, wires) => {
    const adder = find('saturating-add-3');
    const source = rightText({ text: adder.source, remark: '//' }).replace(
      'endmodule',
      `${'  wire twice;\n'.repeat(wires)}endmodule`,
    );
    const found = await simulator.run({ design: adder, source, stimuli: [[3, 4]] }, signal);
    expect(found).toEqual({
      kind: 'refused',
      text: expect.stringMatching(/^top\.v:\d+: error: 'twice' has already been declared/) as string,
    });
  });

  const adder = find('saturating-add-3');
  const right = rightText({ text: adder.source, remark: '//' });
  const stimuli = [
    [3, 4],
    [7, 7],
  ];
  const outcomeOf = (source: string, on = simulator) => on.run({ design: adder, source, stimuli }, signal);
  const within = (text: string): string => right.replace('endmodule', () => `${text}\nendmodule`);

  test('refuses a module that brings its own bench, leaves a condition open or reads files', async () => {
    const forger =
      'module bench; integer f; initial begin f = $fopen("bench.v", "r"); $display("%0s LEAK 0", $fgetc(f)); $finish; end endmodule\nmodule top; endmodule\n';
    expect(await outcomeOf(`${forger}\`ifdef NOPE\n`)).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/`ifdef/) as string,
    });
    expect(await outcomeOf(forger)).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/^top\.v:1: \$fopen may not be used here\. A module may print/) as string,
    });
    expect(await outcomeOf(`${right}module bench; initial $finish; endmodule\n`)).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/bench.*already/i) as string,
    });
    expect(await outcomeOf(`${right}\`include "bench.v"\n`)).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/bench\.v not found/) as string,
    });
  });

  test.each([
    ['built from macros', '`define OPEN $``fopen\ninitial $display(`OPEN("x"));', '$fopen'],
    ['behind a number', 'initial #\'h1A$system("true");', '$system'],
    ['with two names', 'reg [7:0] x; initial $display($value$plusargs("x=%d", x));', '$value$plusargs'],
    ['that fills a memory', 'reg [7:0] m [0:9]; initial $readmemh("/etc/hostname", m);', '$readmemh'],
    ['in a string', 'initial $display("$fopen");', '$fopen'],
    ['as the end of an escaped name', 'wire \\$fopen ;', '$fopen'],
  ])('refuses a system call %s', async (_where, text, name) => {
    expect(await outcomeOf(within(text))).toEqual({
      kind: 'refused',
      text: expect.stringContaining(`${name} may not be used here`) as string,
    });
  });

  test('refuses a macro that makes a directive', async () => {
    expect(await outcomeOf(`\`define TICK \`\n${right}\`TICK ifdef NOPE\n`)).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/no directive that a module may have/) as string,
    });
  });

  test('accepts comments, prints and computations, and reports error lines of the module', async () => {
    const talking = within(
      '// not $fopen, nor `ifdef\n/* nor $system\n*/\ninitial $write("no end of line");\nalways @* $display("%0d", $signed(a));\nlocalparam BITS = $clog2(8);',
    );
    expect(
      await outcomeOf(`\`timescale 1ns/1ps\n\`default_nettype none\n\`define FULL 3'b111\n${talking}`),
    ).toEqual({ kind: 'ran', outputs: ['111', '111'] });
    expect(await outcomeOf(`// one\n/* two\nthree */\n${within('wire y;')}`)).toMatchObject({
      text: expect.stringMatching(/^top\.v:11: error: 'y' has already been declared/) as string,
    });
    const counter = find('counter-2');
    const source = rightText({ text: counter.source, remark: '//' }).replace(
      'endmodule',
      'always @(posedge clk) $write("tick");\nendmodule',
    );
    expect(
      await simulator.run(
        {
          design: counter,
          source,
          stimuli: [
            [1, 1],
            [0, 1],
          ],
        },
        signal,
      ),
    ).toEqual({ kind: 'ran', outputs: ['- / 00 0', '00 0 / 01 0'] });
  });

  test('reports why a simulation stopped: its time, its output or its own $finish', async () => {
    const quick = new Simulator(ground, { ...limits, wallMs: 1_500 });
    expect(await outcomeOf(`\`timescale 1ns/1ns\n${within('initial #7 while (1);')}`, quick)).toMatchObject({
      kind: 'stopped',
      why: 'The simulation was stopped: it took longer than 1500 ms.',
    });
    expect(await outcomeOf(within('initial $finish;'))).toEqual({
      kind: 'stopped',
      outputs: [],
      why: 'The module ended the simulation itself, before its last step (by $finish, $stop or $fatal).',
    });
    expect(await outcomeOf(within('initial forever $display("%080d", 1);'))).toMatchObject({
      kind: 'stopped',
      why: 'The simulation was stopped: it printed more than 4000000 bytes.',
    });
  });

  test('shows an agent why its module stopped, in visible and hidden steps', async () => {
    const host = await openEnv(verilogEnv, { hiddenSteps: 16 }, context);
    const env = await host.create();
    await env.reset({ panel: 'dev', index: 0 }, context);
    const [plan] = host.experts?.planner?.({ panel: 'dev', index: 0 }) ?? [];
    const program =
      plan?.kind === 'submit' ? plan.program.replace('endmodule', 'initial $finish;\nendmodule') : '';
    expect((await env.step({ kind: 'submit', program }, context)).observation.said).toMatch(
      /^Visible steps: 0 of 24 are right\.\nThe module ended the simulation itself/,
    );
    expect((await env.step({ kind: 'finish' }, context)).observation.said).toMatch(
      /^Hidden steps: 0 of 16 are right\.\nThe module ended the simulation itself/,
    );
    await host.close();
  });

  test('golden modules solve their tasks, but constants, forgers and early ends do not', async () => {
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
      if (simple?.kind === 'submit')
        expect((await endOf(simple.program)).end).toMatchObject({ outcome: 'failed' });
      if (index > 1) continue;
      expect(
        (await endOf(golden.replace('endmodule', '  initial begin $display("0 0"); $finish; end\nendmodule')))
          .end,
      ).toMatchObject({ outcome: 'failed' });
      expect((await endOf('module top(')).end).toMatchObject({ outcome: 'failed', metrics: { formed: 0 } });
    }
    await host.close();
  });
});
