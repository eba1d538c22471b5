import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { FaultError, UsageError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { openDeadline } from '../../core/waiting.ts';
import type { ExecResult, Limits, Sandbox, SandboxProvider } from '../../../sandbox/sandbox.ts';
import type { Ground } from '../open-provider.ts';
import type { Form, ProgramLanguage } from '../problems/problem.ts';
import { javascriptHarness } from './javascript-harness.ts';
import { pythonHarness } from './python-harness.ts';

/** What a program may use on one input. */
export interface RunLimits {
  /** Processor time, in milliseconds. */
  readonly testMs: number;
  readonly memoryBytes: number;
  /** That it may print. */
  readonly outputBytes: number;
}

/** An exception of Python's own, the nearest to the one that a program raised, with what it was made of, as `codedValues` writes it. */
export interface Raised {
  readonly type: string;
  readonly args: readonly Json[];
}

/** What came of a program on one input. */
export type Run =
  | { readonly kind: 'value'; readonly value: Json; readonly printed: string }
  | { readonly kind: 'printed'; readonly printed: string }
  /** It failed; the end of its traceback, and where calls are coded the exception. */
  | { readonly kind: 'error'; readonly text: string; readonly raised?: Raised; readonly printed: string }
  /** It cannot be read, or has no function of the name. */
  | { readonly kind: 'unreadable' | 'missing'; readonly text: string; readonly printed: string }
  /** Why. */
  | { readonly kind: 'not run'; readonly text: string; readonly printed: string }
  | { readonly kind: 'time' | 'memory' | 'output' | 'crash'; readonly printed: string };

/** Inputs on which a program is run, in their order. */
export interface Job {
  readonly language: ProgramLanguage;
  /** What stands ahead of the program, in the same module. */
  readonly preamble?: string;
  readonly program: string;
  readonly form: Form;
  /** What is given is a list of arguments and a dict of named ones, and all values are as `codedValues` writes them: in Python. */
  readonly isCoded?: boolean;
  readonly given: readonly (string | readonly Json[])[];
}

/** What came of inputs, and how long it took in milliseconds. */
export interface Ran {
  readonly runs: readonly Run[];
  readonly ms: number;
}

const harnesses = {
  python: { file: 'harness.py', text: pythonHarness },
  javascript: { file: 'harness.js', text: javascriptHarness },
} as const;

/** Programs that bring the harness down are started again behind the input that did it, so many times. */
const mostFalls = 2;
/** After so many inputs for which a program took too long, it is not run on others. */
export const mostLate = 2;
/** What a start takes beside the inputs: by the clock, on a machine that is busy, and of the processor. */
const startMs = 10_000;
const startCpuMs = 2_000;
/** For one input among many, and for all of them, of a program that is never too late. */
const eachMs = 1_000;
const mostMs = 120_000;
/** A program may be idle for so many times the processor time that it may take, on one input; and all of many may take so many times that by the clock, on a machine on which they wait for their turn. */
const idleFactor = 5;
export const clockFactorOfAll = 3;
/** Bytes that all answers to inputs may have together. */
const mostOutput = 128_000_000;
const notRun = (text: string): Run => ({ kind: 'not run', text: `it was not run: ${text}`, printed: '' });

const lineSchema = z.object({
  at: z.int().min(-1),
  end: z.enum(['value', 'printed', 'error', 'unreadable', 'missing', 'time', 'memory', 'output']),
  value: z.json().optional(),
  text: z.string().optional(),
  raised: z.object({ type: z.string(), args: z.array(z.json()) }).optional(),
  printed: z.string().default(''),
});

/** Runs programs on inputs, each call in a sandbox of its own. */
export class Runner {
  readonly #provider: SandboxProvider;
  readonly #limits: RunLimits;
  readonly #needs: Ground['needs'];

  constructor({ provider, needs }: Ground, limits: RunLimits) {
    this.#provider = provider;
    this.#limits = limits;
    this.#needs = needs;
  }

  /** What came of each input; all starts together end within some minutes. @throws FaultError when the sandbox fails; UsageError where the language cannot be run there */
  async run(job: Job, signal: AbortSignal): Promise<readonly Run[]> {
    return (await this.runTimed(job, mostMs, signal)).runs;
  }

  /**
   * The same within so many milliseconds of processor time beside the starts.
   *
   * What runs in the sandbox is the program's to change, its clocks too. So a start has no more time than one input may take: whatever answers
   * came in it, none took longer. A start that is cut behind some answers goes on with the next input in another sandbox.
   */
  async runTimed(job: Job, withinMs: number, signal: AbortSignal): Promise<Ran> {
    const { testMs } = this.#limits;
    const allMs = job.given.length * eachMs;
    const lateMs = Math.min(mostLate, job.given.length) * testMs;
    const cpuMs = startCpuMs + testMs;
    const mostCpuMs = startMs + lateMs + Math.min(withinMs, allMs); // what takes longer in all is stopped
    const wallMs = startMs + idleFactor * lateMs + Math.min(clockFactorOfAll * withinMs, idleFactor * allMs);
    const runs: Run[] = [];
    let [ms, cutMs, falls, late] = [0, 0, 0, 0];
    const isTimeUp = (): boolean => ms >= wallMs || cutMs >= mostCpuMs;
    while (runs.length < job.given.length && falls <= mostFalls && late < mostLate && !isTimeUp()) {
      const { found, last, tookMs } = await this.#start(
        { ...job, given: job.given.slice(runs.length) },
        { cpuMs, wallMs: Math.max(startMs, Math.ceil(wallMs - ms)) },
        signal,
      );
      ms += tookMs;
      runs.push(...found);
      late += found.filter(({ kind }) => kind === 'time').length;
      if (last === 'cpu') cutMs += cpuMs;
      const hasEnded = runs.length === job.given.length || found.at(-1)?.kind === 'time'; // behind which the harness ends by itself
      if (hasEnded || (last === 'cpu' && found.length > 0)) continue;
      const ended = last === 'cpu' ? tooLate : last;
      runs.push(ended);
      if (ended.kind === 'time') late += 1;
      else falls += 1;
    }
    const rest = notRun(
      late >= mostLate
        ? `${mostLate} earlier inputs had taken too long`
        : isTimeUp()
          ? 'all inputs together took too long'
          : 'earlier inputs had brought down what ran it',
    );
    return { runs: [...runs, ...job.given.slice(runs.length).map(() => rest)], ms };
  }

  /** One start of the harness: what came of inputs in their order, as far as it got, and what ended it there, such as its time on the processor. */
  async #start(
    job: Job,
    times: Pick<Limits, 'cpuMs' | 'wallMs'>,
    signal: AbortSignal,
  ): Promise<{ readonly found: readonly Run[]; readonly last: Run | 'cpu'; readonly tookMs: number }> {
    const { testMs, outputBytes } = this.#limits;
    const mark = randomUUID();
    const { file, text } = harnesses[job.language];
    const input = JSON.stringify({
      mark,
      preamble: job.preamble ?? '',
      program: job.program,
      isCoded: job.isCoded ?? false,
      form: job.form.kind === 'lines' ? 'lines' : 'call',
      name: job.form.kind === 'lines' ? '' : job.form.name,
      wholeKeys: job.form.kind === 'function' && job.form.wholeKeys === true,
      tests: job.given.map((given) => ({ given })),
      ms: testMs,
      idleMs: idleFactor * testMs,
      outputBytes,
    });
    const limits: Limits = {
      ...times,
      memoryBytes: this.#limits.memoryBytes,
      pids: 64,
      diskBytes: 64 * 1024 * 1024,
      outputBytes: Math.min(mostOutput, 1_000_000 + job.given.length * (outputBytes * 20 + 10_000)),
    };
    const result = await this.#exec(
      { language: job.language, files: { [file]: text }, entry: file, input, limits },
      signal,
    );
    if (!result.stdout.text.includes(mark)) throw notBegun(result);
    return {
      found: readRuns(result.stdout.text, mark, job.given.length),
      last: endOf(result),
      tookMs: result.ms,
    };
  }

  /** What a Python text of ours prints behind the mark that it is given, each line of the schema; for scripts in which no program of a model is. */
  async ask<Shape>(
    { text, schema }: { readonly text: string; readonly schema: z.ZodType<Shape> },
    input: Readonly<Record<string, Json>>,
    signal: AbortSignal,
  ): Promise<{ readonly lines: readonly Shape[]; readonly hasBegun: boolean; readonly result: ExecResult }> {
    const mark = randomUUID();
    const { memoryBytes } = this.#limits;
    const limits: Limits = {
      wallMs: startMs + clockFactorOfAll * 20_000,
      cpuMs: 30_000,
      memoryBytes,
      pids: 64,
      diskBytes: 64 * 1024 * 1024,
      outputBytes: 16_000_000,
    };
    const result = await this.#exec(
      {
        language: 'python',
        files: { 'harness.py': text },
        entry: 'harness.py',
        input: JSON.stringify({ mark, ...input }),
        limits,
      },
      signal,
    );
    const [begun, ...lines] = result.stdout.text.split('\n').filter((line) => line.startsWith(mark));
    const read = lines
      .map((line) => readLine(line.slice(mark.length), schema))
      .filter((value) => value !== undefined);
    return { lines: read, hasBegun: begun !== undefined, result };
  }

  /** Runs a file in a fresh sandbox. */
  async #exec(
    of: {
      readonly language: ProgramLanguage;
      readonly files: Readonly<Record<string, string>>;
      readonly entry: string;
      readonly input: string;
      readonly limits: Limits;
    },
    outer: AbortSignal,
  ): Promise<ExecResult> {
    using deadline = openDeadline(outer, {
      where: `sandbox provider "${this.#provider.name}"`,
      ms: of.limits.wallMs + 60_000,
    });
    const { signal } = deadline;
    const sandbox = await this.#provider.open({ limits: of.limits, needs: this.#needs, signal });
    try {
      for (const [name, text] of Object.entries(of.files)) await sandbox.write(name, text, { signal });
      return await sandbox.exec([...interpreterOf(sandbox, of.language, this.#provider.name), of.entry], {
        signal,
        stdin: of.input,
        env: { PYTHONHASHSEED: '0', PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' },
      });
    } finally {
      await sandbox[Symbol.asyncDispose]();
    }
  }
}

function interpreterOf(
  sandbox: Sandbox,
  language: ProgramLanguage,
  provider: string,
): readonly [string, ...string[]] {
  const words = sandbox.interpreters[language];
  if (words !== undefined) return words as readonly [string, ...string[]];
  throw new UsageError({
    where: `sandbox provider "${provider}"`,
    what: `it has nothing that runs ${language} programs.`,
    fix: 'Choose another language or another provider in the config of the env.',
  });
}

/** The lines of the harness, from the first on without a gap. Lines that a program forges can be no more than its answers. */
function readRuns(output: string, mark: string, count: number): readonly Run[] {
  const runs: Run[] = [];
  for (const line of output.split('\n')) {
    if (!line.startsWith(mark)) continue;
    const read = readLine(line.slice(mark.length), lineSchema);
    if (read === undefined) continue;
    if (read.at === -1) return Array.from({ length: count }, () => runOf(read));
    if (read.at === runs.length) runs.push(runOf(read));
  }
  return runs.slice(0, count);
}

type Line = z.output<typeof lineSchema>;

/** What a line holds; undefined for one that is torn, of another form, or deeper than can be looked through. */
function readLine<Shape>(text: string, schema: z.ZodType<Shape>): Shape | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function runOf({ end, value, text = '', raised, printed }: Line): Run {
  switch (end) {
    case 'value':
      return { kind: 'value', value: value ?? null, printed };
    case 'error':
      return {
        kind: 'error',
        text: withoutAddresses(text),
        ...(raised === undefined ? {} : { raised }),
        printed,
      };
    case 'unreadable':
    case 'missing':
      return { kind: end, text, printed };
    case 'printed':
    case 'time':
    case 'memory':
    case 'output':
      return { kind: end, printed };
    default:
      return end satisfies never;
  }
}

/** Where objects lie in memory differs from run to run. */
const withoutAddresses = (text: string): string => text.replace(/\b0x[0-9a-f]{6,}\b/g, '0x…');

const tooLate: Run = { kind: 'time', printed: '' };

/** What ended a harness that did not get to its last input. */
function endOf(result: ExecResult): Run | 'cpu' {
  if (result.kind === 'killed') {
    if (result.by === 'cpu') return 'cpu';
    if (result.by === 'wall') return tooLate;
    if (result.by === 'memory' || result.by === 'output') return { kind: result.by, printed: '' };
    return { kind: 'crash', printed: '' };
  }
  return { kind: 'crash', printed: '' };
}

/** A harness prints its mark before it looks at the program: where it did not, the program is not the cause. */
export function notBegun(result: ExecResult): FaultError {
  const end =
    result.kind === 'killed'
      ? `it was killed by its limit on ${result.by}`
      : result.stderr.text.trim().slice(-300) ||
        (result.kind === 'crashed' ? `it was ended by ${result.signal}` : `it left with ${result.code}`);
  return new FaultError({
    kind: 'sandbox-failed',
    stage: 'exec',
    message: `what runs programs did not begin: ${end}`,
    retryable: result.kind !== 'exited',
  });
}
