import { FaultError, UsageError } from '../../core/errors.ts';
import type { Form, ProgramLanguage } from '../problems/problem.ts';
import type { Runner } from './runner.ts';
import { describeRun } from './verdict.ts';

const forms: readonly Form[] = [{ kind: 'function', name: 'next' }, { kind: 'lines' }];

/** The number of right programs that are tried. */
export const trials = forms.length;

/** Right programs, by language and form. The first number is the one that they receive. */
const programs: Readonly<Record<ProgramLanguage, Readonly<Record<Form['kind'], string>>>> = {
  python: { function: 'def next(number):\n    return number + 1\n', lines: 'print(int(input()) + 1)\n' },
  javascript: {
    function: 'function next(number) { return number + 1; }\n',
    lines: "process.stdout.write(String(Number(require('fs').readFileSync(0, 'utf8')) + 1));\n",
  },
};

/**
 * Runs right programs before the first episode.
 *
 * @throws UsageError where one fails, because every program would fail
 */
export async function assertRuns(
  runner: Runner,
  { language, provider }: { readonly language: ProgramLanguage; readonly provider: string },
  signal: AbortSignal,
): Promise<void> {
  const ends = await Promise.all(forms.map(async (form) => endOf(runner, language, form, signal)));
  const why = ends.find((end) => end !== undefined);
  if (why === undefined) return;
  throw new UsageError({
    where: `sandbox provider "${provider}"`,
    what: `a correct program in ${language} fails in it: ${why}.`,
    fix: 'Choose another sandbox or another language in the config of the env, or raise testMs and memoryMb.',
  });
}

/**
 * Things that right Python programs may do and that not every sandbox supports. Things that may crash the
 * runner come last.
 */
const faculties = ['threads', 'processes', 'deep recursion through functools'];
const trying = `import os, sys, threading
from functools import lru_cache
what = input()
if what == "threads":
    thread = threading.Thread(target=len, args=[what])
    thread.start()
    thread.join()
elif what == "processes":
    if os.fork() == 0:
        os._exit(0)
    os.wait()
else:
    sys.setrecursionlimit(20000)
    @lru_cache(None)
    def depth(n):
        return 0 if n == 0 else 1 + depth(n - 1)
    depth(5000)
print(what)
`;

/**
 * What Python programs cannot do in this sandbox, in words. Programs that do it fail, although they may be
 * right.
 */
export async function lackingIn(runner: Runner, signal: AbortSignal): Promise<readonly string[]> {
  const runs = await runner.run(
    { language: 'python', program: trying, form: { kind: 'lines' }, given: faculties },
    signal,
  );
  return faculties.filter((faculty, at) => runs[at]?.printed.trim() !== faculty);
}

/** Why the right program failed; undefined where it passed. */
async function endOf(
  runner: Runner,
  language: ProgramLanguage,
  form: Form,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const [run] = await runner.run(
      {
        language,
        program: programs[language][form.kind],
        form,
        given: [form.kind === 'lines' ? '41\n' : [41]],
      },
      signal,
    );
    const isRight =
      run?.kind === 'value' ? run.value === 42 : run?.kind === 'printed' && run.printed.trim() === '42';
    return isRight || run === undefined ? undefined : describeRun(run);
  } catch (thrown) {
    if (!FaultError.is(thrown) || thrown.fault.kind !== 'sandbox-failed' || thrown.fault.retryable)
      throw thrown;
    return thrown.fault.message;
  }
}
