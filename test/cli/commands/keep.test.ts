import { EventEmitter } from 'node:events';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { writeGames } from '../../support/alfworld-games.ts';
import { cairn } from '../../support/command-line.ts';
import { startStub } from '../../support/stub-chat-server.ts';
import { itInAll } from '../../support/thorough.ts';

let folder = '';
const runA = (): string => path.join(folder, 'A', 'lamp');
const runB = (): string => path.join(folder, 'B', 'lamp');

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-keep-'));
  const small = [
    '--iterations',
    '1',
    '--groups',
    '2',
    '--group-size',
    '2',
    '--set',
    'size=3',
    '--with',
    'evaluation.tasks=2',
    '--with',
    'finalPanels=[]',
  ];
  const learned = ['--warm-start', '64', '--with', 'warmStart.epochs=8'];
  for (const [run, words] of [
    [runA(), [...learned, '--seed', '1']],
    [runB(), [...learned, '--seed', '2']],
  ] as const) {
    const trained = await cairn([
      'train',
      'lights-out',
      ...small,
      ...words,
      '--backend',
      'cpu',
      '--run',
      run,
      '--json',
      '--quiet',
    ]);
    expect(trained.code, trained.err).toBe(0);
  }
});
afterAll(() => rm(folder, { recursive: true }));

const runWords = ['--backend', 'cpu', '--tasks', '32', '--decoding', 'sampled', '--json', '--quiet'];

/** The rows without what no two evaluations share. */
async function rowsOf(words: readonly string[]): Promise<readonly (readonly [string, unknown])[]> {
  const { code, out, err } = await cairn(words);
  expect(code, err).toBe(0);
  const { results } = JSON.parse(out) as { readonly results: readonly unknown[] };
  return results
    .map((result) => parseResult(result, 'stdout'))
    .map(({ agent, episodes }) => [agent, episodes]);
}

const sessionsOf = async (...parts: readonly string[]): Promise<number> =>
  (
    JSON.parse(await readFile(path.join(...parts, 'evaluation.json'), 'utf8')) as {
      readonly sessions: readonly unknown[];
    }
  ).sessions.length;

describe('kept evaluations of runs', () => {
  itInAll('stay separate for runs of one name, whether played alone, side by side or pooled', async () => {
    const keep = path.join(folder, 'two');
    const bench = ['bench', '--agent', runA(), '--agent', runB(), ...runWords];
    const plain = await rowsOf(bench);
    expect(plain.map(([agent]) => agent)).toEqual(['A/lamp', 'B/lamp']);
    expect(plain[0]?.[1]).not.toEqual(plain[1]?.[1]);
    expect(await rowsOf([...bench, '--keep', keep])).toEqual(plain);
    expect(await rowsOf([...bench, '--keep', keep])).toEqual(plain);
    const pooled = [
      'bench',
      '--agent',
      runA(),
      '--agent',
      runB(),
      '--agent',
      'random',
      '--pool',
      'random',
      ...runWords,
    ];
    const pool = await rowsOf(pooled);
    expect(pool.map(([agent]) => agent)).toEqual(['random', 'random (pooled)']);
    expect(await rowsOf([...pooled, '--keep', keep])).toEqual(pool);
    expect(await readdir(keep)).toEqual(['a-lamp', 'b-lamp', 'random']);
    expect(await sessionsOf(keep, 'b-lamp')).toBe(1); // what only shows it is no session of it
  });

  it('refuse token filters for a policy that picks whole actions', async () => {
    const { code, err } = await cairn(['eval', '--run', runA(), ...runWords, '--top-k', '20']);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /--top-k: it applies to tokens, and the policy of \S+ chooses whole actions/,
      ) as string,
    });
  });

  it('refuse other weights, such as after new training in the same folder', async () => {
    const keep = path.join(folder, 'again');
    const [own] = await rowsOf(['bench', '--agent', runA(), '--keep', keep, ...runWords]);
    const refused = await cairn(['bench', '--agent', runB(), '--keep', keep, ...runWords]);
    expect({ code: refused.code, err: refused.err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /it belongs to another evaluation: player\.weights is "sha256:[0-9a-f]{64}" there and "sha256:[0-9a-f]{64}" here\./,
      ) as string,
    });
    const both = await rowsOf(['bench', '--agent', runB(), '--agent', runA(), '--keep', keep, ...runWords]);
    expect(both[1]?.[1]).toEqual(own?.[1]);
    expect((await readdir(keep)).toSorted()).toEqual(['b-lamp', 'lamp']); // where it was when it played alone
    const moved = path.join(folder, 'kept-run');
    await rename(runA(), moved);
    await cp(runB(), runA(), { recursive: true });
    const retrained = await cairn([
      'bench',
      '--agent',
      runA(),
      '--keep',
      path.join(keep, '..', 'again'),
      ...runWords,
    ]);
    expect(JSON.parse(retrained.out)).toMatchObject({ results: [{ agent: 'lamp', episodes: both[0]?.[1] }] });
    await rm(runA(), { recursive: true });
    await rename(moved, runA());
  });

  it('refuse the same weights twice before any episode', async () => {
    const copy = path.join(folder, 'C', 'other');
    await cp(runA(), copy, { recursive: true });
    const keep = path.join(folder, 'shared');
    const { code, err } = await cairn([
      'bench',
      '--agent',
      'random',
      '--agent',
      runA(),
      '--agent',
      copy,
      '--keep',
      keep,
      ...runWords,
    ]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /--keep .*shared: the episodes of lamp and other would be taken for each other's: they are checkpoints of one name with the same weights\./,
      ) as string,
    });
    await expect(readdir(keep)).rejects.toThrow(/ENOENT/);
  });

  itInAll('use a folder for each checkpoint of one run', async () => {
    const keep = path.join(folder, 'checkpoints');
    const checkpoints = ['warm-start', 'iteration-00001'].flatMap((name) => [
      '--agent',
      path.join(runA(), 'checkpoints', name),
    ]);
    const plain = await rowsOf(['bench', ...checkpoints, ...runWords]);
    expect(plain.map(([agent]) => agent)).toEqual(['lamp (warm-start)', 'lamp (iteration-00001)']);
    expect(await rowsOf(['bench', ...checkpoints, '--keep', keep, ...runWords])).toEqual(plain);
    expect(await readdir(keep)).toEqual(['lamp-iteration-00001', 'lamp-warm-start']);
  });
});

