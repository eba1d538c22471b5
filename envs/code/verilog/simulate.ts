import { randomUUID } from 'node:crypto';
import { UsageError } from '../../core/errors.ts';
import { openDeadline } from '../../core/waiting.ts';
import type { ExecResult, KilledBy, Limits, Sandbox } from '../../../sandbox/sandbox.ts';
import type { Ground } from '../open-provider.ts';
import type { Design } from './designs.ts';
import { ownText, type OwnText } from './own-text.ts';

/** The inputs of a module, step by step, in the order of its ports; in clocked ones, reset first. */
export type Stimuli = readonly (readonly number[])[];

/** The result of a module. */
export type Simulated =
  /** The outputs of each step, in binary, as far as it got. */
  | { readonly kind: 'ran'; readonly outputs: readonly string[] }
  | { readonly kind: 'refused'; readonly text: string }
  /** It did not reach its end, with the reason as a sentence. */
  | { readonly kind: 'stopped'; readonly outputs: readonly string[]; readonly why: string };

const [ownFile, benchFile, preprocessedFile, compiledFile] = [
  'top.v',
  'bench.v',
  'preprocessed',
  'simulation',
] as const;
/** The most bytes of a module after expanding its macros. */
const longestText = 8_000_000;

/** Simulates modules with Icarus, each in a sandbox of its own. */
export class Simulator {
  readonly #ground: Ground;
  readonly #limits: Limits;

  constructor(ground: Ground, of: { readonly wallMs: number; readonly memoryBytes: number }) {
    this.#ground = ground;
    this.#limits = {
      wallMs: of.wallMs,
      cpuMs: of.wallMs,
      memoryBytes: of.memoryBytes,
      pids: 32,
      diskBytes: 32 * 1024 * 1024,
      outputBytes: 4_000_000,
    };
  }

  /**
   * Simulates a module.
   *
   * @throws UsageError where Icarus is not installed in the sandbox
   * @throws FaultError where the sandbox fails
   */
  async run(
    of: { readonly design: Design; readonly source: string; readonly stimuli: Stimuli },
    outer: AbortSignal,
  ): Promise<Simulated> {
    using deadline = openDeadline(outer, {
      where: `sandbox provider "${this.#ground.provider.name}"`,
      ms: 4 * this.#limits.wallMs + 60_000,
    });
    const { signal } = deadline;
    const mark = randomUUID();
    await using sandbox = await this.#ground.provider.open({
      limits: this.#limits,
      needs: this.#ground.needs,
      signal,
    });
    const own = await this.#preprocess(sandbox, of.source, signal);
    if ('refused' in own) return { kind: 'refused', text: own.refused };
    await sandbox.write(ownFile, own.text, { signal });
    await sandbox.write(benchFile, benchOf(of.design, of.stimuli, mark), { signal });
    const compiled = await sandbox.exec(
      ['iverilog', '-g2012', '-s', 'bench', '-o', compiledFile, benchFile, ownFile],
      { signal },
    ); // the bench first, so that nothing after it can change it
    if ((await this.#made(sandbox, compiledFile, compiled, signal)) === undefined)
      return { kind: 'refused', text: this.#complaintsIn(compiled, (line) => !line.includes(benchFile)) };
    const ran = await sandbox.exec(['vvp', '-n', compiledFile], { signal });
    const outputs = outputsIn(ran.stdout.text, mark, of.design).slice(0, of.stimuli.length);
    return ran.kind === 'exited' && outputs.length === of.stimuli.length
      ? { kind: 'ran', outputs }
      : { kind: 'stopped', outputs, why: this.#whyStopped(ran) };
  }

  /**
   * The module with its macros expanded. It is processed alone, so that it cannot affect other files, and no
   * other file exists yet.
   */
  async #preprocess(sandbox: Sandbox, source: string, signal: AbortSignal): Promise<OwnText> {
    await sandbox.write(ownFile, source, { signal });
    const result = await sandbox.exec(['iverilog', '-g2012', '-E', '-o', preprocessedFile, ownFile], {
      signal,
    });
    // it may be the number of errors
    if (result.kind === 'exited' && result.code === 127) await assertStarts(sandbox, signal);
    const bytes = await this.#made(sandbox, preprocessedFile, result, signal);
    if (bytes === undefined) return { refused: this.#complaintsIn(result) };
    if (bytes.length > longestText)
      return {
        refused: `with its macros written out it has ${bytes.length} bytes, more than ${longestText}.`,
      };
    return ownText(Buffer.from(bytes).toString('utf8'));
  }

  /**
   * The output of the compiler; undefined where it reported errors. Its exit code is the number of errors
   * modulo 256, so 256 errors give 0. The existence of the output confirms success.
   */
  async #made(
    sandbox: Sandbox,
    file: string,
    result: ExecResult,
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    if (result.kind !== 'exited' || result.code !== 0) return undefined;
    return sandbox.read(file, { signal, maxBytes: this.#limits.diskBytes });
  }

  #complaintsIn(result: ExecResult, isOwn: (line: string) => boolean = () => true): string {
    const said = `${result.stderr.text}${result.stdout.text}`
      .split('\n')
      .filter(isOwn)
      .slice(0, 12)
      .join('\n')
      .trim();
    return (
      [said, ...(result.kind === 'killed' ? [`Compiling it was stopped: ${this.#beyond(result.by)}.`] : [])]
        .filter((part) => part !== '')
        .join('\n') || 'the compiler did not take it'
    );
  }

  #whyStopped(result: ExecResult): string {
    if (result.kind === 'killed') return `The simulation was stopped: ${this.#beyond(result.by)}.`;
    if (result.kind === 'crashed') return `The simulator crashed (${result.signal}).`;
    return 'The module ended the simulation itself, before its last step (by $finish, $stop or $fatal).';
  }

  #beyond(by: KilledBy): string {
    const { wallMs, memoryBytes, outputBytes } = this.#limits;
    if (by === 'wall' || by === 'cpu') return `it took longer than ${wallMs} ms`;
    if (by === 'output') return `it printed more than ${outputBytes} bytes`;
    return by === 'memory'
      ? `it took more than ${memoryBytes} bytes of memory`
      : `it took more of the ${by} than there is`;
  }

  /**
   * Checks that Icarus is installed.
   *
   * @throws UsageError with the fix where the sandbox has no Icarus
   */
  async assertThere(outer: AbortSignal): Promise<void> {
    using deadline = openDeadline(outer, {
      where: `sandbox provider "${this.#ground.provider.name}"`,
      ms: this.#limits.wallMs + 60_000,
    });
    const { signal } = deadline;
    await using sandbox = await this.#ground.provider.open({
      limits: this.#limits,
      needs: this.#ground.needs,
      signal,
    });
    await assertStarts(sandbox, signal);
  }
}

