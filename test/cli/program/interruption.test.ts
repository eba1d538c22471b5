import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ListedCommand } from '../../../cli/command.ts';
import { defineCommand } from '../../../cli/program/define-command.ts';
import { type Interruption, listenForInterruptions } from '../../../cli/program/interruption.ts';
import { cairn } from '../../support/command-line.ts';
import { trainSmall } from '../../trainers/loop/small-training.ts';
import { temporaryFolder } from '../../trainers/run/make-run.ts';

/** Works until it is stopped, then puts its work away, or fails while doing so. */
const worker = (end: 'returns' | 'throws' | 'rethrows', onStart: () => void): ListedCommand => ({
  name: 'work',
  summary: 'works',
  load: async () =>
    defineCommand({
      flags: [],
      examples: [],
      options: z.strictObject({}),
      run: async (_options, { signal }) => {
        const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        onStart();
        await stopped;
        if (end === 'throws') throw new Error('half-written');
        if (end === 'rethrows') throw signal.reason;
        return { document: { checkpoint: 7 }, lines: ['put away'] };
      },
    }),
});

describe('stop signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('%s lets the command clean up, then exits with %i', async (name, code) => {
    for (const end of ['returns', 'throws', 'rethrows'] as const) {
      const signals = new EventEmitter();
      const ran = await cairn(['work', '--json'], {
        signals,
        commands: [worker(end, () => signals.emit(name, name))],
      });
      expect(ran.code).toBe(code);
      expect(JSON.parse(ran.out)).toEqual(
        end === 'returns'
          ? { checkpoint: 7 }
          : { error: { kind: 'interrupted', message: `interrupted by ${name}` } },
      );
      expect(ran.err).toContain(`interrupted by ${name}`);
    }
  });

  it('handlers stay until the end of an interrupted process, and otherwise only during the command', async () => {
    const signals = new EventEmitter();
    await cairn(['envs', '--quiet'], { signals });
    expect(signals.eventNames()).toEqual([]);
    await cairn(['work'], { signals, commands: [worker('returns', () => signals.emit('SIGINT', 'SIGINT'))] });
    expect(signals.eventNames()).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
  });

  it('reports what is kept of a training that had not started or resumed', async () => {
    using folder = temporaryFolder();
    const stop = async (
      ...words: readonly string[]
    ): Promise<{ readonly code: number; readonly err: string }> => {
      const signals = new EventEmitter();
      signals.once('newListener', () => setImmediate(() => signals.emit('SIGTERM', 'SIGTERM')));
      const { code, err } = await cairn(['train', ...words], { signals });
      return { code, err };
    };
    const run = path.join(folder.path, 'run');
    expect(await stop('lights-out', '--run', run)).toEqual({
      code: 143,
      err: expect.stringMatching(
        /the command saves what it can, then ends; .*\nnothing was started, and nothing is kept\n$/,
      ) as string,
    });
    expect(existsSync(run)).toBe(false);
    await trainSmall(run, { config: { iterations: 1, backend: 'cpu' } });
    expect(await stop('--resume', run)).toEqual({
      code: 143,
      err: expect.stringContaining(
        `\nnothing was done, and the run is unchanged; resume with: npx cairn-gym train --resume ${run}\n`,
      ) as string,
    });
  });

  it('reports what is kept when a later signal kills the process', async () => {
    let now = 0;
    const signals = new EventEmitter();
    const killed: number[] = [];
    const begun = (): void => {
      signals.emit('SIGINT', 'SIGINT');
      now = 1000;
      signals.emit('SIGINT', 'SIGINT');
    };
    const { err } = await cairn(['work'], {
      signals,
      now: () => now,
      kill: (code) => killed.push(code),
      commands: [worker('returns', begun)],
    });
    expect(killed).toEqual([130]);
    expect(err).toContain('stopped at once: saved work is kept, and unsaved work is lost\n');
  });

  it('counts once when repeated within a second, and a later one kills', () => {
    let now = 0;
    const killed: number[] = [];
    const source = new EventEmitter();
    const firsts: Interruption[] = [];
    using interruptions = listenForInterruptions({
      source,
      now: () => now,
      onFirst: (interruption) => firsts.push(interruption),
      kill: (code) => killed.push(code),
    });
    for (const [at, name] of [
      [0, 'SIGINT'],
      [0, 'SIGINT'],
      [999, 'SIGINT'],
    ] as const) {
      now = at;
      source.emit(name, name);
    }
    expect({ firsts: firsts.length, killed }).toEqual({ firsts: 1, killed: [] });
    expect(interruptions.signal.reason).toBe(firsts[0]);
    now = 1000;
    source.emit('SIGTERM', 'SIGTERM');
    expect(killed).toEqual([143]);
    expect(interruptions.received?.exitCode).toBe(130);
  });
});
