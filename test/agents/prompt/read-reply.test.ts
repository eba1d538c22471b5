import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MalformedCode } from '../../../envs/core/textual.ts';
import { readReply, withoutThinking, writeReply } from '../../../agents/prompt/read-reply.ts';

const command = (text: string, thought = ''): object => ({ kind: 'command', command: text, thought });
const malformed = (why: string, code: MalformedCode): object => ({ kind: 'malformed', why, code });

describe('reply of thought and action', () => {
  it.each([
    ['Thought: I need a mug.\nAction: go to desk 1', command('go to desk 1', 'Thought: I need a mug.')],
    ['Action: go to desk 1', command('go to desk 1')],
    ['thought: hm\r\n\r\naction :  go to desk 1  \r\n', command('go to desk 1', 'thought: hm')],
    ['**Thought 3:** hm\n**Action 3:** go to desk 1', command('go to desk 1', '**Thought 3:** hm')],
    ['> Action: `click[buy now]`', command('click[buy now]')],
    ['Action: "go to desk 1"', command('go to desk 1')],
    ['Action: **go to desk 1**', command('go to desk 1')],
    ['Action:\n\n  go to desk 1\nmore', command('go to desk 1')],
    ['Thought: a\nAction: first\nObservation: made up\nAction: second', command('first', 'Thought: a')],
    ['<think>Action: wrong</think>\nAction: right', command('right')],
    ['the template opened it. Action: wrong\n</think>Action: right', command('right')],
    [
      'Thought: the next Action: is not on its own line',
      malformed('it has no line that begins with "Action:".', 'no-action'),
    ],
    ['Interaction: no', malformed('it has no line that begins with "Action:".', 'no-action')],
    ['Thought: hm\nAction:\n \n', malformed('nothing follows "Action:".', 'no-action')],
    ['Action: ""', command('""')],
    ['go to desk 1', malformed('it has no line that begins with "Action:".', 'no-action')],
    ['<think>never', malformed('the thinking does not end.', 'thinking')],
    ['<think>all</think>', malformed('it is empty.', 'empty')],
    [' \n', malformed('it is empty.', 'empty')],
  ])('reads %j', (text, wanted) => {
    expect(readReply(text, { grammar: 'react', cut: false })).toEqual(wanted);
  });

  it.each([
    ['Thought: hm\nAction: go to des', malformed('its action was cut off.', 'cut-off')],
    ['Thought: hm\nAction: go to desk 1\nObserv', command('go to desk 1', 'Thought: hm')],
    ['Thought: hm\nAction:', malformed('it was cut off before its action.', 'cut-off')],
    ['Thought: h', malformed('it was cut off before its action.', 'cut-off')],
    ['', malformed('it was cut off before it said anything.', 'cut-off')],
    ['<think>long', malformed('it was cut off in its thinking.', 'cut-off')],
  ])('reads %j when cut off', (text, wanted) => {
    expect(readReply(text, { grammar: 'react', cut: true })).toEqual(wanted);
  });
});

describe('reply to an env that reads thoughts', () => {
  it.each([
    ['<think>a</think> <search>x</search>', '<think>a</think> <search>x</search>'],
    [
      'the template opened it</think><search>x</search>',
      '<think>the template opened it</think><search>x</search>',
    ],
    ['<think>only a thought</think>', '<think>only a thought</think>'],
    ['"<search>x</search>"', '<search>x</search>'],
  ])('keeps the thoughts of %j', (text, wanted) => {
    const reading = { grammar: 'command', cut: false, keepsThoughts: true } as const;
    expect(readReply(text, reading)).toEqual(command(wanted));
  });

  it.each([
    ['<think>a</think><search>x</search>', 'react', false, 'no-action'],
    ['<think>never', 'command', false, 'thinking'],
    ['<think>a</think><search>x', 'command', true, 'cut-off'],
  ] as const)('reads %j in the grammar %s as before', (text, grammar, cut, code) => {
    expect(readReply(text, { grammar, cut, keepsThoughts: true })).toMatchObject({ kind: 'malformed', code });
  });
});

