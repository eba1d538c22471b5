import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding } from '../../../envs/check/report.ts';
import { createContext, type Context } from '../../../envs/core/context.ts';
import type { Env, EnvHost } from '../../../envs/core/env.ts';
import type { Opening, StepResult } from '../../../envs/core/step.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { openEnv } from '../../../envs/open.ts';
import type { SqlAction } from '../../../envs/sql/action.ts';
import { sqlEnv } from '../../../envs/sql/definition.ts';
import type { SqlObservation } from '../../../envs/sql/observation.ts';
import { itInAll } from '../../support/thorough.ts';

type Host = EnvHost<SqlObservation, SqlAction>;
type SqlEnvironment = Env<SqlObservation, SqlAction>;

const context = createContext({ seed: 0, now: () => performance.now() });
const { text } = sqlEnv;
let host: Host;
beforeAll(async () => {
  host = await openEnv(sqlEnv, {}, context);
});
afterAll(() => host.close());

async function opened(
  ref: TaskRef,
  from: Host = host,
): Promise<{ readonly env: SqlEnvironment; readonly opening: Opening<SqlObservation, SqlAction> }> {
  const env = await from.create();
  return { env, opening: await env.reset(ref, context) };
}

/** Gives lines one after the other, as a player would, and returns the text after each. */
async function converse(
  env: SqlEnvironment,
  lines: readonly string[],
  luck: Context = context,
): Promise<{
  readonly read: readonly string[];
  readonly results: readonly StepResult<SqlObservation, SqlAction>[];
}> {
  const results: StepResult<SqlObservation, SqlAction>[] = [];
  for (const line of lines) {
    const reply = text.parse(line);
    if (reply.kind !== 'action') throw new Error(reply.why);
    results.push(await env.step(reply.action, luck));
  }
  return { read: results.map(({ observation }) => text.observation(observation)), results };
}

const goldOf = (ref: TaskRef, from: Host = host): string => {
  const [action] = from.experts?.planner?.(ref) ?? [];
  return action?.kind === 'answer' ? action.sql : '';
};

it('sql-v1 shows bytes, large numbers and infinities as SQLite does', async () => {
  const { env } = await opened({ panel: 'dev', index: 3 });
  const { read, results } = await converse(env, [
    "query SELECT x'410a' AS a, 9e999 AS b, -9e999 AS c, 9007199254740993 AS d, NULL AS e",
  ]);
  expect(read).toEqual(["a | b | c | d | e\nx'410a' | Inf | -Inf | 9007199254740993 | NULL"]);
  expect(results[0]?.observation.said).toMatchObject({
    rows: [["x'410a'", 'Inf', '-Inf', '9007199254740993', null]],
  });
});

it('sql-v1 limits what it shows of a result, however large its values, its columns or its error', async () => {
  const { env } = await opened({ panel: 'dev', index: 3 });
  const wide = Array.from({ length: 1_900 }, () => "printf('%1000d', 1)").join(', ');
  const { read, results } = await converse(env, [
    `query SELECT ${wide}`,
    `query SELECT printf('%5000d', 1) AS a UNION ALL SELECT 2`,
    "query WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 10) SELECT printf('%900d', x), printf('%900d', x), printf('%900d', x) FROM n",
    `query SELECT 1 AS "${'c'.repeat(50_000)}"`,
    `query SELECT ${'c'.repeat(50_000)}`,
  ]);
  expect(Math.max(...read.map(({ length }) => length))).toBeLessThan(70_000); // SQLite allows 2,000 columns: 8 characters each, and the separators
  expect(read[1]).toBe(`a\n${' '.repeat(1_000)}...\n2`);
  expect(results[2]?.observation.said).toMatchObject({ rows: { length: 8 }, more: 2 });
  expect(read[3]?.length).toBeLessThan(1_100);
  expect(read[4]?.length).toBeLessThan(2_100);
});

it('sql-v1 counts queries that were stopped for their time', async () => {
  const quick = await openEnv(sqlEnv, { timeMs: 200 }, context);
  const { env } = await opened({ panel: 'dev', index: 3 }, quick);
  const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';
  const { results } = await converse(env, [`query ${endless}`, 'query SELECT nme', `answer ${endless}`]);
  expect(results.map(({ metrics }) => metrics?.['stopped'])).toEqual([1, 0, 1]);
  await quick.close();
});

