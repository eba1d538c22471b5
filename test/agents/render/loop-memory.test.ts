import { Environment, Interpreter, Template } from '@huggingface/jinja';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChatTemplate, type TemplateMessage } from '../../../agents/render/chat-template.ts';
import { loadTokenizer } from '../../../agents/render/load-tokenizer.ts';

type Conversation = readonly TemplateMessage[];

/** What the library makes of it, which remembers nothing; undefined where it refuses. */
function byLibrary(template: Template, conversation: Conversation, addGenerationPrompt: boolean, tokens: Readonly<Record<string, string>>): string | undefined {
  const environment = new Environment();
  const values = {
    ...tokens, true: true, false: false, none: null, True: true, False: false, None: null, tools: null, documents: null,
    messages: conversation.map(({ role, text }) => ({ role, content: text })),
    add_generation_prompt: addGenerationPrompt,
    range: (count: unknown) => [...Array(Number(count)).keys()], // refuses what is no number
    raise_exception: (what: unknown): never => {
      throw new Error(String(what));
    },
  };
  for (const [name, value] of Object.entries(values)) environment.set(name, value);
  try {
    return String(new Interpreter(environment).run(template.parsed).value);
  } catch {
    return undefined;
  }
}

function byCairn(template: ReturnType<typeof createChatTemplate>, conversation: Conversation, addGenerationPrompt: boolean): string | undefined {
  try {
    return template.render(conversation, { addGenerationPrompt });
  } catch {
    return undefined;
  }
}

const text = fc.constantFrom('', 'a', 'b', ' go left \n', '<think>so</think>\nx', 'y</think>', '<tool_response>z</tool_response>', 'a\nuser');
const message: fc.Arbitrary<TemplateMessage> = fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'tool'), text });
/** Conversations as they come: each begins as one before it did, goes on, and is told with and without what begins a reply. */
const conversations = fc.array(fc.record({ from: fc.nat(5), keep: fc.nat(8), more: fc.array(message, { maxLength: 4 }), prompt: fc.boolean() }), { minLength: 1, maxLength: 8 }).map((wanted) => {
  const told: { readonly conversation: Conversation; readonly prompt: boolean }[] = [];
  for (const { from, keep, more, prompt } of wanted) told.push({ conversation: [...(told[from % Math.max(1, told.length)]?.conversation.slice(0, keep) ?? []), ...more], prompt });
  return told;
});

/** Parts that see, set or leave more than the message of an iteration. */
const parts = [
  '{{ m.content }}', "{{ m['role'] | upper }}", '{{ loop.index }}', '{{ loop.index0 }}', '{{ loop.revindex }}', '{{ loop.revindex0 }}', '{{ loop.length }}', '{% if loop.first %}F{% endif %}', '{% if not loop.last %}-{% endif %}',
  '{{ loop.previtem.content }}', '{{ loop.nextitem.role }}', "{{ loop['first'] }}", '{{ loop | length }}', '{{ bos }}', '{{ late }}', '{{ nobody }}', '{% if nobody is defined %}D{% endif %}',
  '{% set x = m.role %}', '{{ x }}', "{% set x = (x if x is defined else '') ~ 'i' %}", '{% set late = m.content %}', '{% set a, b = [m.role, loop.index] %}', '{{ a }}{{ b }}', '{% set x %}{{ m.content }}!{% endset %}', '{% set loop = m %}', '{% set m = messages[0] %}',
  '{% set ns.n = ns.n + 1 %}', '{{ ns.n }}', '{% set ns = namespace(n=7) %}', '{{ few }}', '{{ few | length }}', '{% set few = few + [m.role] %}', '{{ messages | length }}', '{{ messages[loop.index0].content }}', '{{ messages[-1].role }}',
  '{% for c in [1, 2] %}{{ c }}{{ loop.index }}{{ m.role }}{% endfor %}', '{% for c in [loop.index] %}{{ c }}{% endfor %}', '{% for c in m.content.split() %}{% set x = c %}{{ loop.last }}{% endfor %}', '{% for o in messages if o.role == m.role %}{{ loop.length }}{% endfor %}',
  "{{ m.content.split('</think>')[-1].strip() }}", '{{ m.content | trim }}', "{{ m.content.startswith('a') }}", '{{ shout(m.content) }}', '{{ place() }}', '{% macro inner() %}{{ loop.index }}{{ m.role }}{% endmacro %}{{ inner() }}', '{{ range(loop.index) | length }}',
  "{% if m.role == 'user' %}U{% elif loop.first %}E{% else %}{{ x }}{% endif %}", "{% if m.role == 'tool' %}{{ raise_exception('no tools') }}{% endif %}", "{% if m.content == 'b' %}{% continue %}{% endif %}", "{% if m.content == 'y</think>' %}{% break %}{% endif %}",
  '{{ a }}{{ b }}{% set a, b = [m.role, loop.index] %}', '{{ x }}{% for c in [1, 2] %}{% set x = 5 %}{% endfor %}', '{% set m = messages[0] %}{{ m.content }}', '{% set loop = m %}{{ loop.content }}{{ loop.first }}', '{{ m.n }}',
  "{{ 'first' if loop.first else m.role }}", '{% filter upper %}{{ m.content }}{{ loop.index }}{% endfilter %}', '{% call shout(m.role) %}{{ loop.index }}{% endcall %}', '{{ 0.5 * loop.index }}', '{{ add_generation_prompt }}',
] as const;
const iterables = ['messages', 'messages[1:]', 'messages[::-1]', "messages if m.role != 'system'", '[messages[0], messages[0]]', '[ns]', 'few', 'late_list'] as const;
const before = "{% if ns is not defined %}{% set ns = namespace(n=0) %}{% endif %}{% macro shout(what) %}{{ what | upper }}{{ caller() if caller is defined }}{% endmacro %}{% macro place() %}{{ loop.index if loop is defined }}{{ x }}{% endmacro %}{% set few = ['p', 'q'] %}{% set late_list = [messages | length, 'r'] %}{% set late = messages | length %}";
const loopOf = fc.record({ iterable: fc.constantFrom(...iterables), body: fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 }), isElse: fc.boolean() })
  .map(({ iterable, body, isElse }) => `{% for m in ${iterable} %}${body.join('')}${isElse ? '{% else %}none{{ loop }}' : ''}{% endfor %}`);