describe('reply between tags', () => {
  it.each([
    ['<think>I need a mug.</think><action>go to desk 1</action>', command('go to desk 1')],
    ['I say: <ACTION>\ngo to desk 1\n</ACTION> done', command('go to desk 1', 'I say:')],
    ['<thinking>a</thinking><action>first</action><action>second</action>', command('first')],
    ['<think>a<action>wrong</action></think><action>right</action>', command('right')],
    ['<action></action>', malformed('it names no action.', 'no-action')],
    ['<action>go', malformed('its <action> does not end.', 'no-action')],
    ['go', malformed('nothing stands between <action> and </action>.', 'no-action')],
  ])('reads %j', (text, wanted) => {
    expect(readReply(text, { grammar: 'tags', cut: false })).toEqual(wanted);
  });

  it.each([
    ['<action>go</action><act', command('go')],
    ['<action>go', malformed('its action was cut off.', 'cut-off')],
    ['hm', malformed('it was cut off before its action.', 'cut-off')],
  ])('reads %j when cut off', (text, wanted) => {
    expect(readReply(text, { grammar: 'tags', cut: true })).toEqual(wanted);
  });
});

describe('reply that is the bare action', () => {
  it.each([
    ['go to desk 1\n', false, command('go to desk 1')],
    ['> go to desk 1', false, command('go to desk 1')],
    ["'go'", false, command('go')],
    ["it's 'odd'", false, command("it's 'odd'")],
    ["'a' and 'b'", false, command("'a' and 'b'")],
    ['<think>hm</think>\n\ngo', false, command('go')],
    ['def f():\n  return 1', false, command('def f():\n  return 1')],
    ['go to des', true, malformed('it was cut off.', 'cut-off')],
  ])('reads %j', (text, cut, wanted) => {
    expect(readReply(text, { grammar: 'command', cut })).toEqual(wanted);
  });
});

describe('any reply', () => {
  const pieces = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 5 }),
        fc.constantFrom(
          '<think>',
          '</think>',
          '<action>',
          '</action>',
          'Action:',
          'Thought:',
          '\n',
          ' ',
          '*',
          '"',
          '`',
        ),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(''));
  const grammars = fc.constantFrom('react' as const, 'tags' as const, 'command' as const);

  it('yields a non-empty command, or a reason why not', () => {
    fc.assert(
      fc.property(pieces, grammars, fc.boolean(), (text, grammar, cut) => {
        const read = readReply(text, { grammar, cut });
        if (read.kind === 'malformed') expect(read.why).toMatch(/\.$/);
        else expect(read.command.trim()).toBe(read.command);
        if (read.kind === 'command') expect(read.command).not.toBe('');
      }),
    );
  });

  it('yields no command from a cut reply that the whole reply would not yield', () => {
    fc.assert(
      fc.property(pieces, fc.nat(), grammars, (text, at, grammar) => {
        const cut = readReply(text.slice(0, at % (text.length + 1)), { grammar, cut: true });
        if (cut.kind === 'command' && !/<\/?think/i.test(text))
          expect(readReply(text, { grammar, cut: false })).toEqual(cut);
      }),
    );
  });

  it('reads back what was written, thoughts included where the grammar allows them', () => {
    const word = fc.stringMatching(/^[a-z][a-z [\]]{0,15}[a-z]$/);
    fc.assert(
      fc.property(word, word, grammars, (thought, words, grammar) => {
        const written = writeReply({ thought, command: words }, grammar);
        expect(readReply(written, { grammar, cut: false })).toEqual(
          command(words, grammar === 'react' ? thought : ''),
        );
      }),
    );
  });

  it('takes time in proportion to its length', () => {
    const million = 1_000_000;
    for (const text of [
      '<think>'.repeat(million),
      '<action>'.repeat(million),
      `Action${' '.repeat(million)}`,
      ' '.repeat(million),
      `Action: ${'`'.repeat(million)}`,
      '*'.repeat(million),
    ]) {
      for (const grammar of ['react', 'tags', 'command'] as const)
        expect(readReply(text, { grammar, cut: false }).kind).toMatch(/command|malformed/);
    }
    expect(withoutThinking(`${'<think>a</think>'.repeat(million / 10)}b`)).toBe('b');
  });
});
