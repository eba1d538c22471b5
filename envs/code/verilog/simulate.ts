import { randomUUID } from 'node:crypto';
import { openDeadline } from '../../core/context.ts';
import { UsageError } from '../../core/errors.ts';
import type { ExecResult, Limits, Sandbox } from '../../../sandbox/sandbox.ts';
import type { Ground } from '../open-provider.ts';
import type { Design } from './designs.ts';

/** What goes into a module, step by step: the values of its inputs in the order of its ports; in clocked ones, reset first. */
export type Stimuli = readonly (readonly number[])[];

/** What a module did. */
export type Simulated =
  /** The outputs of each step, in binary, as far as it got. */
  | { readonly kind: 'ran'; readonly outputs: readonly string[] }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'stopped'; readonly outputs: readonly string[] };

const compiledFile = 'simulation';

/** Simulates modules with Icarus, each in a sandbox of its own. */
export class Simulator {
  readonly #ground: Ground;
  readonly #limits: Limits;

  constructor(ground: Ground, of: { readonly wallMs: number; readonly memoryBytes: number }) {
    this.#ground = ground;
    this.#limits = { wallMs: of.wallMs, cpuMs: of.wallMs, memoryBytes: of.memoryBytes, pids: 32, diskBytes: 32 * 1024 * 1024, outputBytes: 4_000_000 };
  }

  /** @throws UsageError where Icarus is not installed in the sandbox; FaultError where the sandbox fails */
  async run(of: { readonly design: Design; readonly source: string; readonly stimuli: Stimuli }, outer: AbortSignal): Promise<Simulated> {
    using deadline = openDeadline(outer, { where: `sandbox provider "${this.#ground.provider.name}"`, ms: 3 * this.#limits.wallMs + 60_000 });
    const { signal } = deadline;
    const mark = randomUUID();
    await using sandbox = await this.#ground.provider.open({ limits: this.#limits, needs: this.#ground.needs, signal });
    await sandbox.write('top.v', of.source, { signal });
    await sandbox.write('bench.v', benchOf(of.design, of.stimuli, mark), { signal });
    const compiled = await sandbox.exec(['iverilog', '-g2012', '-s', 'bench', '-o', compiledFile, 'top.v', 'bench.v'], { signal });
    if (compiled.kind === 'exited' && compiled.code === 127) await assertStarts(sandbox, signal); // it may be that many errors
    if (!(await this.#hasCompiled(sandbox, compiled, signal))) return { kind: 'refused', text: complaintsIn(compiled) };
    const ran = await sandbox.exec(['vvp', '-n', compiledFile], { signal });
    const outputs = ran.stdout.text.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length).trim()] : []));
    return ran.kind === 'exited' && outputs.length >= of.stimuli.length ? { kind: 'ran', outputs: outputs.slice(0, of.stimuli.length) } : { kind: 'stopped', outputs: outputs.slice(0, of.stimuli.length) };
  }

  /** Its code is the count of errors in a byte, so that 256 are 0: what it has made says it as well. */
  async #hasCompiled(sandbox: Sandbox, compiled: ExecResult, signal: AbortSignal): Promise<boolean> {
    if (compiled.kind !== 'exited' || compiled.code !== 0) return false;
    return (await sandbox.read(compiledFile, { signal, maxBytes: this.#limits.diskBytes })) !== undefined;
  }

  /** @throws UsageError with the mend where the sandbox has no Icarus */
  async assertThere(outer: AbortSignal): Promise<void> {
    using deadline = openDeadline(outer, { where: `sandbox provider "${this.#ground.provider.name}"`, ms: this.#limits.wallMs + 60_000 });
    const { signal } = deadline;
    await using sandbox = await this.#ground.provider.open({ limits: this.#limits, needs: this.#ground.needs, signal });
    await assertStarts(sandbox, signal);
  }
}

/** @throws UsageError with the mend where the sandbox has no Icarus */
async function assertStarts(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const found = await sandbox.exec(['iverilog', '-V'], { signal });
  if (found.kind !== 'exited' || found.code !== 0) throw missing(found);
}

function missing(result: ExecResult): UsageError {
  return new UsageError({
    where: 'verilog-v1',
    what: `Icarus Verilog cannot be run in the sandbox (${result.stderr.text.trim().slice(0, 200) || result.kind}).`,
    mend: 'Install it: npm run provision (Debian), or the package iverilog of your system; containers need it in their image.',
  });
}

const complaintsIn = ({ stderr, stdout }: ExecResult): string => `${stderr.text}${stdout.text}`.split('\n').filter((line) => !line.includes('bench.v')).slice(0, 12).join('\n').trim() || 'the compiler did not take it';

/** Drives the module and prints its outputs at each step: of clocked ones before the rising edge and after it. */
function benchOf({ family, inputs, outputs }: Design, stimuli: Stimuli, mark: string): string {
  const isClocked = family === 'clocked';
  const driven = [...(isClocked ? [{ name: 'reset', bits: 1 }] : []), ...inputs];
  const format = outputs.map(() => '%b').join(' ');
  const seen = outputs.map(({ name }) => name).join(', ');
  const steps = stimuli.map((values, at) => {
    const set = driven.map(({ name, bits }, place) => `${name} = ${bits}'d${values[place]};`).join(' ');
    if (!isClocked) return `    ${set} #5 $display("${mark} ${format}", ${seen});`;
    const before = at === 0 ? `$write("${mark} -");` : `$write("${mark} ${format}", ${seen});`;
    return `    ${set} #2 ${before} clk = 1; #2 $display(" / ${format}", ${seen}); clk = 0; #2`;
  });
  return [
    '`timescale 1ns/1ns',
    'module bench;',
    ...(isClocked ? ['  reg clk = 0;'] : []),
    ...driven.map(({ name, bits }) => `  reg [${bits - 1}:0] ${name};`),
    ...outputs.map(({ name, bits }) => `  wire [${bits - 1}:0] ${name};`),
    `  top dut(${[...(isClocked ? ['clk'] : []), ...driven.map(({ name }) => name), ...outputs.map(({ name }) => name)].map((name) => `.${name}(${name})`).join(', ')});`,
    '  initial begin',
    ...steps,
    '    ;$finish;',
    '  end',
    'endmodule',
    '',
  ].join('\n');
}