const source = fc.array(loopOf, { minLength: 1, maxLength: 2 }).map((loops) => `${before}${loops.join('|')}{% set ns.n = ns.n + 1 %}{% if add_generation_prompt %}>{% endif %}`);
const inLoop = source.map((one) => `{% for outer in [1, 2] if outer %}${one}{% endfor %}`);

describe('a loop over messages', () => {
  it.each<[string, fc.Arbitrary<string>]>([['by itself', source], ['within another', inLoop]])('says what it says without memory, whatever it reads, sets or calls: %s', (_, templates) => {
    let [said, refused] = [0, 0];
    fc.assert(
      fc.property(templates, conversations, (of, told) => {
        const library = new Template(of);
        const own = createChatTemplate({ where: 'here.jinja', text: of, tokens: { bos: '<s>' } }, { special: [] });
        for (const { conversation, prompt } of told) {
          const expected = byLibrary(library, conversation, prompt, { bos: '<s>' });
          const came = byCairn(own, conversation, prompt);
          expect(came, of).toBe(expected);
          if (expected === undefined) refused += 1;
          else said += 1;
        }
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(said, refused)).toBeGreaterThan(200);
  });

  const [user, other] = [{ role: 'user', text: 'a' }, { role: 'assistant', text: 'k' }] as const satisfies Conversation;
  it.each<[string, string, string]>([
    ['sets variables of its own within', "{% for m in messages %}{% if m.role == 'user' %}{{ x }}{% set x = m.content %}{% else %}{% for c in [1] %}{% set x = 5 %}{% endfor %}{% endif %}{% endfor %}", 'a'],
    ['is over what changes', '{% set ns = namespace(n=0) %}{% for o in [1, 2] if o %}{% for m in [ns] %}{{ m.n }}{% endfor %}{% set ns.n = ns.n + 1 %}{% endfor %}', '01'],
    ['reads what an iteration before has set', '{% for m in messages %}{{ x }}{% set x = m.content %}{% endfor %}', 'ak'],
    ['gives `loop` to what it calls', '{% macro place() %}{{ loop.index }}{% endmacro %}{% for m in messages %}{{ place() }}{% endfor %}', '123'],
  ])('says it so where it %s', (_, of, expected) => {
    const own = createChatTemplate({ where: 'here.jinja', text: of, tokens: {} }, { special: [] });
    for (const conversation of [[other], [user, other, user]]) expect(byCairn(own, conversation, true)).toBe(byLibrary(new Template(of), conversation, true, {}));
    expect(byCairn(own, [user, other, user], true)).toBe(expected);
  });

  it.each(['gpt', 'llama', 'qwen', 'own'])('says it so in the template of a checkpoint: %s', async (name) => {
    const { template: golden } = await loadTokenizer(new URL(`../../golden/tokenizer/${name}`, import.meta.url).pathname);
    if (golden === undefined) throw new TypeError(`${name} has no template`);
    const [library, own] = [new Template(golden.text), createChatTemplate(golden, { special: [] })];
    fc.assert(
      fc.property(conversations, (told) => {
        for (const { conversation, prompt } of told) expect(byCairn(own, conversation, prompt)).toBe(byLibrary(library, conversation, prompt, golden.tokens));
      }),
      { numRuns: 300 },
    );
  });

  it('does nothing again where nothing of what it read has changed', () => {
    let calls = 0;
    const conversation = [{ role: 'user', get text() { calls += 1; return 'hello'; } }, { role: 'assistant', text: 'go' }] as const satisfies Conversation;
    const template = createChatTemplate({ where: 'here.jinja', text: "{% for m in messages %}{{ ('x' * 1) if false }}{{ m.role }}{% if loop.first %}{{ m.content }}{% endif %}{% endfor %}", tokens: {} }, { special: [] });
    const say = (): string => template.render(conversation, { addGenerationPrompt: true });
    expect([say(), say()]).toEqual(['userhelloassistant', 'userhelloassistant']);
    expect(calls).toBe(2);
  });
});
