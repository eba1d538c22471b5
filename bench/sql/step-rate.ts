import { openEnv } from '../../envs/open.ts';
import type { Env, EnvHost } from '../../envs/core/env.ts';
import type { SqlAction } from '../../envs/sql/action.ts';
import { sqlEnv } from '../../envs/sql/definition.ts';
import type { SqlObservation } from '../../envs/sql/observation.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { benchContext } from '../stepping/step-speed.ts';

// Steps a second of sql-v1 through `openEnv`, its guards and turn limit included: of parts that are put together, which no engine sees, and of
// queries, each of which has a database of its own in another thread, one and sixteen at a time; what a reset costs, and what making tasks does.

type Host = EnvHost<SqlObservation, SqlAction>;

const rounds = 5;
const tasks = 138;

/** Runs the work several times and gives back the median of how often it was done in a second. */
async function rate(
  count: number,
  work: () => Promise<void>,
): Promise<{ readonly median: number; readonly best: number; readonly worst: number }> {
  await work();
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work();
    rates.push(Math.round((1_000 * count) / (performance.now() - start)));
  }
  const sorted = rates.toSorted((one, other) => one - other);
  return { median: sorted[Math.floor(rounds / 2)] ?? 0, best: sorted.at(-1) ?? 0, worst: sorted[0] ?? 0 };
}

const episodes = async (host: Host, count: number): Promise<readonly Env<SqlObservation, SqlAction>[]> =>
  Promise.all(Array.from({ length: count }, () => host.create()));

async function resets(host: Host): Promise<void> {
  const [env] = await episodes(host, 1);
  for (let index = 0; index < tasks; index += 1) await env?.reset({ panel: 'dev', index }, benchContext);
}

/** Begins a query and takes a part of it, again and again. */
async function parts(host: Host, steps: number): Promise<void> {
  const [env] = await episodes(host, 1);
  await env?.reset({ panel: 'dev', index: 0 }, benchContext);
  const plan: readonly SqlAction[] = [
    { kind: 'from', table: 'students' },
    { kind: 'show', column: 'name', table: 'students' },
    { kind: 'order', column: 'age', table: 'students', descending: true },
    { kind: 'clear' },
  ];
  for (let step = 0; step < steps; step += 1)
    await env?.step(plan[step % plan.length] as SqlAction, benchContext);
}

async function queries(host: Host, steps: number, atOnce: number): Promise<void> {
  const sql =
    'SELECT courses.title, COUNT(*), AVG(students.age) FROM students JOIN courses ON students.course_id = courses.id GROUP BY courses.title ORDER BY 2 DESC';
  await Promise.all(
    (await episodes(host, atOnce)).map(async (env) => {
      await env.reset({ panel: 'dev', index: 0 }, benchContext);
      for (let step = 0; step < steps / atOnce; step += 1)
        await env.step({ kind: 'query', sql }, benchContext);
    }),
  );
}

const opened = performance.now();
const host = await openEnv(sqlEnv, { maxSteps: 1_000 }, benchContext);
const openMs = Math.round(performance.now() - opened);
const made = performance.now();
for (let index = 0; index < tasks; index += 1) host.describeTask({ panel: 'dev', index });
const taskMs = Math.round((100 * (performance.now() - made)) / tasks) / 100;

printReport({
  what: 'sql-v1 with two threads: steps a second by kind, resets a second, and milliseconds to open and to make a task with its database and its wrong variants tried',
  ...describeMachine(),
  rounds,
  openMs,
  taskMs,
  resetsASecond: await rate(tasks, () => resets(host)),
  partsASecond: await rate(960, () => parts(host, 960)),
  queriesASecond: {
    one: await rate(400, () => queries(host, 400, 1)),
    sixteen: await rate(1_600, () => queries(host, 1_600, 16)),
  },
});
await host.close();
