/**
 * How many wrong programs the hidden and the visible tests of our own problems kill, in a sandbox, by language and by kind of slip: slips of
 * one place, for which the hidden tests were made, slips of two, for which they were not, and programs that are too slow. And how long
 * judging takes. See README.md beside this file.
 */
import { availableParallelism } from 'node:os';
import { Judge } from '../../envs/code/judge/judge.ts';
import { Runner } from '../../envs/code/judge/runner.ts';
import { OwnProblem, type Mutant } from '../../envs/code/problems/own-problem.ts';
import { languages, type ProgramLanguage } from '../../envs/code/problems/problem.ts';
import { templates } from '../../envs/code/problems/templates/templates.ts';
import { chooseProvider } from '../../sandbox/providers.ts';
import { quantiles } from '../report/latencies.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';

const signal = new AbortController().signal;
const ground = await chooseProvider(
  { needs: {}, allowWeak: false },
  { now: () => performance.now(), signal },
);
const judge = new Judge(
  new Runner(ground, { testMs: 1_000, memoryBytes: 512 * 1024 * 1024, outputBytes: 64_000 }),
);

/** One problem of each template, functions and programs that read lines by turns. */
const problems = templates.map(
  (template, at) => new OwnProblem(template, at % template.variants.length, at % 2 === 1),
);
const slipsAProblem = 3;

interface Trial {
  readonly own: OwnProblem;
  readonly mutant: Mutant;
}

/** Slips spread over the program, pairs of slips, and what is too slow. */
function trialsOf(own: OwnProblem): readonly Trial[] {
  const all = own.mutants();
  const single = all.filter(({ slip }) => slip !== 'too slow');
  const step = Math.max(1, Math.floor(single.length / slipsAProblem));
  const chosen = [
    ...single.filter((_, at) => at % step === 0).slice(0, slipsAProblem),
    ...own.doubleMutants(1),
    ...all.filter(({ slip }) => slip === 'too slow'),
  ];
  return chosen.map((mutant) => ({ own, mutant }));
}

/** Does what is left, so many at once. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as Item);
    }),
  );
  return results;
}

async function strengthIn(language: ProgramLanguage) {
  const killed = await inParallel(problems.flatMap(trialsOf), async ({ own, mutant }) => {
    const program = own.write(mutant.program, language);
    const of = { problem: own.problem, language, program };
    const hidden = await judge.report({ ...of, tests: 'hidden' }, signal);
    const visible = await judge.report({ ...of, tests: 'visible' }, signal);
    return {
      kind: mutant.slip === 'two slips' || mutant.slip === 'too slow' ? mutant.slip : 'one slip',
      name: `${own.problem.name}: ${mutant.slip}`,
      hidden: hidden.passed < hidden.total,
      visible: visible.passed < visible.total,
    };
  });
  const kinds = [...new Set(killed.map(({ kind }) => kind))];
  return {
    ...Object.fromEntries(
      kinds.map((kind) => {
        const of = killed.filter((each) => each.kind === kind);
        return [
          kind,
          {
            programs: of.length,
            killedByHidden: of.filter(({ hidden }) => hidden).length,
            killedByVisible: of.filter(({ visible }) => visible).length,
          },
        ];
      }),
    ),
    alive: killed.filter(({ hidden }) => !hidden).map(({ name }) => name),
  };
}

/** Judging a solution by its hidden tests, one at a time, and many at once. */
async function speedIn(language: ProgramLanguage, form: 'function' | 'lines') {
  const chosen = problems.filter(({ problem }) => problem.form.kind === form).slice(0, 12);
  const times: number[] = [];
  const submit = (own: OwnProblem, round: number): Promise<unknown> =>
    judge.report(
      {
        problem: own.problem,
        tests: 'hidden',
        language,
        program: `${own.problem.solutions[language]}${language === 'python' ? '#' : '//'} ${round}`,
      },
      signal,
    );
  for (const own of chosen) {
    const start = performance.now();
    await submit(own, 0);
    times.push(performance.now() - start);
  }
  const start = performance.now();
  await inParallel(
    [1, 2].flatMap((round) => chosen.map((own) => ({ own, round }))),
    ({ own, round }) => submit(own, round),
  ); // a program that was judged before is not judged again
  return {
    tests: Math.round(chosen.reduce((sum, { problem }) => sum + problem.hidden.length, 0) / chosen.length),
    ...quantiles(times, Math.round),
    aSecondAtOnce: Math.round((20_000 * chosen.length) / (performance.now() - start)) / 10,
  };
}

const speed: Record<string, unknown> = {};
const strength: Record<string, unknown> = {};
for (const language of languages) {
  for (const form of ['function', 'lines'] as const)
    speed[`${language}, ${form}`] = await speedIn(language, form);
  strength[language] = await strengthIn(language);
}
await ground.provider[Symbol.asyncDispose]();

printReport({
  what: 'strength of the tests of our own problems, and how long judging takes',
  provider: ground.provider.name,
  ...describeMachine(),
  problems: problems.length,
  speed,
  strength,
});
