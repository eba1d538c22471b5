import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSpecialTextGuard } from '../../../agents/render/special-text.ts';
import { UsageError } from '../../../envs/core/errors.ts';

const guardOf = (...special: readonly string[]): ReturnType<typeof createSpecialTextGuard> => createSpecialTextGuard(special);

describe('texts of special tokens', () => {
  test('are broken behind their first character and counted; the rest stays', () => {
    const chat = guardOf('<|im_end|>', '<|im_start|>');
    expect(chat.guard('a <|im_end|>\r\n<|im_end|> <|im_en')).toEqual({ text: 'a < |im_end|>\r\n< |im_end|> <|im_en', count: 2 });
    expect(chat.guard('nothing < here |>')).toEqual({ text: 'nothing < here |>', count: 0 });
    expect(guardOf().guard('<s>')).toEqual({ text: '<s>', count: 0 });
  });

  test('also where they overlap, are one character, or begin with one of two halves', () => {
    expect(guardOf('abab').guard('ababab')).toEqual({ text: 'a ba bab', count: 2 });
    expect(guardOf('#').guard('a#b')).toEqual({ text: 'a b', count: 1 });
    expect(guardOf('👍!').guard('x👍!y')).toEqual({ text: 'x👍 !y', count: 1 });
  });

  test('are broken by another character where one has a space in it, and refused where none is left', () => {
    expect(guardOf('a b', 'a  b').guard('a b')).toEqual({ text: 'a\u200B b', count: 1 });
    expect(() => guardOf(' ', '\u200B', '\u2060', '\u00B7')).toThrow(UsageError);
  });

  test('none is ever left, and taking the breaks out gives the text back', () => {
    const piece = fc.constantFrom('<', '|', 'a', 'ab', '>', '<|a|>', '<|ab|>', '|>', '<|', '\n', '👍');
    const special = ['<|a|>', '<|ab|>', '|>', '><', 'aa'];
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const { text, count } = guardOf(...special).guard(pieces.join(''));
        for (const one of special) expect(text).not.toContain(one);
        expect(text.replaceAll(' ', '')).toBe(pieces.join(''));
        expect(text.length).toBe(pieces.join('').length + count);
      }),
    );
  });
});
