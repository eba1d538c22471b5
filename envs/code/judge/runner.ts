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

/** The limits of a program on one input. */
export interface RunLimits {
  /** Processor time, in milliseconds. */
  readonly testMs: number;
  readonly memoryBytes: number;
  /** Bytes that it may print. */
  readonly outputBytes: number;
}

/**
 * The built-in Python exception that is nearest to the one that a program raised, with its arguments encoded
 * as by `codedValues`.
 */
export interface Raised {
  readonly type: string;
  readonly args: readonly Json[];
}

/** The result of a program on one input. */
export type Run =
  | { readonly kind: 'value'; readonly value: Json; readonly printed: string }
  | { readonly kind: 'printed'; readonly printed: string }
  /** It failed, with the end of its traceback. Where values are coded, the exception too. */
  | { readonly kind: 'error'; readonly text: string; readonly raised?: Raised; readonly printed: string }
  /** It cannot be parsed, or lacks the required function. */
  | { readonly kind: 'unreadable' | 'missing'; readonly text: string; readonly printed: string }
  /** The reason. */
  | { readonly kind: 'not run'; readonly text: string; readonly printed: string }
  | { readonly kind: 'time' | 'memory' | 'output' | 'crash'; readonly printed: string };

/** The inputs on which a program is run, in order. */
export interface Job {
  readonly language: ProgramLanguage;
  /** Source before the program, in the same module. */
  readonly preamble?: string;
  readonly program: string;
  readonly form: Form;
  /**
   * Python only: an input is a list of positional arguments and a dict of keyword arguments, and all values
   * are encoded as by `codedValues`.
   */
  readonly isCoded?: boolean;
  readonly given: readonly (string | readonly Json[])[];
}

/** The results of inputs, and the time in milliseconds. */
export interface Ran {
  readonly runs: readonly Run[];
  readonly ms: number;
}

const harnesses = {
  python: { file: 'harness.py', text: pythonHarness },
  javascript: { file: 'harness.js', text: javascriptHarness },
} as const;

/** How often a program that crashes the harness is restarted after the input that crashed it. */
const mostFalls = 2;
/** After this number of inputs with a timeout, a program is not run on others. */
export const mostLate = 2;
/**
 * Milliseconds of a start in addition to the inputs: wall-clock time on a busy machine, and processor time.
 */
const startMs = 10_000;
const startCpuMs = 2_000;
/** Extra milliseconds for one input among many, and for all inputs of a program that is never late. */
const eachMs = 1_000;
const mostMs = 120_000;
/**
 * The wall-clock limit of an input as a multiple of its processor time limit. Also the wall-clock limit of
 * many inputs, on a machine where they have to wait.
 */
const idleFactor = 5;
export const clockFactorOfAll = 3;
/** The most bytes of all answers together. */
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

  /**
   * The result of each input. All starts together end within some minutes.
   *
   * @throws FaultError when the sandbox fails
   * @throws UsageError where the language cannot run there
   */
  async run(job: Job, signal: AbortSignal): Promise<readonly Run[]> {
    return (await this.runTimed(job, mostMs, signal)).runs;
  }

  /**
   * The same within a limit of processor time in milliseconds, without the starts.
   *
   * A program can change everything in its sandbox, including its clocks. So a start has no more time than
   * one input may take, and no answer in it can have taken longer. A start that is cut after some answers
   * continues with the next input in another sandbox.
   */
  async runTimed(job: Job, withinMs: number, signal: AbortSignal): Promise<Ran> {
    const { testMs } = this.#limits;
    const allMs = job.given.length * eachMs;
    const lateMs = Math.min(mostLate, job.given.length) * testMs;
    const cpuMs = startCpuMs + testMs;
    // whatever takes longer in total is stopped
    const mostCpuMs = startMs + lateMs + Math.min(withinMs, allMs);
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
      // after which the harness ends by itself
      const hasEnded = runs.length === job.given.length || found.at(-1)?.kind === 'time';
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

  /**
   * One start of the harness: the results of inputs in order, as far as it got, and the reason for its end,
   * such as its processor time.
   */
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

  /**
   * Runs our own Python source and returns its lines after the mark, each parsed by the schema. For scripts
   * that contain no program of a model.
   */
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

  /** Runs a file in a new sandbox. */
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
    what: `it cannot run ${language} programs.`,
    fix: 'Choose another language or another provider in the config of the env.',
  });
}

/**
 * Parses the harness's lines, from the first on without a gap. Lines that a program forges can only be its
 * answers.
 */
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

/** Parses a line; undefined for an incomplete one, one of another form, or one nested too deeply. */
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

/** Removes memory addresses, which differ between runs. */
const withoutAddresses = (text: string): string => text.replace(/\b0x[0-9a-f]{6,}\b/g, '0x…');

const tooLate: Run = { kind: 'time', printed: '' };

/** The reason why a harness did not reach its last input. */
function endOf(result: ExecResult): Run | 'cpu' {
  if (result.kind === 'killed') {
    if (result.by === 'cpu') return 'cpu';
    if (result.by === 'wall') return tooLate;
    if (result.by === 'memory' || result.by === 'output') return { kind: result.by, printed: '' };
    return { kind: 'crash', printed: '' };
  }
  return { kind: 'crash', printed: '' };
}

/**
 * The fault of a harness that did not start. A harness prints its mark before it reads the program, so
 * without the mark the program is not the cause.
 */
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
