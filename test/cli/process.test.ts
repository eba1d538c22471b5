import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, run, spawnCairn, type Ran } from '../support/run-program.ts';
import { temporaryFolder } from '../trainers/run/make-run.ts';
import { inAll, itInAll } from '../support/thorough.ts';

/** Plays with an open input, and sends the signals once the prompt has been seen. */
const interrupted = (...signals: readonly NodeJS.Signals[]): Promise<Ran> =>
  spawnCairn(['play', 'lights-out'], {
    drive: (child: ChildProcess) => {
      let seen = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        if (seen.includes('> ')) return;
        seen += chunk.toString();
        if (seen.includes('> ')) for (const signal of signals) child.kill(signal);
      });
    },
  });

describe('cairn process', () => {
  it.each([
    ['SIGINT', 130],
    ...inAll([
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ]),
  ] as const)('ends by itself on %s, with exit code %i', async (signal, code) => {
    const ran = await interrupted(signal);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(`interrupted by ${signal}`);
  });

  it.each([['SIGINT', 130], ...inAll([['SIGTERM', 143]] as const)] as const)(
    'closes the shop that it serves on %s, with one document and exit code %i',
    async (signal, code) => {
      const ran = await spawnCairn(['serve', 'shop', '--port', '0', '--json'], {
        drive: (child: ChildProcess) => void child.stdout?.once('data', () => child.kill(signal)),
      });
      expect(ran.code).toBe(code);
      expect(JSON.parse(ran.out)).toMatchObject({
        env: 'shop-v1',
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/) as string,
      });
      expect(ran.err).not.toContain('error:');
    },
  );

  it('counts the two SIGINTs of one Ctrl-C as one', async () => {
    expect((await interrupted('SIGINT', 'SIGINT')).code).toBe(130);
  });

  it.each([
    [['envs', 'lights-out'], 0],
    [['play', 'no-such-env'], 2],
    ...inAll([
      [['envs'], 0],
      [['check', 'lights-out', '--tasks', '1', '--episodes', '1', '--law', 'order'], 0],
      [['play', 'lights-out'], 0],
      [['nonsense'], 2],
    ]),
  ] as const)('prints one JSON document and no control characters: %j', async (words, code) => {
    const ran = await spawnCairn([...words, '--json']);
    expect(ran.code).toBe(code);
    expect(() => JSON.parse(ran.out) as unknown).not.toThrow();
    expect(ran.out + ran.err).not.toContain('\u001b');
  });

  it('keeps the output of a user’s env out of its document', async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, 'noisy-env.ts');
    const example = await readFile(path.join(root, 'examples', 'sort-env.ts'), 'utf8');
    await writeFile(
      file,
      `console.log('noise at import');\n${example.replace('observe: (letters) =>', "observe: (letters) => (process.stdout.write('noise of a look\\n'), letters) &&")}`,
    );
    const ran = await spawnCairn([
      'eval',
      'my-lab/sort',
      '--env-module',
      file,
      '--agent',
      'random',
      '--panel',
      'dev',
      '--tasks',
      '2',
      '--json',
    ]);
    expect(JSON.parse(ran.out)).toMatchObject({ schema: 1 });
    expect(ran.err).toMatch(/noise at import\n[\s\S]*noise of a look/);
  });

  itInAll('prints nothing on stderr under --quiet', async () => {
    expect(
      (await spawnCairn(['check', 'lights-out', '--tasks', '1', '--episodes', '1', '--quiet'])).err,
    ).toBe('');
  });

  it('ignores a reader that closes the pipe', async () => {
    const line = `${JSON.stringify(process.execPath)} dist/cli/main.js envs lights-out; echo "code $?" >&2`;
    const ran = await run('sh', ['-c', `(${line}) | head -c 1`], { cwd: root });
    expect(ran.err).toContain('code 0');
    expect(ran.err).not.toContain('EPIPE');
  });

  it.each([['envs', '--json'], ...inAll([['envs'], ['export', 'no-such-run']])])(
    'reports a full disk behind its output: %j',
    async (...words) => {
      const ran = await run(
        'sh',
        ['-c', `${JSON.stringify(process.execPath)} dist/cli/main.js ${words.join(' ')} > /dev/full`],
        { cwd: root },
      );
      const isRefused = words[0] === 'export';
      expect(ran).toEqual({
        code: isRefused ? 2 : 1,
        out: '',
        err: expect.stringMatching(
          isRefused
            ? /^error: .*no-such-run.*\n$/
            : /^error: standard output: the disk, or your quota on it, is full\. Free some space .*\n$/,
        ) as string,
      });
    },
  );

  it('works from another folder', async () => {
    const ran = await run(process.execPath, [path.join(root, 'dist', 'cli', 'main.js'), '--version'], {
      cwd: '/',
    });
    expect(ran).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string, err: '' });
  });
});
