import type { RuntimeValue } from '@huggingface/jinja';
import { describe, expect, it } from 'vitest';
import { ConversationMemory } from '../../../../agents/render/incremental/conversation-memory.ts';
import type { PastIteration } from '../../../../agents/render/incremental/iteration.ts';

const user = (text: string) => ({ role: 'user', text });
const valuesOf = (memory: ConversationMemory, ...texts: readonly string[]): readonly RuntimeValue[] =>
  memory.listOf(texts.map(user)).value as readonly RuntimeValue[];
const pastOf = (text: string): PastIteration => ({
  text,
  facts: new Map(),
  reads: new Map(),
  work: 1,
});
const loop = { name: 'm', body: { type: 'Program' } };
const long = (name: number): string => `${name}${'x'.repeat(1_000_000)}`;

describe('messages of conversations', () => {
  it('keep their identity while in use, and equal messages of one conversation stay distinct', () => {
    const memory = new ConversationMemory((text) => text.toUpperCase());
    const [a, b, again] = valuesOf(memory, 'a', 'b', 'a');
    expect(new Set([a, b, again]).size).toBe(3);
    expect(valuesOf(memory, 'b', 'a', 'c', 'a')).toEqual([b, a, expect.anything(), again]);
    expect([
      valuesOf(memory, 'a')[0] === a,
      (memory.listOf([{ role: 'system', text: 'a' }]).value as readonly RuntimeValue[])[0] === a,
    ]).toEqual([true, false]);
    expect(a?.value instanceof Map && a.value.get('content')).toMatchObject({ value: 'A' });
  });

  it('expire after long disuse, with what was recorded about them', () => {
    const memory = new ConversationMemory((text) => text);
    const [first] = valuesOf(memory, 'first');
    const [used] = valuesOf(memory, 'used');
    for (let name = 0; name < 60; name += 1) valuesOf(memory, 'used', long(name));
    expect([valuesOf(memory, 'used')[0] === used, valuesOf(memory, 'first')[0] === first]).toEqual([
      true,
      false,
    ]);
  });

  it('count towards the memory limit, and no overlong result is kept', () => {
    const memory = new ConversationMemory((text) => text);
    const [first] = valuesOf(memory, 'first');
    for (let name = 0; name < 120; name += 1) {
      const message = memory.messageOf(valuesOf(memory, `${name}`)[0] as RuntimeValue);
      if (message === undefined) throw new TypeError('it is not known');
      memory.keep(message, loop, pastOf(long(name)));
      expect(message.past.size).toBe(0);
      memory.keep(message, loop, pastOf(long(name).slice(0, 900_000)));
      expect(message.past.get(loop)?.length).toBe(1);
    }
    expect(valuesOf(memory, 'first')[0] === first).toBe(false);
  });
});
