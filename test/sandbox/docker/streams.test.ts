import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import { workFolder } from '../../../sandbox/docker/cell-config.ts';
import { Capture } from '../../../sandbox/docker/capture.ts';
import { wordsOf } from '../../../sandbox/docker/command-words.ts';
import { endingOf } from '../../../sandbox/docker/ended.ts';
import { FrameReader } from '../../../sandbox/docker/frames.ts';
import { MarkedStream } from '../../../sandbox/docker/marked-stream.ts';
import { readingOf } from '../../../sandbox/docker/monitor.ts';
import { isDead, ownOwner } from '../../../sandbox/docker/owner.ts';

const bytes = fc.uint8Array({ maxLength: 40 });

/** Cuts at places that the stream knows nothing of. */
const cut = (all: Buffer, places: readonly number[]): readonly Buffer[] => {
  const at = [0, ...places.map((place) => place % (all.length + 1)).toSorted((a, b) => a - b), all.length];
  return at.slice(1).map((end, index) => all.subarray(at[index], end));
};

describe('the frames of the daemon', () => {
  it('are read wherever they are cut', () => {
    const frames = fc.array(fc.record({ stream: fc.constantFrom(1, 2), content: bytes }), { maxLength: 6 });
    fc.assert(
      fc.property(frames, fc.array(fc.nat(), { maxLength: 8 }), (all, places) => {
        const heard = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
        const reader = new FrameReader((stream, part) => (heard[stream] = Buffer.concat([heard[stream], part])));
        const wire = all.map(({ stream, content }) => {
          const head = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
          head.writeUInt32BE(content.length, 4);
          return Buffer.concat([head, content]);
        });
        for (const part of cut(Buffer.concat(wire), places)) reader.push(part);
        const of = (stream: number): Buffer => Buffer.concat(all.filter((frame) => frame.stream === stream).map(({ content }) => content));
        expect([heard.stdout, heard.stderr]).toEqual([of(1), of(2)]);
      }),
    );
  });
});

describe('a stream with a mark', () => {
  const mark = 'abababac';

  it('hands on what came before the mark and nothing else, wherever it is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '\n'), maxLength: 30 }).filter((before) => !before.includes(`${mark} `) && !`${before}${mark} `.slice(0, -1).includes(`${mark} `));
    fc.assert(
      fc.property(text, fc.nat(255), fc.array(fc.nat(), { maxLength: 6 }), (before, status, places) => {
        let heard = '';
        const stream = new MarkedStream(mark, (part) => (heard += Buffer.from(part).toString()));
        for (const part of cut(Buffer.from(`${before}${mark} ${status}\nlater`), places)) stream.push(part);
        expect([heard, stream.status]).toEqual([before, status]);
      }),
    );
  });

  it('gives back at its end what was no mark', () => {
    let heard = '';
    const stream = new MarkedStream(mark, (part) => (heard += Buffer.from(part).toString()));
    stream.push(Buffer.from('x abab'));
    expect(heard).toBe('x ');
    stream.flush();
    expect([heard, stream.status]).toEqual(['x abab', undefined]);
  });
});

describe('what a program prints', () => {
  it('is kept up to its limit, in whatever parts it comes', () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 8 }), fc.nat(60), (parts, limit) => {
        const heard: Uint8Array[] = [];
        const capture = new Capture(limit, (part) => heard.push(part));
        const within = parts.map((part) => capture.take(part));
        const all = Buffer.concat(parts);
        expect(Buffer.from(capture.bytes())).toEqual(all.subarray(0, limit));
        expect(Buffer.concat(heard)).toEqual(all.subarray(0, limit));
        expect(within.at(-1) ?? true).toBe(all.length <= limit);
        expect(capture.printed().truncated).toBe(all.length > limit);
      }),
    );
  });
});

describe('the words of a program', () => {
  it('stand behind its variables, as they are', () => {
    const { words, noFolder } = wordsOf(['prog', '-x', 'a=b', ''], { folder: 'in', env: { A: 'b c' } });
    expect(words.slice(4)).toEqual([`${workFolder}/in`, noFolder, 'A=b c', 'PATH=/usr/local/bin:/usr/bin:/bin', `HOME=${workFolder}`, 'LANG=C.UTF-8', 'prog', '-x', 'a=b', '']);
  });

  it.each([{ command: [''] }, { command: ['a=b'] }, { command: ['a', 'b\0'] }] as const)('refuse $command', ({ command }) => {
    expect(() => wordsOf(command, { folder: '', env: {} })).toThrow(UsageError);
  });

  it.each([{ PATH: 'x' }, { '': 'x' }, { 'A=': 'x' }, { A: '\0' }])('refuse the variables %j', (env) => {
    expect(() => wordsOf(['x'], { folder: '', env })).toThrow(UsageError);
  });
});

describe('what a container tells', () => {
  it('is read, and is a fault when it is nothing', () => {
    expect(readingOf('2 1500us 1 3')).toEqual({ processes: 2, cpuMs: 1.5, memoryKills: 1, refusedForks: 3 });
    expect(readingOf('0 2000000ns 0 0')).toMatchObject({ cpuMs: 2 });
    expect(() => readingOf('0 us  ')).toThrow(/tells nothing of what it uses/);
  });

  it('of exit codes follows the shells', () => {
    expect([endingOf(0), endingOf(134), endingOf(137), endingOf(255)]).toEqual([
      { kind: 'exited', code: 0 },
      { kind: 'crashed', signal: 'SIGABRT' },
      { kind: 'crashed', signal: 'SIGKILL' },
      { kind: 'exited', code: 255 },
    ]);
  });
});

describe('the owner of a container', () => {
  it('is dead when its process is, and when another has its number; elsewhere nothing is known', () => {
    const own = ownOwner();
    const [place = '', pid = ''] = own.split(' ');
    expect(isDead(own)).toBe(false);
    expect(isDead(`${place} ${pid} 1`)).toBe(true);
    expect(isDead(`${place} 4194304 1`)).toBe(true);
    expect(isDead(`elsewhere ${pid} 1`)).toBe(false);
    expect(isDead('')).toBe(false);
  });
});
