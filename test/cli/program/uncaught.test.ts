import { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ListedCommand } from '../../../cli/command.ts';
import { defineCommand } from '../../../cli/program/define-command.ts';
import { listenForUncaught } from '../../../cli/program/uncaught.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { useFolder } from '../../support/own-folder.ts';
import { cairn } from '../../support/command-line.ts';
import { spawnCairn } from '../../support/run-program.ts';
import { moduleText } from '../../support/module-text.ts';

const inFolder = useFolder();

describe('uncaught error of user code', () => {
  it.each([
    ['timer', "setTimeout(() => { throw new Error('lost in a timer'); });", 'lost in a timer'],
    ['promise', "void Promise.reject(new Error('lost in a promise'));", 'lost in a promise'],
  ])(
    'ends a training on wasm with a paragraph and exit code 1 when thrown in a %s',
    async (name, line, message) => {
      const module = inFolder(`${name}.ts`);
      await writeFile(module, moduleText('lab/late-v1', { inStep: line }));
      const words = [
        'train',
        'lab/late',
        '--env-module',
        module,
        '--backend',
        'wasm',
        '--iterations',
        '1',
        '--groups',
        '2',
        '--run',
        inFolder(name),
        '--json',
        '--quiet',
      ];
      const ran = await spawnCairn(words);
      const { error } = JSON.parse(ran.out) as { readonly error: { readonly where: string } };
      expect(error).toEqual({
        kind: 'unexpected',
        message,
        where: expect.stringContaining(`${name}.ts:`) as string,
      });
      expect(ran.err).toBe(
        `error: Code outside of Cairn went wrong: ${message} (${error.where}). Fix it there. CAIRN_DEBUG=1 shows where.\n`,
      );
      expect(ran.code).toBe(1);
    },
  );
});

describe('runCairn', () => {
  const waiting = (signals: EventEmitter, thrown: unknown): ListedCommand => ({
    name: 'wait',
    summary: 'waits for ever',
    load: async () =>
      defineCommand({
        flags: [],
        examples: [],
        options: z.strictObject({}),
        run: (_options, session) =>
          new Promise((_resolve, reject) => {
            session.signal.addEventListener('abort', () => reject(session.signal.reason as Error));
            setImmediate(() => signals.emit('uncaughtException', thrown));
          }),
      }),
  });

  it('exits with the code of the uncaught error’s kind', async () => {
    for (const [thrown, code] of [
      [new Error('x'), 1],
      [new UsageError({ where: 'there', what: 'wrong.', fix: 'Fix it.' }), 2],
    ] as const) {
      const signals = new EventEmitter();
      expect((await cairn(['wait'], { commands: [waiting(signals, thrown)], signals })).code).toBe(code);
    }
  });

  it('leaves no listener when nothing was thrown', async () => {
    const signals = new EventEmitter();
    await cairn(['envs', 'lights-out'], { signals });
    expect(signals.eventNames()).toEqual([]);
  });

  it('keeps listening after the first uncaught error, so that a second does not cut off the report', () => {
    const source = new EventEmitter();
    const uncaught = listenForUncaught(source);
    source.emit('unhandledRejection', new Error('first'));
    uncaught[Symbol.dispose]();
    expect(source.listenerCount('uncaughtException')).toBe(1);
    expect(() => source.emit('uncaughtException', new Error('second'))).not.toThrow();
    return expect(uncaught.first).rejects.toThrow('first');
  });
});
