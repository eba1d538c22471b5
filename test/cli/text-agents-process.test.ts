import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../support/own-folder.ts';
import { root, run, spawnCairn } from '../support/run-program.ts';
import { startStub, type StubServer } from '../support/stub-chat-server.ts';

const inFolder = useFolder();

const wordsFor = (stub: StubServer): readonly string[] => [
  'eval',
  'household',
  '--tasks',
  '4',
  '--agent',
  `openai:stub-model@${stub.url}`,
];

describe('cairn process with a language model', () => {
  it.each(['silence', 'drip'] as const)(
    'ends on SIGINT while the server answers with %s, with exit code 130 and no open request',
    async (kind) => {
      await using stub = await startStub(() => ({ kind }));
      const ran = await spawnCairn([...wordsFor(stub), '--json'], {
        drive: (child) => {
          child.stdin?.end();
          const timer = setInterval(() => {
            if (stub.requests.length < 4) return;
            clearInterval(timer);
            child.kill('SIGINT');
          }, 10);
        },
      });
      expect(ran.code).toBe(130);
      expect(JSON.parse(ran.out)).toEqual({
        error: { kind: 'interrupted', message: 'interrupted by SIGINT' },
      });
      expect(ran.err).toContain('no episode is kept; --keep FOLDER writes them down as they end');
      await expect.poll(() => stub.connections.now).toBe(0);
    },
  );

  it('exits by itself, without open connections or timers', async () => {
    await using stub = await startStub(() => ({ kind: 'say', text: 'Action: look' }));
    const program = `
      import { runCairn } from ${JSON.stringify(pathToFileURL(path.join(root, 'dist/cli/program/run-cairn.js')).href)};
      import { commands } from ${JSON.stringify(pathToFileURL(path.join(root, 'dist/cli/commands.js')).href)};
      import { createTerminal } from ${JSON.stringify(pathToFileURL(path.join(root, 'dist/cli/terminal/terminal.js')).href)};
      process.exitCode = await runCairn(process.argv.slice(2), commands, {
        terminal: createTerminal({ out: process.stdout, err: process.stderr, environment: {} }), stdin: process.stdin, environment: {},
        now: () => performance.now(), wallClock: () => 0, signals: process, kill: () => undefined, version: '9.9.9',
      });
      process.stderr.write(JSON.stringify(process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name))));`;
    const file = inFolder('run.mjs');
    await writeFile(file, program);
    const { code, err } = await run(process.execPath, [file, ...wordsFor(stub), '--quiet', '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '[]' });
  });

  it('passes its key to no child process', async () => {
    const module = inFolder('spying-env.ts');
    const seen = inFolder('seen.json');
    await writeFile(
      module,
      `import { execFileSync } from 'node:child_process';
       import { writeFileSync } from 'node:fs';
       import { environments as sorting } from ${JSON.stringify(path.join(root, 'examples/sort-env.ts'))};
       const [sort] = sorting;
       export const environments = [{
         ...sort,
         id: 'my-lab/spy-v1',
         open: (config, context) => {
           const child = execFileSync(process.execPath, ['-e', 'process.stdout.write(JSON.stringify(process.env))']);
           writeFileSync(${JSON.stringify(seen)}, child + JSON.stringify(process.env));
           return sort.open(config, context);
         },
       }];`,
    );
    await using stub = await startStub(() => ({ kind: 'say', text: 'swap 1 2' }));
    const words = [
      'eval',
      'my-lab/spy',
      '--env-module',
      module,
      '--panel',
      'train',
      '--tasks',
      '1',
      '--agent',
      `openai:stub-model@${stub.url}`,
      '--quiet',
    ];
    const { code, err } = await spawnCairn(words, {
      environment: { OPENAI_API_KEY: 'canary-0c9d1e', OTHER: 'passed-on' },
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(stub.requests[0]?.headers.authorization).toBe('Bearer canary-0c9d1e');
    const inherited = await readFile(seen, 'utf8');
    expect([inherited.includes('passed-on'), inherited.includes('canary-0c9d1e')]).toEqual([true, false]);
  });
});
