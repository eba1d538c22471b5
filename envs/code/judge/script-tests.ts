import { z } from 'zod';
import { FaultError } from '../../core/errors.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import type { Form } from '../problems/problem.ts';
import type { Run, Runner } from './runner.ts';
import { answering, scriptHarness } from './script-harness.ts';
import { describeRun, type Failure, type Report } from './verdict.ts';

const doneSchema = z.object({
  script: z.int(),
  asked: z.array(z.json()),
  checks: z.array(z.object({ right: z.boolean(), text: z.string(), why: z.string(), open: z.boolean() })),
  whole: z.boolean(),
  why: z.string(),
});
type Done = z.output<typeof doneSchema>;

/** What the program answers to a call, by the call's text. */
type Answer = { readonly value: Json } | { readonly text: string };

/** Tests may ask anew after they heard an answer, so many times. */
const rounds = 120;
/** Calls answered in one go. */
const mostCalls = 2_000;

/**
 * Holds a Python function to assertions about it. Script and program never meet: the script runs where the program is not, what it calls is
 * written down; the program runs on that where the script is not; and the script runs again with the answers, until nothing more is asked.
 */
export async function runScripts(runner: Runner, of: { readonly program: string; readonly form: Form; readonly scripts: readonly string[] }, signal: AbortSignal): Promise<Report> {
  const { program, form, scripts } = of;
  const name = form.kind === 'function' ? form.name : '';
  const answers = new Map<string, readonly [Json, Answer]>();
  let formed = true;
  for (let round = 0; ; round += 1) {
    const done = await runAll(runner, { name, scripts, answers: [...answers.values()].map(([key, answer]) => [key, answer]) }, signal);
    const asked = [...new Map(done.flatMap((each) => each.asked).map((key) => [canonicalJson(key), key])).entries()].filter(([text]) => !answers.has(text)).slice(0, mostCalls);
    if (asked.length === 0 || round === rounds || !formed) return reportOn(done, scripts.length, formed);
    const runs = await runner.run({ language: 'python', program: answeringProgram(program, name), form: { kind: 'function', name: '_answer' }, given: asked.map(([, key]) => key as readonly Json[]) }, signal);
    for (const [at, [text, key]] of asked.entries()) {
      const run = runs[at] as Run;
      if (run.kind === 'unreadable') formed = false;
      answers.set(text, [key, answerOf(run)]);
    }
  }
}

const answeringProgram = (program: string, name: string): string => `${program}\n${answering}\ndef _answer(given, named):\n    return _encode(${name}(*_decode(given), **_decode(named)))\n`;

const answerOf = (run: Run): Answer => (run.kind === 'value' ? { value: run.value } : { text: describeRun(run) });

async function runAll(runner: Runner, input: Readonly<Record<string, Json>> & { readonly scripts: readonly string[] }, signal: AbortSignal): Promise<readonly Done[]> {
  const { lines, result } = await runner.ask(scriptHarness, input, signal);
  const done = lines.flatMap((line) => {
    const parsed = doneSchema.safeParse(line);
    return parsed.success ? [parsed.data] : [];
  });
  if (done.length === input.scripts.length) return done;
  throw new FaultError({ kind: 'task-broken', where: 'tests of the problem', message: `they did not run to their end: ${result.kind === 'killed' ? `killed by ${result.by}` : result.stderr.text.slice(-300)}` });
}

/** Every assertion is a test; a script that broke off, or has none, counts as one more. */
function reportOn(done: readonly Done[], count: number, formed: boolean): Report {
  let total = 0;
  const failures: Failure[] = [];
  for (const { checks, whole, why } of done) {
    total += checks.length;
    for (const { right, text, why: reason, open } of checks) if (!right || open) failures.push({ verdict: reason === '' ? 'wrong' : 'error', given: text, expected: 'true', got: reason === '' ? 'false' : reason });
    if (whole && checks.length > 0) continue;
    total += 1;
    failures.push({ verdict: 'error', given: 'the tests', expected: 'to run to their end', got: why === '' ? 'they assert nothing' : why });
  }
  return { total: Math.max(total, count), passed: total - failures.length, failures, formed };
}