/** Puts a folder in place of the record, so that it cannot be written. */
function blockRecord(keep: string): void {
  const record = path.join(keep, 'stub-model', 'evaluation.json');
  rmSync(record);
  mkdirSync(path.join(record, 'in the way'), { recursive: true });
}

describe('kept evaluations of language models', () => {
  it('stay separate by the server’s path, and continue whichever agents play beside', async () => {
    await using stub = await startStub(({ path: asked }) => ({
      kind: 'say',
      text: asked.startsWith('/good') ? 'press row 1 column 1' : 'I would rather not.',
    }));
    const keep = path.join(folder, 'paths');
    const agentAt = (at: string): readonly string[] => [
      '--agent',
      `openai:stub-model@http://${stub.host}/${at}/v1?key=canary`,
    ];
    const words = ['--tasks', '2', '--keep', keep, '--json', '--quiet'];
    const [alone] = await rowsOf(['bench', 'lights-out', ...agentAt('good'), ...words]);
    expect([alone?.[0], await readdir(keep)]).toEqual(['stub-model', ['stub-model']]);
    const refused = await cairn(['bench', 'lights-out', ...agentAt('bad'), ...words]);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /player\.endpoint is "http:\/\/[\d.:]+\/good\/v1" there and "http:\/\/[\d.:]+\/bad\/v1" here/,
      ) as string,
    });
    const asked = stub.requests.length;
    const { code, out } = await cairn([
      'bench',
      'lights-out',
      ...agentAt('bad'),
      ...agentAt('good'),
      '--agent',
      'random',
      ...words,
    ]);
    expect(code).toBe(1); // of the one nothing could be read
    const rows = (JSON.parse(out) as { readonly results: readonly unknown[] }).results.map((result) =>
      parseResult(result, 'stdout'),
    );
    expect(rows.map(({ agent }) => agent)).toEqual([
      `stub-model at ${stub.host}/bad/v1`,
      `stub-model at ${stub.host}/good/v1`,
      'random',
    ]);
    expect(rows[1]?.episodes).toEqual(alone?.[1]);
    expect(stub.requests.slice(asked).filter(({ path: at }) => at.startsWith('/good'))).toEqual([]); // nothing of it was thrown away
    const before = stub.requests.length;
    expect(await rowsOf(['bench', 'lights-out', ...agentAt('good'), ...words])).toEqual([alone]);
    expect(stub.requests.length).toBe(before);
    const record = await readFile(path.join(keep, 'stub-model', 'evaluation.json'), 'utf8');
    expect(record).not.toContain('canary');
    const seen = await cairn([
      'inspect',
      path.join(keep, 'stub-model', 'episodes-00001.jsonl.gz'),
      '--group',
      '0',
      '--member',
      '0',
    ]);
    expect(seen.out).toContain('wrote   press row 1 column 1');
  });

  it('report the same unreadable replies after an interruption as without one', async () => {
    const call = {
      tool_calls: [{ id: '1', type: 'function', function: { name: 'press', arguments: '{}' } }],
    };
    let signals = new EventEmitter();
    await using stub = await startStub(({ number }) => {
      if (number === 8) signals.emit('SIGINT', 'SIGINT');
      return { kind: 'say', text: null, finish: 'tool_calls', message: call };
    });
    const words = [
      'eval',
      'lights-out',
      '--agent',
      `openai:stub-model@${stub.url}`,
      '--tasks',
      '4',
      '--concurrency',
      '1',
      '--keep',
      path.join(folder, 'called'),
    ];
    expect((await cairn(words, { signals })).code).toBe(130);
    for (let session = 0; session < 2; session += 1) {
      signals = new EventEmitter();
      const { code, out, err } = await cairn(words, { signals });
      expect(code).toBe(1);
      expect(out).toContain(
        '12 of 12 replies (100.0 %) could not be read; 4 of 4 episodes ended by it: nothing was measured; 12 replies called tools and said nothing.',
      );
      expect(err).toContain('start it without a parser of tool calls');
    }
  });

  it('name the full disk, and how to continue', async () => {
    const keep = path.join(folder, 'full');
    await using stub = await startStub(({ number }) => {
      if (number === 0) symlinkSync('/dev/full', path.join(keep, 'stub-model', 'episodes-00001.jsonl.gz'));
      if (number === 0) blockRecord(keep); // which is the second failure
      return { kind: 'say', text: 'press row 1 column 1' };
    });
    const { code, err } = await cairn([
      'bench',
      'lights-out',
      '--agent',
      `openai:stub-model@${stub.url}`,
      '--tasks',
      '4',
      '--concurrency',
      '1',
      '--keep',
      keep,
      '--quiet',
    ]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /^error: .*full\/stub-model\/episodes-00001\.jsonl\.gz: the disk is full\. Free some space, then repeat the same command: it continues with the missing episodes\.\n$/,
      ) as string,
    });
  });

  it('lose no finished row when the last record cannot be written', async () => {
    for (const command of ['bench', 'eval']) {
      const keep = path.join(folder, `unrecorded-${command}`);
      let asked = 0;
      let last = Number.POSITIVE_INFINITY;
      await using stub = await startStub(() => {
        asked += 1;
        if (asked === last) blockRecord(keep); // not before, or a record in between would end the run
        return { kind: 'say', text: 'press row 1 column 1' };
      });
      const words = [
        command,
        'lights-out',
        '--agent',
        `openai:stub-model@${stub.url}`,
        '--tasks',
        '2',
        '--quiet',
      ];
      await cairn(words);
      last = 2 * asked;
      const { code, out, err } = await cairn([...words, '--keep', keep]);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringMatching(/^error: .*evaluation\.json: it could not be written: .*\n$/) as string,
      });
      expect(out).toMatch(/^stub-model +0\.0 /m);
    }
  });

  it('refuse URLs that differ only in their query, which is never written', async () => {
    const agents = ['one', 'two'].flatMap((key) => ['--agent', `openai:m@http://127.0.0.1:1/v1?key=${key}`]);
    const { code, err } = await cairn([
      'bench',
      'lights-out',
      ...agents,
      '--tasks',
      '1',
      '--keep',
      path.join(folder, 'queries'),
      '--quiet',
    ]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/their URLs differ only in the query/) as string,
    });
    expect(err).not.toContain('key=');
  });
});

describe('kept evaluations of data', () => {
  it('continue when the data move to another path, and refuse other data', async () => {
    const games = writeGames({ unseen: 2 });
    const keep = path.join(folder, 'data');
    const bench = (files: string): readonly string[] => [
      'bench',
      'alfworld',
      '--set',
      `files=${files}`,
      '--agent',
      'random',
      '--keep',
      keep,
      '--json',
      '--quiet',
    ];
    const first = await rowsOf(bench(games.folder));
    const moved = path.join(folder, 'moved-games');
    await cp(games.folder, moved, { recursive: true });
    expect(await rowsOf(bench(moved))).toEqual(first);
    const fewer = writeGames({ unseen: 1 });
    expect((await cairn(bench(fewer.folder))).err).toMatch(
      /it belongs to another evaluation: panel\.fingerprint is /,
    );
    games.remove();
    fewer.remove();
  });
});
