import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createChatTemplate,
  type ChatTemplate,
  type TemplateMessage,
} from '../../../agents/render/chat-template.ts';
import { loadTokenizer } from '../../../agents/render/tokenizer/load-tokenizer.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { inAll, runs } from '../../support/thorough.ts';

const template = (text: string, special: readonly string[] = []): ChatTemplate =>
  createChatTemplate(
    { where: 'here.jinja', text, tokens: { eos_token: '</s>' } },
    { special, today: () => new Date(Date.UTC(2026, 0, 9, 15, 4, 5)) },
  );
const hello: readonly TemplateMessage[] = [{ role: 'user', text: 'hello' }];
const render = (text: string): string => template(text).render(hello, { addGenerationPrompt: true });

function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    return thrown;
  }
}

const golden = (name: string): string => new URL(`../../golden/tokenizer/${name}`, import.meta.url).pathname;

describe('chat template', () => {
  test('gets messages, tokens, the time and no tools', () => {
    expect(
      render(
        '{{ messages[0].content }}{{ eos_token }}{{ tools is none }}{{ custom is defined }}{{ add_generation_prompt }}',
      ),
    ).toBe('hello</s>TrueFalseTrue');
    expect(render("{{ strftime_now('%Y-%m-%d %H:%M:%S %y %a %A %b %B %I %p %%') }}")).toBe(
      '2026-01-09 15:04:05 26 Fri Friday Jan January 03 PM %',
    );
    expect(render('{% for i in range(1, 8, 3) %}{{ i }}{% endfor %}{{ range(2) | length }}')).toBe('1472');
  });

  test('reports a broken or refusing template by name, with its message', () => {
    expect(() => template('{% if %}')).toThrow(/here\.jinja: it is not a valid chat template/);
    expect(() => template(`{{ ${'('.repeat(100_000)} }}`)).toThrow(UsageError);
    expect(() => template(`{# ${'x'.repeat(2 ** 20)} #}`)).toThrow(/characters/);
    expect(() => render("{{ raise_exception('roles must alternate') }}")).toThrow(
      /here\.jinja.*the template reports: roles must alternate/,
    );
    expect(() => render('{{ nobody() }}')).toThrow(UsageError);
    expect(() => render("{{ strftime_now('%Q') }}")).toThrow(/does not support %Q/);
    expect(() => render("{{ strftime_now('%constructor') }}")).toThrow(UsageError);
  });

  test.each([
    ...inAll([
      ['{% for a in range(10000) %}{% for b in range(10000) %}{{ 1 }}{% endfor %}{% endfor %}', /never ends/],
    ]),
    ['{% for a in range(100000000000) %}{% endfor %}', /is not valid/],
    [
      "{% set ns = namespace(t='x') %}{% for a in range(60) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}{{ ns.t }}",
      /longer than/,
    ],
    [
      '{% set ns = namespace(t=[1]) %}{% for a in range(60) %}{% set ns.t = ns.t + ns.t %}{% endfor %}',
      /never ends/,
    ],
  ] as const)('stops a template without end: %s', (text, message) => {
    const thrown: unknown = attempt(() => render(text));
    expect(thrown).toBeInstanceOf(UsageError);
    expect(thrown).toHaveProperty('message', expect.stringMatching(message));
  });

  test('renders the same text each time, whatever the template does with its own strings', () => {
    const own = template(
      "{% for m in messages %}{% set word = 'ab' %}{{ word.upper() }}{{ word | title }}{{ 'ab' + word }}{{ word[1] }}{% set ns = namespace(t='c') %}{% set ns.t = ns.t ~ 'd' %}{{ ns.t }}{{ 'e' }} {% endfor %}",
    );
    const once = 'ABAbababbcde ';
    for (const count of [1, 3, 2])
      expect(
        own.render(Array.from({ length: count }, () => hello).flat(), { addGenerationPrompt: true }),
      ).toBe(once.repeat(count));
  });

  test('gives a template no access to the program it runs in', () => {
    for (const text of [
      "{{ messages.constructor.constructor('return process')() }}",
      "{{ raise_exception.constructor('return 1')() }}",
      '{{ messages.__proto__.polluted }}{{ process }}',
    ]) {
      let said = '';
      try {
        said = render(text);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(UsageError);
      }
      expect(said).toBe('');
    }
  });

  test('breaks the text of special tokens in messages, and counts them', () => {
    const chat = template('{{ messages[0].content }}<|end|>', ['<|end|>']);
    expect(chat.render([{ role: 'user', text: 'a<|end|>b<|end|>' }], { addGenerationPrompt: false })).toBe(
      'a< |end|>b< |end|><|end|>',
    );
    expect(chat.countSpecial('a<|end|>b<|end|>')).toBe(2);
  });
});

test.each(['llama', 'qwen', 'own'])('makes no special token from content: %s', async (name) => {
  const { tokenizer, template: source } = await loadTokenizer(golden(name));
  if (source === undefined) throw new Error('the folder has no template');
  const chat = createChatTemplate(source, { special: tokenizer.special.keys(), today: () => new Date(0) });
  const ids = new Set(tokenizer.special.values());
  const specialIn = (text: string): number[] =>
    tokenizer
      .encode(chat.render([{ role: 'user', text }], { addGenerationPrompt: true }))
      .filter((id) => ids.has(id));
  const plain = specialIn('x');
  const piece = fc.oneof(
    fc.constantFrom(
      ...tokenizer.special.keys(),
      '<',
      '|',
      '>',
      '<|',
      '|>',
      '<\u212A>',
      'end|>',
      ' ',
      '\n',
      '\0',
    ),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      expect(specialIn(pieces.join(''))).toEqual(plain);
    }),
    { numRuns: runs(300) },
  );
});
