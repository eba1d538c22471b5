import { describe, expect, it } from 'vitest';
import { terminalLine, terminalText } from '../../../envs/core/terminal-text.ts';

describe('terminalText', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['colours of one byte', '\u009b31mred', 'red'],
    ['titles', '\u001b]0;title\u0007after', 'after'],
    ['links', '\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['device strings without end', 'before\u001bPq#0', 'before'],
    ['other escapes', '\u001b(Bplain\u001bc', 'plain'],
    ['a lone escape', 'a\u001b', 'a'],
    ['control characters', 'a\u0000\u0008\rb\u007f', 'ab'],
    ['marks that reorder text', 'a\u202eb\u2066c\u200fd\u061c', 'abcd'],
  ])('removes %s', (_, text, plain) => {
    expect(terminalText(text)).toBe(plain);
  });

  it('keeps ordinary text', () => {
    expect(terminalText('a\tb\nÄ 猫 🐈')).toBe('a\tb\nÄ 猫 🐈');
    expect(terminalLine('  a\n\t b ')).toBe('a b');
  });
});
