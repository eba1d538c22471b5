import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import { wordsOf } from '../../../sandbox/docker/command-words.ts';
import { FrameReader } from '../../../sandbox/docker/frames.ts';
import { readingOf } from '../../../sandbox/docker/monitor.ts';
import { disown, isLeft, own } from '../../../sandbox/docker/owner.ts';
import { endingOf } from '../../../sandbox/exit-code.ts';
import { workFolder } from '../../../sandbox/program-words.ts';
import { bytes, cut } from '../../support/cut-bytes.ts';

describe('FrameReader', () => {
  it('reads the frames of the daemon wherever they are cut', () => {
    const frames = fc.array(fc.record({ stream: fc.constantFrom(1, 2), content: bytes }), { maxLength: 6 });
    fc.assert(
      fc.property(frames, fc.array(fc.nat(), { maxLength: 8 }), (all, places) => {
        const heard = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
        const reader = new FrameReader(
          (stream, part) => (heard[stream] = Buffer.concat([heard[stream], part])),
        );
        const wire = all.map(({ stream, content }) => {
          const head = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
          head.writeUInt32BE(content.length, 4);
          return Buffer.concat([head, content]);
        });
        for (const part of cut(Buffer.concat(wire), places)) reader.push(part);
        const of = (stream: number): Buffer =>
          Buffer.concat(all.filter((frame) => frame.stream === stream).map(({ content }) => content));
        expect([heard.stdout, heard.stderr]).toEqual([of(1), of(2)]);
      }),
    );
  });
});

describe('wordsOf', () => {
  it('places the words of a program behind its variables, unchanged', () => {
    const { words, noFolder } = wordsOf(['prog', '-x', 'a=b', ''], { folder: 'in', env: { A: 'b c' } });
    expect(words.slice(4)).toEqual([
      `${workFolder}/in`,
      noFolder,
      'A=b c',
      'PATH=/usr/local/bin:/usr/bin:/bin',
      `HOME=${workFolder}`,
      'LANG=C.UTF-8',
      'prog',
      '-x',
      'a=b',
      '',
    ]);
  });

  it.each([{ command: [''] }, { command: ['a=b'] }, { command: ['a', 'b\0'] }] as const)(
    'refuses $command',
    ({ command }) => {
      expect(() => wordsOf(command, { folder: '', env: {} })).toThrow(UsageError);
    },
  );

  it.each([{ PATH: 'x' }, { '': 'x' }, { 'A=': 'x' }, { A: '\0' }])('refuses the variables %j', (env) => {
    expect(() => wordsOf(['x'], { folder: '', env })).toThrow(UsageError);
  });
});

describe('readingOf and endingOf', () => {
  it('readingOf reads the usage of a container, and faults when it is empty', () => {
    expect(readingOf('2 1500us 1 3')).toEqual({ processes: 2, cpuMs: 1.5, memoryKills: 1, refusedForks: 3 });
    expect(readingOf('0 2000000ns 0 0')).toMatchObject({ cpuMs: 2 });
    expect(() => readingOf('0 us  ')).toThrow(/tells nothing of what it uses/);
  });

  it('endingOf reads exit codes as shells do', () => {
    expect([endingOf(0), endingOf(134), endingOf(137), endingOf(255)]).toEqual([
      { kind: 'exited', code: 0 },
      { kind: 'crashed', signal: 'SIGABRT' },
      { kind: 'crashed', signal: 'SIGKILL' },
      { kind: 'exited', code: 255 },
    ]);
  });
});

describe('isLeft', () => {
  it('reports dead processes and disowned providers, but not other places and threads', () => {
    const label = own();
    const [place = '', pid = '', start = ''] = label.split(' ');
    expect(isLeft(label)).toBe(false);
    disown(label);
    expect(isLeft(label)).toBe(true);
    expect(isLeft(`${place} ${pid} ${start} 4000 x`)).toBe(false);
    expect(isLeft(`${place} ${pid} 1`)).toBe(true);
    expect(isLeft(`${place} 4194304 1`)).toBe(true);
    expect(isLeft(`elsewhere ${pid} 1`)).toBe(false);
    expect(isLeft('')).toBe(false);
  });
});
