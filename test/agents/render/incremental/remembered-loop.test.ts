import { Environment, type Statement } from '@huggingface/jinja';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createChatTemplate, type TemplateMessage } from '../../../../agents/render/chat-template.ts';
import { parseTemplate } from '../../../../agents/render/jinja/parse-template.ts';
import { PythonInterpreter } from '../../../../agents/render/jinja/python-interpreter.ts';
import { loadTokenizer } from '../../../../agents/render/tokenizer/load-tokenizer.ts';
import { runs } from '../../../support/thorough.ts';

type Conversation = readonly TemplateMessage[];

/** What an interpreter that remembers nothing makes of it; undefined where it refuses. */
function withoutMemory(
  template: Statement,
  conversation: Conversation,
  addGenerationPrompt: boolean,
  tokens: Readonly<Record<string, string>>,
): string | undefined {
  const environment = new Environment();
  const values = {
    ...tokens,
    true: true,
    false: false,
    none: null,
    True: true,
    False: false,
    None: null,
    tools: null,
    documents: null,
    messages: conversation.map(({ role, text }) => ({ role, content: text })),
    add_generation_prompt: addGenerationPrompt,
    range: (count: unknown) => [...Array(Number(count)).keys()], // refuses what is no number
    raise_exception: (what: unknown): never => {
      throw new Error(String(what));
    },
  };
  for (const [name, value] of Object.entries(values)) environment.set(name, value);
  try {
    return String(new PythonInterpreter(environment).run(template).value);
  } catch {
    return undefined;
  }
}

function byCairn(
  template: ReturnType<typeof createChatTemplate>,
  conversation: Conversation,
  addGenerationPrompt: boolean,
): string | undefined {
  try {
    return template.render(conversation, { addGenerationPrompt });
  } catch {
    return undefined;
  }
}

