import { afterEach, describe, expect, it } from 'vitest';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding } from '../../../envs/check/report.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { EnvHost } from '../../../envs/core/env.ts';
import { createMemoryLogger, type Logger } from '../../../envs/core/log.ts';
import { readPanel } from '../../../envs/core/task.ts';
import { openEnv } from '../../../envs/open.ts';
import type { SqlAction } from '../../../envs/sql/action.ts';
import { sqlEnv } from '../../../envs/sql/definition.ts';
import type { SqlObservation } from '../../../envs/sql/observation.ts';
import {
  birdFiles,
  birdQuestion,
  removeFolder,
  smallTables,
  spiderFiles,
  spiderQuestion,
  writeFolder,
  type FolderFiles,
} from './sql-folders.ts';
import { databaseOf, smallSchema } from './small-database.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach(removeFolder));

const context = createContext({ seed: 0, now: () => performance.now() });
type Kind = 'spider' | 'bird';

async function open(
  kind: Kind,
  files: FolderFiles,
  over: object = {},
  log: Logger = context.log,
): Promise<EnvHost<SqlObservation, SqlAction>> {
  const folder = await writeFolder(files);
  folders.push(folder);
  const opening = { ...context, log };
  return openEnv(sqlEnv, { source: { kind, folder, ...over }, timeMs: 1_500, threads: 1 }, opening);
}

describe('a Spider folder', () => {
  it('splits its training questions by database, and leaves dev.json for the held-out panel', async () => {
    const host = await open('spider', spiderFiles());
    expect(host.panels.map(({ name, purpose, size }) => [name, purpose, size])).toEqual([
      ['train', 'train', 4],
      ['dev', 'dev', 2],
      ['spider-dev', 'held-out', 2],
    ]);
    const databases = ['train', 'dev'].map(
      (panel) =>
        new Set(
          [0, 1].map(
            (index) =>
              Object.entries(host.describeTask({ panel, index }).content as object).find(
                ([key]) => key === 'database',
              )?.[1] as string,
          ),
        ),
    );
    expect([...(databases[0] ?? [])].filter((digest) => databases[1]?.has(digest))).toEqual([]);
    expect(host.describeTask({ panel: 'spider-dev', index: 1 })).toMatchObject({
      family: 'join',
      instruction: 'Towns?',
    });
    const env = await host.create();
    const opening = await env.reset({ panel: 'spider-dev', index: 1 }, context);
    expect(sqlEnv.text.observation(opening.observation)).toContain(
      'members(id number key, name text, age number, club_id number -> clubs.id)',
    );
    expect(
      await env.step(
        { kind: 'answer', sql: "SELECT 'Arden' UNION ALL SELECT 'Arden' UNION ALL SELECT 'Dover'" },
        context,
      ),
    ).toMatchObject({ outcome: 'solved' });
    await env.reset({ panel: 'spider-dev', index: 1 }, context);
    expect(
      await env.step(
        { kind: 'answer', sql: "SELECT 'Dover' UNION ALL SELECT 'Arden' UNION ALL SELECT 'Arden'" },
        context,
      ),
    ).toMatchObject({ outcome: 'failed' });
    await host.close();
  });

  it('keeps every law of the contract', async () => {
    const folder = await writeFolder(spiderFiles());
    folders.push(folder);
    const report = await checkEnv(sqlEnv, {
      config: { source: { kind: 'spider', folder }, threads: 1 },
      panels: ['train', 'spider-dev'],
      tasksPerPanel: 1,
      episodes: 2,
      pairs: 2,
      points: 2,
    });
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.notes.join()).toContain('the planner solved 2 of 2');
  });

  it('can be limited to some databases', async () => {
    const host = await open('spider', spiderFiles(), { databases: ['other_life'] });
    expect(host.panels.map(({ name, size }) => [name, size])).toEqual([['train', 2]]);
    await host.close();
    await expect(open('spider', spiderFiles(), { databases: ['nowhere'] })).rejects.toThrow(
      'no question is left',
    );
  });

  it('keeps its fingerprint in another place, and changes it with the rows', async () => {
    const fingerprint = async (files: FolderFiles): Promise<string> => {
      const host = await open('spider', files);
      const panel = readPanel(host, { env: sqlEnv.id, config: {}, name: 'spider-dev' });
      await host.close();
      return panel.fingerprint;
    };
    const one = await fingerprint(spiderFiles());
    expect(await fingerprint(spiderFiles())).toBe(one);
    expect(
      await fingerprint(
        spiderFiles({
          'database/club_life/club_life.sqlite': { sql: `${smallSchema} UPDATE members SET age = 50` },
        }),
      ),
    ).not.toBe(one);
  });
});

