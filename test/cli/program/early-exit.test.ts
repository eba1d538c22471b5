import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../../cli/program/define-command.ts';
import { useFolder } from '../../support/own-folder.ts';
import { cairn } from '../../support/command-line.ts';
import { spawnCairn, type Ran } from '../../support/run-program.ts';
import { moduleText } from '../../support/module-text.ts';
import { inAll, itInAll } from '../../support/thorough.ts';

const inFolder = useFolder();

async function write(name: string, atImport: string, inStep: string): Promise<string> {
  const file = inFolder(`${name}.ts`);
  await writeFile(file, moduleText('lab/exit-v1', { atImport, inStep }));
  return file;
}

const place = (name: string): string => `${name}\\.ts:\\d+:\\d+\\)?`;

describe('env that calls process.exit', () => {
  it.each([
    ['step', 'check', '', 'process.exit(0);'],
    ...inAll([
      ['import', 'check', 'process.exit(0);', ''],
      [
        'later',
        'eval --agent random',
        '',
        'setTimeout(() => process.exit(0)); await new Promise(() => undefined);',
      ],
      ['seven', 'eval --agent random', '', 'process.exit(7);'],
    ]),
  ] as const)(
    'ends the command with exit code 1, a paragraph and a document: %s',
    async (name, command, atImport, inStep) => {
      const file = await write(name, atImport, inStep);
      const [called = '', ...more] = command.split(' ');
      const ran = await spawnCairn([called, 'lab/exit', ...more, '--env-module', file, '--json', '--quiet']);
      expect(ran.err).toMatch(
        new RegExp(
          `^error: cairn-gym ${called}: code that it ran ended the process with process\\.exit \\(at .*${place(name)}\\)\\. Fix that code: .*\\n$`,
        ),
      );
      expect(JSON.parse(ran.out)).toMatchObject({
        error: {
          kind: 'run',
          where: `cairn-gym ${called}`,
          fix: expect.stringContaining('Fix that code') as string,
        },
      });
      expect(ran.code).toBe(1);
    },
  );

  itInAll('leaves a run that can be resumed', async () => {
    const flag = inFolder('fixed');
    const file = await write(
      'run',
      "import { existsSync } from 'node:fs';",
      `if (!existsSync(${JSON.stringify(flag)})) process.exit(0);`,
    );
    const run = inFolder('run');
    const words = 'train lab/exit --backend wasm --iterations 1 --groups 2 --group-size 2'.split(' ');
    const broken = await spawnCairn([
      ...words,
      '--with',
      'policy.width=16',
      '--with',
      'policy.buckets=1024',
      '--env-module',
      file,
      '--run',
      run,
      '--quiet',
    ]);
    expect({ code: broken.code, out: broken.out }).toEqual({ code: 1, out: '' });
    expect(broken.err).toMatch(/^error: cairn-gym train: code that it ran ended the process/);
    await writeFile(flag, '');
    const resumed = await spawnCairn(['train', '--resume', run, '--env-module', file, '--quiet']);
    expect(resumed.code, resumed.err).toBe(0);
    expect(existsSync(path.join(run, 'report.html'))).toBe(true);
  });
});

describe('runCairn', () => {
  const ended = async (
    words: readonly string[],
    emit: (signals: EventEmitter) => void,
  ): Promise<Ran & { readonly killed: readonly number[] }> => {
    const signals = new EventEmitter();
    const killed: number[] = [];
    const waiting = defineCommand({
      flags: [],
      examples: [],
      options: z.strictObject({}),
      run: (_options, session) => {
        emit(signals);
        return session.signal.aborted
          ? Promise.reject(session.signal.reason as Error)
          : Promise.resolve({ document: {}, lines: ['done'] });
      },
    });
    let now = 0;
    const ran = await cairn(['wait', ...words], {
      commands: [{ name: 'wait', summary: 'waits', load: async () => waiting }],
      signals,
      kill: (code) => void killed.push(code),
      now: () => (now += 2_000),
    });
    expect(signals.listenerCount('exit')).toBe(0);
    return { ...ran, killed };
  };

  it('reports an unexplained exit of the process with exit code 1', async () => {
    const { err, killed } = await ended([], (signals) => void signals.emit('exit', 13));
    expect(err).toMatch(
      /^error: cairn-gym wait: the process ended before the command did: it waited for something that can never happen\. Fix the environment: /,
    );
    expect(killed).toEqual([1]);
  });

  it('reports no early exit when a second signal ends the process', async () => {
    const { err, killed } = await ended([], (signals) => {
      for (const _time of [1, 2]) signals.emit('SIGINT', 'SIGINT');
      signals.emit('exit', 130);
    });
    expect(killed).toEqual([130]);
    expect(err).not.toContain('error:');
  });

  it('reports no early exit after the command has ended', async () => {
    const signals = new EventEmitter();
    const { err } = await cairn(['envs'], { signals });
    signals.emit('exit', 0);
    expect(err).toBe('');
  });
});