const text = fc.constantFrom(
  '',
  'a',
  'b',
  ' go left \n',
  '<think>so</think>\nx',
  'y</think>',
  '<tool_response>z</tool_response>',
  'a\nuser',
  '{{ messages }}{% endfor %}',
  '<|im_end|>\n<|im_start|>user',
  '[/INST]</s>',
  'é\u0301 \u{1f600}\ud800',
);
const message: fc.Arbitrary<TemplateMessage> = fc.record({
  role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
  text,
});
/** Conversations as they occur: each extends an earlier one, and is rendered with and without the generation prompt. */
const conversations = fc
  .array(
    fc.record({
      from: fc.nat(5),
      keep: fc.nat(8),
      more: fc.array(message, { maxLength: 4 }),
      prompt: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((wanted) => {
    const told: { readonly conversation: Conversation; readonly prompt: boolean }[] = [];
    for (const { from, keep, more, prompt } of wanted)
      told.push({
        conversation: [
          ...(told[from % Math.max(1, told.length)]?.conversation.slice(0, keep) ?? []),
          ...more,
        ],
        prompt,
      });
    return told;
  });

/** Parts that see, set or leave more than the message of an iteration. */
const parts = [
  '{{ m.content }}',
  "{{ m['role'] | upper }}",
  '{{ loop.index }}',
  '{{ loop.index0 }}',
  '{{ loop.revindex }}',
  '{{ loop.revindex0 }}',
  '{{ loop.length }}',
  '{% if loop.first %}F{% endif %}',
  '{% if not loop.last %}-{% endif %}',
  '{{ loop.previtem.content }}',
  '{{ loop.nextitem.role }}',
  "{{ loop['first'] }}",
  '{{ loop | length }}',
  '{{ bos }}',
  '{{ late }}',
  '{{ nobody }}',
  '{% if nobody is defined %}D{% endif %}',
  '{% set x = m.role %}',
  '{{ x }}',
  "{% set x = (x if x is defined else '') ~ 'i' %}",
  '{% set late = m.content %}',
  '{% set a, b = [m.role, loop.index] %}',
  '{{ a }}{{ b }}',
  '{% set x %}{{ m.content }}!{% endset %}',
  '{% set loop = m %}',
  '{% set m = messages[0] %}',
  '{% set ns.n = ns.n + 1 %}',
  '{{ ns.n }}',
  '{% set ns = namespace(n=7) %}',
  '{{ few }}',
  '{{ few | length }}',
  '{% set few = few + [m.role] %}',
  '{{ messages | length }}',
  '{{ messages[loop.index0].content }}',
  '{{ messages[-1].role }}',
  '{% for c in [1, 2] %}{{ c }}{{ loop.index }}{{ m.role }}{% endfor %}',
  '{% for c in [loop.index] %}{{ c }}{% endfor %}',
  '{% for c in m.content.split() %}{% set x = c %}{{ loop.last }}{% endfor %}',
  '{% for o in messages if o.role == m.role %}{{ loop.length }}{% endfor %}',
  "{{ m.content.split('</think>')[-1].strip() }}",
  '{{ m.content | trim }}',
  "{{ m.content.startswith('a') }}",
  '{{ shout(m.content) }}',
  '{{ place() }}',
  '{% macro inner() %}{{ loop.index }}{{ m.role }}{% endmacro %}{{ inner() }}',
  '{{ range(loop.index) | length }}',
  "{% if m.role == 'user' %}U{% elif loop.first %}E{% else %}{{ x }}{% endif %}",
  "{% if m.role == 'tool' %}{{ raise_exception('no tools') }}{% endif %}",
  "{% if m.content == 'b' %}{% continue %}{% endif %}",
  "{% if m.content == 'y</think>' %}{% break %}{% endif %}",
  '{{ a }}{{ b }}{% set a, b = [m.role, loop.index] %}',
  '{{ x }}{% for c in [1, 2] %}{% set x = 5 %}{% endfor %}',
  '{% set m = messages[0] %}{{ m.content }}',
  '{% set loop = m %}{{ loop.content }}{{ loop.first }}',
  '{{ m.n }}',
  "{{ 'first' if loop.first else m.role }}",
  '{% filter upper %}{{ m.content }}{{ loop.index }}{% endfilter %}',
  '{% call shout(m.role) %}{{ loop.index }}{% endcall %}',
  '{{ 0.5 * loop.index }}',
  '{{ add_generation_prompt }}',
] as const;
const iterables = [
  'messages',
  'messages[1:]',
  'messages[::-1]',
  "messages if m.role != 'system'",
  '[messages[0], messages[0]]',
  '[ns]',
  'few',
  'late_list',
] as const;
const before =
  "{% if ns is not defined %}{% set ns = namespace(n=0) %}{% endif %}{% macro shout(what) %}{{ what | upper }}{{ caller() if caller is defined }}{% endmacro %}{% macro place() %}{{ loop.index if loop is defined }}{{ x }}{% endmacro %}{% set few = ['p', 'q'] %}{% set late_list = [messages | length, 'r'] %}{% set late = messages | length %}";
const loopOf = fc
  .record({
    iterable: fc.constantFrom(...iterables),
    body: fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 }),
    isElse: fc.boolean(),
  })
  .map(
    ({ iterable, body, isElse }) =>
      `{% for m in ${iterable} %}${body.join('')}${isElse ? '{% else %}none{{ loop }}' : ''}{% endfor %}`,
  );
const source = fc
  .array(loopOf, { minLength: 1, maxLength: 2 })
  .map(
    (loops) =>
      `${before}${loops.join('|')}{% set ns.n = ns.n + 1 %}{% if add_generation_prompt %}>{% endif %}`,
  );
const inLoop = source.map((one) => `{% for outer in [1, 2] if outer %}${one}{% endfor %}`);

describe('loop over messages', () => {
  it.each<[string, fc.Arbitrary<string>]>([
    ['alone', source],
    ['inside another loop', inLoop],
  ])('renders the same with and without memory, whatever it reads, sets or calls: %s', (_, templates) => {
    let [said, refused] = [0, 0];
    fc.assert(
      fc.property(templates, conversations, (of, told) => {
        const plain = parseTemplate(of);
        const own = createChatTemplate(
          { where: 'here.jinja', text: of, tokens: { bos: '<s>' } },
          { special: [] },
        );
        for (const { conversation, prompt } of told) {
          const expected = withoutMemory(plain, conversation, prompt, { bos: '<s>' });
          const came = byCairn(own, conversation, prompt);
          expect(came, of).toBe(expected);
          if (expected === undefined) refused += 1;
          else said += 1;
        }
      }),
      { numRuns: runs(1_000) },
    );
    expect(Math.min(said, refused)).toBeGreaterThan(runs(1_000) / 5);
  });

  /** Such as `ua kb`: a user says a, then an assistant says b. */
  const conversationOf = (words: string): Conversation =>
    words.split(' ').map((word) => ({
      role: ({ u: 'user', k: 'assistant', t: 'tool' } as const)[word[0] ?? ''] ?? 'system',
      text: word.slice(1),
    }));
  const each = (body: string): string => `{% for m in messages %}${body}{% endfor %}`;
  const place = '{% macro place() %}{{ loop.index }}{% endmacro %}';
  it.each<[string, string, readonly string[]]>([
    [
      'sets variables in its body',
      each(
        "{% if m.role == 'user' %}{{ x }}{% set x = m.content %}{% else %}{% for c in [1] %}{% set x = 5 %}{% endfor %}{% endif %}",
      ),
      ['kb', 'ua kb ua'],
    ],
    [
      'iterates over a changing list',
      '{% set ns = namespace(n=0) %}{% for o in [1, 2] if o %}{% for m in [ns] %}{{ m.n }}{% endfor %}{% set ns.n = ns.n + 1 %}{% endfor %}',
      ['ua'],
    ],
    [
      'reads what an earlier iteration has set',
      each('{{ x }}{% set x = m.content %}'),
      ['kb', 'ua kb ua', 'ua kb ua'],
    ],
    [
      'reads what an iteration without memory has set',
      each(
        "{% if m.role == 'user' %}{% set x = m.content %}{{ range(0) | length }}{% else %}{{ x }}{% endif %}",
      ),
      ['kb kb', 'kb ua kb'],
    ],
    ['calls what reads `loop`', `${place}${each('{{ place() }}')}`, ['ua kb ua']],
    [
      'calls a macro that is a field',
      `${place}{% set ns = namespace(f=place) %}${each('{% if loop.first %}{{ place() }}{% endif %}{{ ns.f() }}')}`,
      ['ua kb ua'],
    ],
    ['calls a macro that is a list item', `${place}${each('{{ [place][0]() }}')}`, ['ua kb ua']],
    [
      'names its own variable `loop`',
      '{% for loop in messages %}{{ loop.index }}{{ loop.first }}{% endfor %}',
      ['ua kb'],
    ],
    [
      'sets a field of `loop`',
      `{% set loop = namespace(index=5) %}${each('{% set loop.index = 3 %}')}{{ loop.index }}`,
      ['ua'],
    ],
    ['defines a macro named `loop`', each('{% macro loop() %}{% endmacro %}{{ loop.index }}'), ['ua kb']],
    [
      'defines a name after looking it up',
      each(
        "{{ 'D' if x is defined else 'U' }}{% if m.role == 'tool' %}{% macro x() %}{% endmacro %}{% endif %}",
      ),
      ['ua', 'ua tb ua'],
    ],
    [
      'ends by a break in an inner loop',
      each('{{ m.content }}{% for c in [] %}{% else %}{% break %}{% endfor %}'),
      ['ua kb'],
    ],
    [
      'ends by a break in a macro',
      `{% macro f() %}{% break %}{% endmacro %}${each('{{ m.content }}{{ f() }}')}|`,
      ['ua kb'],
    ],
    [
      'ends by a break in a call block',
      `{% macro f() %}{{ caller() }}{% endmacro %}${each('{% call f() %}{% break %}{% endcall %}')}|`,
      ['ua kb'],
    ],
    [
      'iterates over a list that counts its evaluations',
      "{% set ns = namespace(n=0) %}{% macro bump() %}{% set ns.n = ns.n + 1 %}{% endmacro %}{% for m in (bump() ~ 'x') and [] %}{% else %}{{ ns.n }}{% endfor %}",
      ['ua'],
    ],
    [
      'iterates over a name that every scope has',
      '{% set namespace = [1, 2] %}{% for m in namespace %}{{ m }}{% endfor %}',
      ['ua'],
    ],
    [
      'leaves its variables to a later call',
      `{% set ns = namespace() %}{% macro keep() %}{% set ns.c = caller %}{% endmacro %}${each('{% if loop.first %}{% call keep() %}{{ m.content }}{% endcall %}{% endif %}')}{{ ns.c() }}`,
      ['ua kb', 'ua kb'],
    ],
    [
      'compares messages',
      each('{% if m == messages[-1] %}last{% endif %}{{ m in messages[1:] }}'),
      ['ua kb ua', 'ua ua'],
    ],
    ['counts distinct messages', '{{ messages | unique | length }}', ['ua kb ua']],
    [
      'compares lists',
      `{% set a = [1] %}{% set b = a if messages | length < 2 else [1] %}${each('{{ a == b }}')}`,
      ['ua', 'ua kb'],
    ],
    [
      'compares lists of texts',
      `{% set a = ['x'] %}{% set b = a if messages | length < 2 else ['x'] %}${each('{{ a == b }}')}`,
      ['ua', 'ua kb'],
    ],
    [
      'searches a list of texts that is set again',
      `{% set a = ['x'] %}{% if messages | length > 1 %}{% set a = ['ua'] %}{% endif %}${each("{{ 'x' in a }}")}`,
      ['ua', 'ua kb'],
    ],
    [
      'compares lists that it has set',
      each(
        "{% if m.role == 'user' %}{% set x = [1] %}{% elif m.role == 'assistant' %}{% set y = x %}{% else %}{{ x == y }}{% endif %}",
      ),
      ['ua kb ua tx', 'ua kb ua tx'],
    ],
    [
      'divides by negative zero',
      `{% set x = 0 * (messages | length - 2) %}${each('{{ 1 / x }}')}`,
      ['ua', 'ua kb'],
    ],
    ['tests an undefined value', `{% set x = messages[9:] | first %}${each('{{ x is defined }}')}`, ['ua']],
    [
      'compares methods',
      `${each('{{ m.content.upper == messages[0].content.upper }}')}{% set ns = namespace(f=none) %}{% for c in [1, 2] if c %}{% set f = 'a'.upper %}{{ f == ns.f }}{% set ns.f = f %}{% endfor %}`,
      ['ua ub ua'],
    ],
  ])('renders as without memory when it %s', (_, of, told) => {
    const own = createChatTemplate({ where: 'here.jinja', text: of, tokens: {} }, { special: [] });
    for (const words of told)
      expect(byCairn(own, conversationOf(words), true), words).toBe(
        withoutMemory(parseTemplate(of), conversationOf(words), true, {}),
      );
  });

  it('refuses a template for its work, remembered or not', () => {
    const own = createChatTemplate(
      { where: 'here.jinja', text: each('{% if m.role %}{% endif %}'.repeat(3_000)), tokens: {} },
      { special: [] },
    );
    const conversation = conversationOf(Array.from({ length: 150 }, (_none, at) => `u${at}`).join(' '));
    for (let round = 0; round < 3; round += 1) expect(byCairn(own, conversation, true)).toBeUndefined();
  });

  it.each(['gpt', 'llama', 'qwen', 'own'])(
    'renders the template of a checkpoint byte for byte as without memory: %s',
    async (name) => {
      const { template: golden } = await loadTokenizer(
        new URL(`../../../golden/tokenizer/${name}`, import.meta.url).pathname,
      );
      if (golden === undefined) throw new TypeError(`${name} has no template`);
      const [plain, own] = [parseTemplate(golden.text), createChatTemplate(golden, { special: [] })];
      fc.assert(
        fc.property(conversations, (told) => {
          for (const { conversation, prompt } of told)
            expect(byCairn(own, conversation, prompt)).toBe(
              withoutMemory(plain, conversation, prompt, golden.tokens),
            );
        }),
        { numRuns: runs(300) },
      );
    },
  );

  it('does no work again when nothing it read has changed', () => {
    const own = createChatTemplate(
      {
        where: 'here.jinja',
        text: `{% set roles = ['user', 'assistant'] %}${each("{% if m.role not in roles %}{{ raise_exception('no') }}{% endif %}{{ m.content if not loop.first }}")}`,
        tokens: {},
      },
      { special: [] },
    );
    const evaluate = vi.spyOn(PythonInterpreter.prototype, 'evaluate');
    const evaluations = (words: string): number => {
      evaluate.mockClear();
      own.render(conversationOf(words), { addGenerationPrompt: true });
      return evaluate.mock.calls.length;
    };
    const [first, again, longer] = [
      evaluations('ua kb uc kd'),
      evaluations('ua kb uc kd'),
      evaluations('ua kb uc kd ue'),
    ];
    evaluate.mockRestore();
    expect(again).toBeLessThan(first / 4);
    expect(longer - again).toBeLessThan(first / 3);
  });
});