describe('an episode of sql-v1, worked by hand', () => {
  const ref: TaskRef = { panel: 'dev', index: 3 };

  it('shows the expected texts for looks, queries, errors, query parts and an answer', async () => {
    const { env, opening } = await opened(ref);
    expect(opening.instruction).toMatch(
      /^List the name of the \w+ whose \w+ is "\w+" and whose \w+ is below [\d.]+\.$/,
    );
    expect(text.observation(opening.observation)).toContain(
      'students(id number key, name text, age number, club text, mark number, course_id number -> courses.id)',
    );
    const { read, results } = await converse(env, [
      'look Teachers',
      'query SELECT COUNT(*) AS n FROM teachers',
      'query SELECT nme FROM teachers',
      'query DELETE FROM teachers',
      'query SELECT COUNT(*) AS n FROM teachers',
      'look nowhere',
      'from teachers',
      'show name of teachers',
      'where name of teachers is not "Nobody"',
      'limit 2',
      'where salary of teachers is known',
      'run',
      'clear',
      'answer SELECT 1 WHERE 0',
    ]);
    expect(read[0]).toMatch(
      /^teachers\(id number key, name text, subject text, salary number, town text\)\nFirst rows:\nid \| name \| subject \| salary \| town\n1 \| /,
    );
    expect(read[1]).toMatch(/^n\n\d+$/);
    expect(read.slice(2, 4)).toEqual([
      'Error: no such column: nme',
      'Refused: Only queries can be run, which begin with SELECT, WITH or VALUES: the database is not to be changed.',
    ]);
    expect(read[4]).toBe(read[1]);
    expect(read.slice(5, 11)).toEqual([
      'Refused: There is no table nowhere.',
      'Noted.\nQuery so far: SELECT * FROM teachers',
      'Noted.\nQuery so far: SELECT name FROM teachers',
      "Noted.\nQuery so far: SELECT name FROM teachers WHERE name <> 'Nobody'",
      "Noted.\nQuery so far: SELECT name FROM teachers WHERE name <> 'Nobody' LIMIT 2",
      "Refused: That part does not fit here, or names what is not there.\nQuery so far: SELECT name FROM teachers WHERE name <> 'Nobody' LIMIT 2",
    ]);
    expect(read[11]).toMatch(/^name\n[^\n]+\n[^\n]+\nQuery so far: /);
    expect(read.slice(12)).toEqual(['Noted.', 'Wrong.']);
    expect(results.map(({ inadmissible }) => inadmissible)).toEqual([
      false,
      false,
      false,
      true,
      false,
      true,
      false,
      false,
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(results.at(-1)).toMatchObject({
      kind: 'terminated',
      outcome: 'failed',
      reward: { total: 0 },
      metrics: { execution: 0, syntax: 1, format: 1 },
    });
    await env.close();
  });

  it('ends as solved for any query that gives the rows, and for no other', async () => {
    const gold = goldOf(ref);
    for (const [sql, outcome, inadmissible] of [
      [gold, 'solved', false],
      [`WITH a AS (${gold}) SELECT * FROM a ORDER BY 1 DESC;`, 'solved', false],
      [`${gold} LIMIT 0`, 'failed', false],
      [`${gold} UNION ALL ${gold}`, 'failed', false],
      [`${gold}; ${gold}`, 'failed', true],
      ['DROP TABLE teachers', 'failed', true],
      ['SELECT', 'failed', false],
    ] as const) {
      const { env } = await opened(ref);
      expect(await env.step({ kind: 'answer', sql }, context), sql).toMatchObject({
        kind: 'terminated',
        outcome,
        inadmissible,
        reward: { total: outcome === 'solved' ? 1 : 0 },
      });
      await env.close();
    }
  });

  it('ends as failed after its steps', async () => {
    const short = await openEnv(sqlEnv, { maxSteps: 2 }, context);
    const { env } = await opened(ref, short);
    expect((await converse(env, ['look teachers', 'look students'])).results.at(-1)).toMatchObject({
      kind: 'terminated',
      outcome: 'failed',
      limit: 'turn-limit',
    });
    await short.close();
  });
});

describe('a harmful query in sql-v1', () => {
  it.each([
    ['a query of a megabyte', `SELECT '${'x'.repeat(1_048_576)}'`, true],
    ['a NUL character', 'SELECT 1 \0 FROM students', true],
    ['several statements', 'SELECT 1; SELECT 2', true],
    ['a program of another language', 'import os; os.system("ls")', true],
    [
      'endless recursion',
      'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n',
      false,
    ],
    [
      'a product of everything',
      'SELECT count(*) FROM students a, students b, students c, students d, students e, students f, students g, students h',
      false,
    ],
    ['a huge value', 'SELECT hex(zeroblob(400000000))', false],
  ])('costs its agent a step, and other episodes nothing: %s', async (_name, sql, inadmissible) => {
    const patient = await openEnv(sqlEnv, { timeMs: 1_500, threads: 2, memoryMegabytes: 64 }, context);
    const [bad, ...good] = await Promise.all(
      Array.from({ length: 9 }, () => opened({ panel: 'dev', index: 0 }, patient)),
    );
    const [result, ...others] = await Promise.all([
      bad?.env.step({ kind: 'query', sql }, context),
      ...good.map(({ env }) =>
        env.step({ kind: 'answer', sql: goldOf({ panel: 'dev', index: 0 }) }, context),
      ),
    ]);
    expect(result).toMatchObject({
      kind: 'ongoing',
      inadmissible,
      observation: { said: { kind: inadmissible ? 'refused' : 'error' } },
    });
    expect(others.map((other) => other?.kind === 'terminated' && other.outcome)).toEqual(
      others.map(() => 'solved'),
    );
    expect(
      await bad?.env.step({ kind: 'answer', sql: goldOf({ panel: 'dev', index: 0 }) }, context),
    ).toMatchObject({ outcome: 'solved' });
    await patient.close();
  });
});

describe('players of sql-v1', () => {
  it('the searcher, which knows the forms of questions, solves the first 25 tasks of every panel', async () => {
    for (const { name } of host.panels) {
      for (let index = 0; index < 25; index += 1) {
        const { env, opening } = await opened({ panel: name, index });
        const searcher = host.experts?.searcher?.(context.rng);
        let turn: Parameters<NonNullable<typeof searcher>['act']>[0] = opening;
        for (;;) {
          const result = await env.step(searcher?.act(turn) ?? { kind: 'finish' }, context);
          if (result.kind === 'ongoing') turn = result;
          else {
            expect(result).toMatchObject({ outcome: 'solved' });
            break;
          }
        }
        await env.close();
      }
    }
  });

  it('random players get the same transcripts one after the other and sixteen at once', async () => {
    const play = async (index: number): Promise<readonly string[]> => {
      const { env, opening } = await opened({ panel: 'train', index });
      const lines: string[] = [];
      let turn:
        | Opening<SqlObservation, SqlAction>
        | Extract<StepResult<SqlObservation, SqlAction>, { readonly kind: 'ongoing' }> = opening;
      const rng = createContext({ seed: index, now: () => 0 });
      for (let step = 0; ; step += 1) {
        const action: SqlAction = (turn.admissible ?? [])[
          rng.rng.fork(step).int(turn.admissible?.length ?? 1)
        ] ?? { kind: 'finish' };
        const result = await env.step(action, context);
        lines.push(
          `${text.action(action)} => ${text.observation(result.observation)} ${JSON.stringify(result.reward)} ${result.stateKey ?? ''}`,
        );
        if (result.kind !== 'ongoing') break;
        turn = result;
      }
      await env.close();
      return lines;
    };
    const apart: (readonly string[])[] = [];
    for (let index = 0; index < 16; index += 1) apart.push(await play(index));
    expect(await Promise.all(Array.from({ length: 16 }, (_, index) => play(index)))).toEqual(apart);
  });
});

describe('the contract of sql-v1', () => {
  itInAll('holds in text mode, with all rewards', async () => {
    const report = await checkEnv(sqlEnv, {
      config: {
        mode: 'text',
        weights: { execution: 1, linking: 0.4, ngrams: 0.3, syntax: 0.1, format: 0.1 },
        shownRows: 2,
      },
      tasksPerPanel: 1,
      episodes: 2,
      pairs: 4,
    });
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.notes).toContain('the planner solved 5 of 5 episodes');
  });

  it('allows no query parts in text mode', async () => {
    const written = await openEnv(sqlEnv, { mode: 'text' }, context);
    const { env, opening } = await opened({ panel: 'dev', index: 0 }, written);
    expect(opening.admissible).toBeUndefined();
    expect(text.observation(opening.observation)).not.toContain('join TABLE');
    expect((await converse(env, ['from students'])).results).toMatchObject([
      { kind: 'ongoing', inadmissible: true },
    ]);
    await written.close();
  });
});
