import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSpecialTextGuard, createTextGuard } from '../../../agents/render/special-text.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { runs } from '../../support/thorough.ts';

const guardOf = (...special: readonly string[]): ReturnType<typeof createSpecialTextGuard> =>
  createSpecialTextGuard(special);

describe('texts of special tokens', () => {
  test('break after their first character and are counted, while other text stays', () => {
    const chat = guardOf('<|im_end|>', '<|im_start|>');
    expect(chat.guard('a <|im_end|>\r\n<|im_end|> <|im_en')).toEqual({
      text: 'a < |im_end|>\r\n< |im_end|> <|im_en',
      count: 2,
    });
    expect(chat.guard('nothing < here |>')).toEqual({ text: 'nothing < here |>', count: 0 });
    expect(guardOf().guard('<s>')).toEqual({ text: '<s>', count: 0 });
  });

  test('break even when they overlap, are one character, or start with a surrogate pair', () => {
    expect(guardOf('abab').guard('ababab')).toEqual({ text: 'a ba bab', count: 2 });
    expect(guardOf('#').guard('a#b')).toEqual({ text: 'a b', count: 1 });
    expect(guardOf('👍!').guard('x👍!y')).toEqual({ text: 'x👍 !y', count: 1 });
  });

  test('break with another character when one contains a space, and fail when no character is left', () => {
    expect(guardOf('a b', 'a  b').guard('a b')).toEqual({ text: 'a\u200B b', count: 1 });
    expect(() => guardOf(' ', '\u200B', '\u2060', '\u00B7')).toThrow(UsageError);
  });

  test('never remain in the text, which removing the breaks restores', () => {
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

describe('texts of the env', () => {
  const guardFor = (...reserved: readonly string[]) =>
    createTextGuard({
      special: new Map([['<|a|>', 0]]),
      reserved: new Map(reserved.map((text, id) => [text, id])),
    });

  test('break at reserved texts, break once more where already broken, and break only special texts in messages', () => {
    const guard = guardFor('<|a|>', '<think>');
    expect(guard.tell('<think> <|a|> < |a|> <  think> < b')).toBe('< think> < |a|> <  |a|> <   think> < b');
    expect(guard.mean('< think> < |a|> <  |a|> <   think> < b')).toBe('<think> <|a|> < |a|> <  think> < b');
    expect(guard.message('<think> <|a|> < |a|>')).toBe('<think> < |a|> < |a|>');
    expect(guardFor('#', '#a').tell('x#a')).toBe('x a');
  });

  test('contain no reserved text, and can be restored', () => {
    const piece = fc.constantFrom(
      '<',
      '|',
      'a',
      'ab',
      '>',
      '<|a|>',
      '<|ab|>',
      '|>',
      '<|',
      '\n',
      ' ',
      '  ',
      '👍',
      '👍!',
    );
    const reserved = ['<|a|>', '<|ab|>', '|>', '><', 'aa', '👍!'];
    const guard = guardFor(...reserved);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const told = guard.tell(text);
        for (const one of reserved) expect(told).not.toContain(one);
        expect(guard.mean(told)).toBe(text);
        expect(guard.message(told)).toBe(told);
      }),
      { numRuns: runs(1000) },
    );
  });
});