describe('a BIRD folder', () => {
  it('gives evidence and difficulty, and compares as BIRD does unless configured otherwise', async () => {
    const folder = await writeFolder(birdFiles());
    folders.push(folder);
    const host = await openEnv(sqlEnv, { source: { kind: 'bird', folder } }, context);
    expect(host.panels.map(({ name, size }) => [name, size])).toEqual([['bird-dev', 2]]);
    expect(host.describeTask({ panel: 'bird-dev', index: 0 })).toMatchObject({
      family: 'simple',
      instruction: 'Who is older than 40?\nTo know: older means age > 40',
    });
    expect(host.describeTask({ panel: 'bird-dev', index: 1 })).toMatchObject({
      family: 'challenging',
      instruction: 'How many?',
    });
    const env = await host.create();
    await env.reset({ panel: 'bird-dev', index: 0 }, context);
    expect(
      await env.step(
        { kind: 'answer', sql: "SELECT 'Cleo' UNION ALL SELECT 'Ben' UNION ALL SELECT 'Ben'" },
        context,
      ),
    ).toMatchObject({ outcome: 'solved' });
    expect(host.identity).toMatchObject({ matching: 'set' }); // which the heading of a results table shows
    await host.close();
    const strict = await openEnv(sqlEnv, { source: { kind: 'bird', folder }, matching: 'rows' }, context);
    const other = await strict.create();
    await other.reset({ panel: 'bird-dev', index: 0 }, context);
    expect(
      await other.step(
        { kind: 'answer', sql: "SELECT 'Cleo' UNION ALL SELECT 'Ben' UNION ALL SELECT 'Ben'" },
        context,
      ),
    ).not.toMatchObject({ outcome: 'solved' });
    await strict.close();
  });

  it('may have its files in a subfolder', async () => {
    const host = await open(
      'bird',
      Object.fromEntries(Object.entries(birdFiles()).map(([name, content]) => [`dev/${name}`, content])),
    );
    expect(host.panels.map(({ name }) => name)).toEqual(['bird-dev']);
    await host.close();
  });
});

