import { chooseProvider } from '../../sandbox/providers.ts';
import type { Limits, Sandbox, SandboxProvider } from '../../sandbox/sandbox.ts';
import type { ResetContext } from '../core/context.ts';
import { FaultError } from '../core/errors.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { McpConfig } from './config.ts';
import type { NamedCall, RunResult } from './server-set.ts';
import type { Check } from './task.ts';

/** Limits of a program that judges. */
const limits: Limits = {
  wallMs: 60_000,
  cpuMs: 20_000,
  memoryBytes: 512 * 2 ** 20,
  pids: 64,
  diskBytes: 64 * 2 ** 20,
  outputBytes: 2 ** 20,
};

/** A provider of sandboxes for programs that judge, with the needs that it meets. */
export type Judging = Awaited<ReturnType<typeof chooseProvider>>;

/** @throws UsageError where no sandbox meets the needs on this machine */
export function openJudging(
  { sandbox, allowWeakSandbox }: McpConfig,
  { now, signal, system }: ResetContext,
): Promise<Judging> {
  return chooseProvider(
    {
      ...(sandbox === 'auto' ? {} : { name: sandbox }),
      needs: {
        boundary: 'namespaces',
        files: 'private-root',
        network: 'loopback',
        environment: 'cleared',
        children: 'all-killed',
      },
      allowWeak: allowWeakSandbox,
    },
    { now, signal, dockerHost: system?.['DOCKER_HOST'] },
  );
}

/** What checks use. */
export interface CheckContext {
  readonly run: (call: NamedCall, signal: AbortSignal) => Promise<RunResult>;
  readonly judging: Judging | undefined;
  readonly where: string;
  readonly signal: AbortSignal;
}

/** Whether all checks hold, in order. A call that fails fails its check. */
export async function checksHold(checks: readonly Check[], context: CheckContext): Promise<boolean> {
  for (const check of checks) if (!(await holds(check, context))) return false;
  return true;
}

async function holds(check: Check, context: CheckContext): Promise<boolean> {
  if ('program' in check) return await judgedRight(check.program, context);
  const { error, text, value } = await context.run(check.call, context.signal);
  if (error !== undefined) return false;
  if ('equals' in check) return isEqual(value, check.equals);
  return 'contains' in check ? text.includes(check.contains) : !text.includes(check.lacks);
}

const isEqual = (value: unknown, wanted: Json): boolean =>
  value !== undefined && canonicalJson(value as Json) === canonicalJson(wanted); // parsed from JSON

async function judgedRight(
  program: Extract<Check, { readonly program: unknown }>['program'],
  { run, judging, where, signal }: CheckContext,
): Promise<boolean> {
  if (judging === undefined) throw new TypeError('programs need a sandbox');
  const results: Json[] = [];
  for (const call of program.calls) {
    const { text, value, error } = await run(call, signal);
    results.push({
      name: call.name,
      text,
      value: (value ?? null) as Json, // parsed from JSON
      ...(error === undefined ? {} : { error }),
    });
  }
  await using sandbox = await openSandbox(judging, signal);
  return await answerOf(sandbox, program, { stdin: JSON.stringify({ results }), where, signal });
}

const openSandbox = (
  { provider, needs }: { readonly provider: SandboxProvider; readonly needs: Judging['needs'] },
  signal: AbortSignal,
): Promise<Sandbox> => provider.open({ limits, needs, signal });

const files = { python: 'judge.py', javascript: 'judge.mjs', shell: 'judge.sh' } as const;

async function answerOf(
  sandbox: Sandbox,
  { language, code }: Extract<Check, { readonly program: unknown }>['program'],
  given: { readonly stdin: string; readonly where: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const broken = (message: string): FaultError =>
    new FaultError({ kind: 'task-broken', where: `${given.where}, its program`, message });
  const words = sandbox.interpreters[language];
  if (words === undefined) throw broken(`${language} does not run in this sandbox`);
  const file = files[language];
  await sandbox.write(file, code, { signal: given.signal });
  const [program, ...others] = words;
  const ran = await sandbox.exec([program, ...others, file], { signal: given.signal, stdin: given.stdin });
  const answer = ran.stdout.text.trim().split('\n').at(-1)?.trim();
  if (ran.kind === 'exited' && ran.code === 0 && (answer === 'true' || answer === 'false'))
    return answer === 'true';
  const how = ran.kind === 'exited' ? `code ${ran.code}` : ran.kind === 'killed' ? ran.by : ran.signal;
  throw broken(`it must print true or false last; it ended with ${how}: ${ran.stderr.text.slice(-500)}`);
}
