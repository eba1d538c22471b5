import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkedStream } from '../../sandbox/conversation/marked-stream.ts';
import { Capture, Printing } from '../../sandbox/printing.ts';
import { bytes, cut } from '../support/cut-bytes.ts';

describe('MarkedStream', () => {
  const mark = 'abababac';

  it('passes on what came before the mark and nothing else, wherever it is cut', () => {
    const text = fc
      .string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '\n', '7', `${mark} `), maxLength: 30 })
      .filter((before) => !/abababac \d{1,3}\n/.test(before));
    fc.assert(
      fc.property(text, fc.nat(255), fc.array(fc.nat(), { maxLength: 6 }), (before, status, places) => {
        let heard = '';
        const stream = new MarkedStream(mark, (part) => (heard += Buffer.from(part).toString()));
        for (const part of cut(Buffer.from(`${before}${mark} ${status}\nlater`), places)) stream.push(part);
        expect([heard, stream.status, Buffer.from(stream.rest).toString()]).toEqual([
          before,
          status,
          'later',
        ]);
      }),
    );
  });

  it('gives back at its end what was not a mark', () => {
    let heard = '';
    const stream = new MarkedStream(mark, (part) => (heard += Buffer.from(part).toString()));
    stream.push(Buffer.from('x abab'));
    expect(heard).toBe('x ');
    stream.flush();
    expect([heard, stream.status]).toEqual(['x abab', undefined]);
  });

  it('holds back only a line that may be the end, and keeps little of what follows', () => {
    let heard = 0;
    const stream = new MarkedStream(mark, (part) => (heard += part.byteLength));
    const flood = Buffer.alloc(1e6, 'x');
    stream.push(Buffer.from(`${mark} `));
    stream.push(flood);
    expect(heard).toBe(mark.length + 1 + flood.length);
    stream.push(Buffer.from(`${mark} 0\n`));
    stream.push(flood);
    expect([heard, stream.status]).toEqual([mark.length + 1 + flood.length, 0]);
    expect(stream.rest.byteLength).toBeLessThan(100_000);
  });
});

describe('Printing and Capture', () => {
  it('keep and report output up to its limit, in whatever parts it comes', () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 8 }), fc.nat(60), (parts, limit) => {
        const heard: Uint8Array[] = [];
        const printing = new Printing(limit, (_stream, part) => heard.push(part));
        const capture = new Capture(limit);
        const within = parts.map((part) => printing.take('stdout', part));
        for (const part of parts) capture.take(part);
        const all = Buffer.concat(parts);
        expect(Buffer.from(capture.bytes())).toEqual(all.subarray(0, limit));
        expect(Buffer.concat(heard)).toEqual(all.subarray(0, limit));
        expect(within.at(-1) ?? true).toBe(all.length <= limit);
        expect([capture.truncated, printing.truncated]).toEqual([all.length > limit, all.length > limit]);
        expect(printing.printed()).toEqual({
          stdout: capture.printed(),
          stderr: { text: '', truncated: false },
        });
      }),
    );
  });
});