describe('opening a folder of questions', () => {
  const sqlite = 'database/club_life/club_life.sqlite';
  it.each([
    [
      'an empty folder',
      'spider',
      { 'tables.json': [] },
      /none of the questions files of Spider: train_spider\.json/,
    ],
    ['an empty folder', 'bird', {}, /none of the questions files of BIRD/],
    [
      'a missing database',
      'spider',
      spiderFiles({ [sqlite]: undefined }),
      /club_life\.sqlite: there is no such file/,
    ],
    [
      'a database that is text',
      'spider',
      spiderFiles({ [sqlite]: 'SQLite? No.' }),
      /club_life\.sqlite: it is no SQLite database/,
    ],
    [
      'a corrupt database',
      'spider',
      spiderFiles({ [sqlite]: new TextEncoder().encode(`SQLite format 3\0${'x'.repeat(4_096)}`) }),
      /club_life\.sqlite: its schema cannot be read: file is not a database/,
    ],
    [
      'a database with a write-ahead log beside it',
      'spider',
      spiderFiles({ [`${sqlite}-wal`]: new Uint8Array(64).fill(1) }),
      /club_life\.sqlite: beside it lies club_life\.sqlite-wal with changes that it does not have\. Bring them in, by `sqlite3 club_life\.sqlite 'PRAGMA wal_checkpoint\(TRUNCATE\)'`/,
    ],
    [
      'a database with a rollback journal beside it',
      'spider',
      spiderFiles({ [`${sqlite}-journal`]: new Uint8Array(64).fill(1) }),
      /beside it lies club_life\.sqlite-journal/,
    ],
    [
      'a database without a table',
      'spider',
      spiderFiles({ [sqlite]: { sql: 'CREATE TABLE clubs (id, name, town)' } }),
      /club_life\.sqlite: it has no column id of a table members, which .*tables\.json has/,
    ],
    [
      'a broken schema',
      'spider',
      spiderFiles({
        [sqlite]: {
          sql: `${smallSchema} PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE members (' WHERE name = 'members'`,
        },
      }),
      /club_life\.sqlite: its schema cannot be read: malformed database schema/,
    ],
    [
      'a database without an entry in the tables file',
      'spider',
      spiderFiles({ 'tables.json': [] }),
      /tables\.json: there is no entry for the database club_life/,
    ],
    [
      'a tables file of another form',
      'spider',
      spiderFiles({ 'tables.json': [{ ...smallTables, foreign_keys: [[1]] }] }),
      /tables\.json: .*foreign_keys/,
    ],
    [
      'a foreign key to nowhere',
      'bird',
      birdFiles({ 'dev_tables.json': [{ ...smallTables, foreign_keys: [[7, 99]] }] }),
      /dev_tables\.json: a key of the database club_life is column 99, and there is no column of that number/,
    ],
    [
      'a questions file in another encoding',
      'spider',
      spiderFiles({ 'dev.json': new Uint8Array([0x5b, 0x22, 0xe9, 0x22, 0x5d]) }),
      /dev\.json: it is not UTF-8\. Convert it/,
    ],
    [
      'a questions file that is not JSON',
      'spider',
      spiderFiles({ 'dev.json': '[{' }),
      /dev\.json: it is no JSON/,
    ],
    [
      'a question without its query',
      'spider',
      spiderFiles({ 'dev.json': [{ db_id: 'club_life', question: 'Who?' }] }),
      /dev\.json: .*query/,
    ],
    [
      'a name that leaves the folder',
      'spider',
      spiderFiles({ 'dev.json': [spiderQuestion({ db_id: '../club_life' })] }),
      /"\.\.\/club_life" is no name of a database/,
    ],
    [
      'a gold query that fails',
      'spider',
      spiderFiles({ 'dev.json': [spiderQuestion(), spiderQuestion({ query: 'SELECT nme FROM members' })] }),
      /dev\.json: 1 question cannot be used: .*entry 2, about club_life: no such column: nme/,
    ],
    [
      'a gold query that writes',
      'bird',
      birdFiles({ 'dev.json': [birdQuestion({ SQL: 'DELETE FROM members' })] }),
      /entry 1, about club_life: Only queries can be run.*not to be changed\. Fix/,
    ],
    [
      'a gold query that never ends',
      'bird',
      birdFiles({
        'dev.json': [
          birdQuestion({
            SQL: 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n',
          }),
        ],
      }),
      /entry 1, about club_life: stopped: it ran longer than 1500 ms/,
    ],
  ] as const)('refuses %s (%s)', async (_what, kind, files, says) => {
    await expect(open(kind, files)).rejects.toThrow(says);
  });

  it('accepts a byte order mark before a file', async () => {
    const host = await open(
      'spider',
      spiderFiles({ 'dev.json': `\uFEFF${JSON.stringify([spiderQuestion()])}` }),
    );
    expect(host.panels.at(-1)).toMatchObject({ name: 'spider-dev', size: 1 });
    await host.close();
  });

  it('shows column descriptions in a look, whatever their encoding, and includes them in the task content', async () => {
    const csv =
      '\uFEFForiginal_column_name, column_name,column_description,data_format,value_description\nName,full name,"how ""members"" are\ncalled",text,\nage,age,,integer,in "years", roughly\n\nnowhere,x,x,text,x\n';
    const described = (content: unknown): FolderFiles =>
      birdFiles({
        'dev_databases/club_life/database_description/Members.csv': content,
        'dev_databases/club_life/database_description/.DS_Store': 'x',
      });
    const host = await open('bird', described(csv));
    const env = await host.create();
    const opening = await env.reset({ panel: 'bird-dev', index: 0 }, context);
    expect(sqlEnv.text.observation(opening.observation)).not.toContain('full name');
    const looked = await env.step({ kind: 'look', table: 'members' }, context);
    expect(sqlEnv.text.observation(looked.observation)).toMatch(
      /^members\(.*\)\nname: how "members" are called\nage: age; in "years"\nFirst rows:/,
    );
    const contentIn = async (of: FolderFiles): Promise<string> => {
      const other = await open('bird', of);
      const content = JSON.stringify(other.describeTask({ panel: 'bird-dev', index: 0 }).content);
      await other.close();
      return content;
    };
    const latin = Buffer.from('original_column_name,column_description\nname,caf\u00e9\n', 'latin1');
    expect(
      new Set([
        await contentIn(described(csv)),
        await contentIn(birdFiles()),
        await contentIn(described(new Uint8Array(latin))),
      ]).size,
    ).toBe(3);
    await host.close();
  });

  it.each([
    [
      'UTF-8 with a byte order mark and stray bytes',
      Buffer.concat([
        Buffer.from('\uFEFForiginal_column_name,column_description\r\nname,the '),
        Buffer.of(0x93),
        Buffer.from('big’ one\r\n'),
      ]),
      'the “big’ one',
    ],
    [
      'Windows-1252',
      Buffer.from('original_column_name,column_description\nname,caf\u00e9 \u0096 bar\n', 'latin1'),
      'café – bar',
    ],
    [
      'semicolons, CRLF and a quoted head',
      Buffer.from('"original_column_name";"column_description"\r\n"name";"one, two"\r\n'),
      'one, two',
    ],
    [
      'a quote that is never closed',
      Buffer.from('original_column_name,column_description\nname,5" wide\nage,"open\n'),
      '5" wide',
    ],
    [
      'UTF-16',
      Buffer.concat([
        Buffer.of(0xff, 0xfe),
        Buffer.from('original_column_name\tcolumn_description\nname\tgröße\n', 'utf16le'),
      ]),
      'größe',
    ],
  ])('reads a description in %s', async (_, content, meaning) => {
    const host = await open(
      'bird',
      birdFiles({ 'dev_databases/club_life/database_description/members.csv': new Uint8Array(content) }),
    );
    const env = await host.create();
    await env.reset({ panel: 'bird-dev', index: 0 }, context);
    const looked = await env.step({ kind: 'look', table: 'members' }, context);
    expect(sqlEnv.text.observation(looked.observation)).toContain(`\nname: ${meaning}\n`);
    await host.close();
  });

  it.each([
    ['without the column of names', 'name,meaning\na,b\n'],
    ['of binary rubbish', new Uint8Array(200).map((_, at) => (at * 37) % 256)],
    ['that is empty', ''],
  ])('keeps the database of a description %s, and counts it', async (_, content) => {
    const log = createMemoryLogger();
    const host = await open(
      'bird',
      birdFiles({ 'dev_databases/club_life/database_description/members.csv': content }),
      {},
      log,
    );
    expect(host.panels.at(-1)).toMatchObject({ name: 'bird-dev' });
    expect(log.events.filter(({ event }) => event.type === 'opening-tally')).toMatchObject([
      {
        event: {
          name: expect.stringMatching(/^description files that cannot be used.*members\.csv: /) as string,
          count: 1,
        },
      },
    ]);
    await host.close();
  });

  it('shows a view like a table, and leaves out one that cannot be read', async () => {
    const views =
      'CREATE VIEW "it\'s old" AS SELECT name AS who, age FROM members; CREATE TABLE gone (x); CREATE VIEW lost AS SELECT x FROM gone; DROP TABLE gone';
    const host = await open(
      'spider',
      spiderFiles({ 'database/other_life/other_life.sqlite': { sql: `${smallSchema}; ${views}` } }),
      { databases: ['other_life'] },
    );
    const env = await host.create();
    const opening = sqlEnv.text.observation(
      (await env.reset({ panel: 'train', index: 0 }, context)).observation,
    );
    expect(opening).toContain("it's old(who text, age number)");
    expect(opening).not.toContain('lost');
    const looked = await env.step({ kind: 'look', table: "it's old" }, context);
    expect(looked).toMatchObject({
      inadmissible: false,
      observation: { said: { kind: 'table', name: "it's old" } },
    });
    await host.close();
  });

  it('shows a generated column with the others', async () => {
    const folder = await writeFolder(
      spiderFiles({
        [sqlite]: {
          sql: `${smallSchema}; ALTER TABLE members ADD COLUMN half NUMERIC GENERATED ALWAYS AS (age / 2) VIRTUAL; CREATE TABLE mark_club_life (x)`,
        },
      }),
    );
    folders.push(folder);
    const host = await openEnv(sqlEnv, { source: { kind: 'spider', folder }, threads: 1 }, context);
    const env = await host.create();
    expect(JSON.stringify(await env.reset({ panel: 'dev', index: 0 }, context))).toContain('half');
    await host.close();
  });

  it.each([
    ['its last byte', 1],
    ['its last page', 4_096],
    ['all but its first page', Infinity],
  ])('refuses a truncated database that lacks %s', async (_what, lacking) => {
    const whole = await databaseOf(`${smallSchema}; CREATE TABLE mark_club_life (x)`);
    const bytes = whole.subarray(0, Math.max(4_096, whole.length - lacking));
    const opening = open('spider', spiderFiles({ [sqlite]: bytes }));
    await expect(opening).rejects.toThrow(
      `club_life.sqlite: it was cut off: it has ${bytes.length} bytes, and by its header ${whole.length / 4_096} pages of 4096 bytes, ${whole.length} in all. Fix the file, or use its original.`,
    );
  });

  it('refuses a gold query with too many rows, and names maxRows', async () => {
    const folder = await writeFolder(
      spiderFiles({ 'dev.json': [spiderQuestion({ query: 'SELECT a.id FROM members a, members b' })] }),
    );
    folders.push(folder);
    const opening = (maxRows: number): Promise<unknown> =>
      openEnv(sqlEnv, { source: { kind: 'spider', folder }, maxRows, threads: 1 }, context);
    await expect(opening(10)).rejects.toThrow(
      /1 question cannot be used: .*more rows than maxRows.*a higher maxRows/,
    );
    await expect(opening(3)).rejects.toThrow(
      /its tables have more columns than maxRows \(3\) lets through\. Raise maxRows/,
    );
  });

  it('counts gold queries without rows', async () => {
    const folder = await writeFolder(
      birdFiles({
        'dev.json': [birdQuestion({ SQL: 'SELECT name FROM members WHERE age > 100' }), birdQuestion()],
      }),
    );
    folders.push(folder);
    const log = createMemoryLogger();
    await (
      await openEnv(
        sqlEnv,
        { source: { kind: 'bird', folder }, threads: 1 },
        createContext({ seed: 0, now: () => 0, log }),
      )
    ).close();
    expect(
      log.events.flatMap(({ event }) => (event.type === 'opening-tally' ? [[event.name, event.count]] : [])),
    ).toEqual([['questions whose gold query gives no rows: any answer without rows is right', 1]]);
  });

  it('leaves out and counts failing gold queries on request', async () => {
    const folder = await writeFolder(
      birdFiles({ 'dev.json': [birdQuestion({ SQL: 'SELECT nme FROM members' }), birdQuestion()] }),
    );
    folders.push(folder);
    const log = createMemoryLogger();
    const host = await openEnv(
      sqlEnv,
      { source: { kind: 'bird', folder, failing: 'leave-out' }, threads: 1 },
      createContext({ seed: 0, now: () => 0, log }),
    );
    expect(host.panels.map(({ size }) => size)).toEqual([1]);
    expect(JSON.stringify(log)).toContain(
      'questions left out, whose gold query fails or whose database cannot be used',
    );
    await host.close();
  });

  it.each([
    ['is missing', undefined, /there is no such file/],
    ['is text', 'SQLite? No.', /it is no SQLite database/],
    [
      'lacks a table',
      { sql: 'CREATE TABLE clubs (id, name, town)' },
      /it has no column id of a table members/,
    ],
  ])('leaves out and counts questions on request about a database that %s', async (_what, database, says) => {
    const log = createMemoryLogger();
    const folder = await writeFolder(spiderFiles({ 'database/other_life/other_life.sqlite': database }));
    folders.push(folder);
    const opened = openEnv(
      sqlEnv,
      { source: { kind: 'spider', folder, failing: 'leave-out' }, threads: 1 },
      createContext({ seed: 0, now: () => 0, log }),
    );
    const host = await opened;
    expect(host.panels.map(({ name, size }) => [name, size])).toEqual([
      ['train', 2],
      ['dev', 2],
      ['spider-dev', 2],
    ]);
    expect(log.events.flatMap(({ event }) => (event.type === 'opening-tally' ? [event.count] : []))).toEqual([
      2,
    ]);
    await host.close();
    await expect(
      open('spider', spiderFiles({ 'database/other_life/other_life.sqlite': database })),
    ).rejects.toThrow(says);
    await expect(
      open('spider', spiderFiles({ 'database/other_life/other_life.sqlite': database }), {
        databases: ['other_life'],
        failing: 'leave-out',
      }),
    ).rejects.toThrow(/all of its 2 questions|2 questions cannot be used/);
  });

  it('explains a panel that is empty because all its questions were left out', async () => {
    const several = spiderQuestion({ query: 'SELECT 1; SELECT 2' });
    const host = await open(
      'spider',
      spiderFiles({ 'dev.json': [several, spiderQuestion({ query: 'SELECT nme FROM members' })] }),
      { failing: 'leave-out' },
    );
    expect(host.panels.map(({ name }) => name)).toEqual(['train', 'dev']);
    const read = (name: string) => () => readPanel(host, { env: sqlEnv.id, config: {}, name });
    expect(read('spider-dev')).toThrow(
      /^panel "spider-dev" of sql-v1: the panel is empty: all of its 2 questions were left out \(source\.failing=leave-out\): 2 questions cannot be used: .*entry 1, about club_life: One query at a time: there are several statements; .*entry 2, about club_life: no such column: nme\. Fix them, or choose one of train, dev\.$/,
    );
    expect(read('bird-dev')).toThrow(/this panel does not exist/);
    await expect(
      open('bird', birdFiles({ 'dev.json': [birdQuestion({ SQL: 'SELECT nme FROM members' })] }), {
        failing: 'leave-out',
      }),
    ).rejects.toThrow(
      /no question is left: its only question was left out .*no such column: nme\. Fix them, or name another folder/,
    );
  });

  it('ends the reason for a wrong gold query with one full stop', async () => {
    await expect(
      open('spider', spiderFiles({ 'dev.json': [spiderQuestion({ query: 'SELECT 1; SELECT 2' })] })),
    ).rejects.toThrow(/there are several statements\. Fix them/);
  });
});