/** @throws UsageError with the fix where the sandbox has no Icarus */
async function assertStarts(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const found = await sandbox.exec(['iverilog', '-V'], { signal });
  if (found.kind !== 'exited' || found.code !== 0) throw missing(found);
}

function missing(result: ExecResult): UsageError {
  return new UsageError({
    where: 'verilog-v1',
    what: `Icarus Verilog cannot be run in the sandbox (${result.stderr.text.trim().slice(0, 200) || result.kind}).`,
    fix: 'Install it: npm run provision (Debian), or the package iverilog of your system; containers need it in their image.',
  });
}

/**
 * The outputs of each step; for clocked designs before and after the edge. Each is on its own line after the
 * mark, whatever a module prints itself.
 */
function outputsIn(printed: string, mark: string, { family }: Design): readonly string[] {
  const lines = printed
    .split('\n')
    .flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length).trim()] : []));
  if (family !== 'clocked') return lines;
  return lines.flatMap((line, at) => (at % 2 === 1 ? [`${lines[at - 1]} / ${line}`] : []));
}

/**
 * A test bench that drives the module and prints its outputs at each step; for clocked ones before the rising
 * edge and after it.
 */
function benchOf({ family, inputs, outputs }: Design, stimuli: Stimuli, mark: string): string {
  const isClocked = family === 'clocked';
  const driven = [...(isClocked ? [{ name: 'reset', bits: 1 }] : []), ...inputs];
  const format = outputs.map(() => '%b').join(' ');
  const seen = outputs.map(({ name }) => name).join(', ');
  const steps = stimuli.map((values, at) => {
    const set = driven.map(({ name, bits }, place) => `${name} = ${bits}'d${values[place]};`).join(' ');
    const tell = `$display("\\n${mark} ${format}", ${seen});`;
    if (!isClocked) return `    ${set} #5 ${tell}`;
    const before = at === 0 ? `$display("\\n${mark} -");` : tell;
    return `    ${set} #2 ${before} clk = 1; #2 ${tell} clk = 0; #2`;
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
    '`resetall',
    '',
  ].join('\n');
}
