/**
 * A required module with its golden form. Places for slips are written as in text-assembly.ts, the right
 * piece first.
 */
export interface Design {
  readonly name: string;
  readonly family: 'combinational' | 'clocked';
  readonly heldOut?: true;
  readonly statement: string;
  /** Ports besides the clock, in the order of the module's head. */
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  readonly source: string;
}

export interface Port {
  readonly name: string;
  readonly bits: number;
}

const range = (bits: number): string => (bits === 1 ? '' : `[${bits - 1}:0] `);
const port = (name: string, bits: number): Port => ({ name, bits });

type Parts = Omit<Design, 'source'> & { readonly body: string; readonly registers?: readonly string[] };

/** The golden module around its body. Clocked modules have `clk` and a synchronous `reset` first. */
function design({ body, registers = [], ...of }: Parts): Design {
  const clocked = of.family === 'clocked' ? ['input wire clk', 'input wire reset'] : [];
  const heads = [
    ...clocked,
    ...of.inputs.map(({ name, bits }) => `input wire ${range(bits)}${name}`),
    ...of.outputs.map(
      ({ name, bits }) => `output ${registers.includes(name) ? 'reg' : 'wire'} ${range(bits)}${name}`,
    ),
  ];
  return {
    ...of,
    source: `module top(\n${heads.map((head) => `  ${head}`).join(',\n')}\n);\n${body.trim()}\nendmodule\n`,
  };
}

const widths = [2, 3, 4, 5, 6, 8] as const;

const combinational = widths.flatMap((n): readonly Design[] => [
  design({
    name: `saturating-add-${n}`,
    family: 'combinational',
    inputs: [port('a', n), port('b', n)],
    outputs: [port('y', n)],
    statement: `Add the unsigned numbers a and b of ${n} bits. Where the sum does not fit into ${n} bits, y is the greatest number that does.`,
    body: `  wire [${n}:0] sum = a «+‖-» b;\n  assign y = sum[«${n}‖${n - 1}»] ? {${n}{«1'b1‖1'b0»}} : sum[${n - 1}:0];`,
  }),
  design({
    name: `absolute-difference-${n}`,
    family: 'combinational',
    inputs: [port('a', n), port('b', n)],
    outputs: [port('y', n), port('less', 1)],
    statement: `y is the difference of the unsigned numbers a and b, the greater minus the smaller; less says whether a is smaller than b.`,
    body: `  assign less = a «<‖<=‖>» b;\n  assign y = a «<‖>» b ? b «-‖+» a : a «-‖+» b;`,
  }),
  design({
    name: `parity-${n}`,
    family: 'combinational',
    inputs: [port('data', n)],
    outputs: [port('even', 1), port('any', 1)],
    statement: `even is 1 where the number of ones in data is even; any is 1 where there is a one at all.`,
    body: `  assign even = «~^‖^‖~&»data;\n  assign any = «|‖&‖^»data;`,
  }),
  design({
    name: `gray-${n}`,
    family: 'combinational',
    heldOut: true,
    inputs: [port('binary', n)],
    outputs: [port('gray', n)],
    statement: `gray is the Gray code of binary: each bit is the exclusive or of a bit and the next higher one, and the highest is that of binary.`,
    body: `  assign gray = binary «^‖&» (binary «>>‖<<» «1‖2»);`,
  }),
  design({
    name: `compare-${n}`,
    family: 'combinational',
    inputs: [port('a', n), port('b', n), port('signed_mode', 1)],
    outputs: [port('greater', 1)],
    statement: `greater is 1 where a is greater than b: as two's complement numbers where signed_mode is 1, else as unsigned ones.`,
    body: `  wire differ = a[${n - 1}] «^‖&» b[${n - 1}];\n  assign greater = signed_mode «&&‖||» differ ? «b‖a»[${n - 1}] : a > b;`,
  }),
]);

const clocked = widths.flatMap((n): readonly Design[] => [
  design({
    name: `counter-${n}`,
    family: 'clocked',
    registers: ['count'],
    inputs: [port('enable', 1)],
    outputs: [port('count', n), port('last', 1)],
    statement: `A counter of ${n} bits: at each rising edge of clk it is 0 after reset, else one more where enable is 1; after ${2 ** n - 2} comes 0. last is 1 while the count is ${2 ** n - 2}.`,
    body: `  assign last = count == «${2 ** n - 2}‖${2 ** n - 1}‖${2 ** n - 3}»;\n  always @(posedge clk)\n    if (reset) count <= «0‖1»;\n    else if («enable‖!enable») count <= last ? 0 : count «+‖-» 1;`,
  }),
  design({
    name: `shift-${n}`,
    family: 'clocked',
    registers: ['data'],
    inputs: [port('left', 1), port('in', 1)],
    outputs: [port('data', n)],
    statement: `A shift register of ${n} bits, 0 after reset. At each rising edge of clk, with left it moves to the left and in becomes its lowest bit; else it moves to the right and in becomes its highest bit.`,
    body: `  always @(posedge clk)\n    if (reset) data <= 0;\n    else if («left‖!left») data <= {data[${n - 2}:0], «in‖1'b0‖!in»};\n    else data <= {«in‖1'b0», data[${n - 1}:1]};`,
  }),
  design({
    name: `pulse-${n}`,
    family: 'clocked',
    registers: ['seen'],
    inputs: [port('in', 1)],
    outputs: [port('seen', n), port('rise', 1)],
    statement: `seen counts the rising edges of in, as it is at the rising edges of clk, from 0 after reset, and stays at ${2 ** n - 1} once it is there. rise is 1 while in is 1 and was 0 at the last rising edge of clk; after reset it counts as having been 0.`,
    body: `  reg previous;\n  assign rise = in «&‖^» «~previous‖previous»;\n  always @(posedge clk)\n    if (reset) begin\n      previous <= 0;\n      seen <= 0;\n    end else begin\n      previous <= «in‖~in»;\n      if (rise && seen != «${2 ** n - 1}‖${2 ** n - 2}») seen <= seen + 1;\n    end`,
  }),
  design({
    name: `accumulate-${n}`,
    family: 'clocked',
    heldOut: true,
    registers: ['total'],
    inputs: [port('value', n), port('add', 1)],
    outputs: [port('total', n + 2)],
    statement: `total, of ${n + 2} bits, is 0 after reset. At each rising edge of clk value is added to it where add is 1, else it is halved, rounded down. It wraps around.`,
    body: `  always @(posedge clk)\n    if (reset) total <= «0‖1»;\n    else if («add‖!add») total <= total «+‖-» value;\n    else total <= total / «2‖4»;`,
  }),
]);

export const designs: readonly Design[] = [...combinational, ...clocked];
