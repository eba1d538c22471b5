import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedNext } from '../../../../agents/core/token-sampler.ts';
import { createRng } from '../../../../envs/core/rng.ts';
import { Reply } from '../../../../models/token/generate/reply.ts';
import { byteCodec } from '../../../support/token-play.ts';
import { runs } from '../../../support/thorough.ts';

const vocabulary = 259;
const common = {
  stopTokens: [] as readonly number[],
  stopTexts: [] as readonly string[],
  decoding: { temperature: 0 },
};
const oneHot = (token: number): Float32Array => new Float32Array(vocabulary).fill(-1).with(token, 1);

interface Rules {
  readonly prompt: readonly number[];
  readonly maxTokens: number;
  readonly stopTokens: readonly number[];
  readonly stopTexts: readonly string[];
  readonly contextLength: number;
}

/** What a model that would write `wanted` has written when a reply ends. */
function write(
  rules: Rules,
  wanted: readonly number[],
  decode = (tokens: readonly number[]): string => byteCodec.decode(tokens),
): Reply {
  const { contextLength, ...request } = rules;
  const reply = new Reply({
    request: { ...request, decoding: { temperature: 0 } },
    contextLength,
    decode,
    rng: createRng(1),
    where: 'episode',
  });
  for (const token of wanted) if (reply.finish === undefined) reply.draw(oneHot(token));
  return reply;
}

/** Applies the rules as documented to the whole reply, once for each token. */
function writtenByRules(
  { prompt, maxTokens, stopTokens, stopTexts, contextLength }: Rules,
  wanted: readonly number[],
) {
  for (let length = 1; length <= wanted.length; length += 1) {
    const tokens = wanted.slice(0, length);
    const said = byteCodec.decode(tokens);
    if (stopTokens.includes(tokens.at(-1) ?? -1) || stopTexts.some((text) => said.includes(text)))
      return { tokens, finish: 'stop' };
    if (length === maxTokens || prompt.length + length === contextLength) return { tokens, finish: 'length' };
  }
  return { tokens: wanted, finish: undefined };
}

const characters = ['a', 'b', '\n', 'é', '€', '😀', '<|im_end|>'];
const text = fc
  .array(fc.constantFrom(...characters), { maxLength: 120 })
  .map((parts) => byteCodec.encode(parts.join('')));
const stopText = fc
  .array(fc.constantFrom(...characters), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const rulesArbitrary = fc.record({
  prompt: fc.constant([97, 97]),
  maxTokens: fc.integer({ min: 1, max: 300 }),
  stopTokens: fc.subarray([98, 257, 0xe2]),
  stopTexts: fc.array(stopText, { maxLength: 3 }),
  contextLength: fc.integer({ min: 3, max: 300 }),
});

describe('reply of a generator', () => {
  it('ends by its rules, with the token that completes a stop text, even across multi-token characters', () => {
    fc.assert(
      fc.property(rulesArbitrary, text, (rules, wanted) => {
        const reply = write(rules, wanted);
        expect({ tokens: reply.written, finish: reply.finish }).toEqual(writtenByRules(rules, wanted));
        expect(reply.logprobs).toEqual(reply.written.map(() => 0));
        expect(reply.tokens).toEqual([...rules.prompt, ...reply.written]);
      }),
      { numRuns: runs(400) },
    );
  });

  it('finds a stop text at the end of a long reply, decoding few tokens each time', () => {
    let longest = 0;
    const decode = (tokens: readonly number[]): string => {
      longest = Math.max(longest, tokens.length);
      return byteCodec.decode(tokens);
    };
    const said = [...byteCodec.encode('€'.repeat(400)), ...byteCodec.encode('STOP and more')];
    const reply = write(
      { prompt: [1], maxTokens: 2_000, stopTokens: [], stopTexts: ['€STOP'], contextLength: 4_000 },
      said,
      decode,
    );
    expect([reply.written.length, reply.finish]).toEqual([1_204, 'stop']);
    expect(longest).toBeLessThan(300);
  });

  it('finds a stop text after tokens without text', () => {
    const decode = (tokens: readonly number[]): string =>
      byteCodec.decode(tokens.filter((token) => token !== 3));
    const said = [
      ...byteCodec.encode('x'.repeat(46)),
      83,
      84,
      ...Array.from({ length: 60 }, () => 3),
      79,
      80,
    ];
    expect(
      write(
        { prompt: [1], maxTokens: 999, stopTokens: [], stopTexts: ['STOP'], contextLength: 999 },
        said,
        decode,
      ).finish,
    ).toBe('stop');
  });

  it('writes one of the allowed sequences, and draws only when there is a choice', () => {
    const sequence = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(sequence, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 99 }),
        (allowed, seed) => {
          const rng = createRng(seed);
          const reply = new Reply({
            request: {
              ...common,
              prompt: [7],
              maxTokens: 5,
              allowed,
              decoding: { temperature: 1 },
              stopTokens: [0, 1, 2, 3],
            },
            contextLength: 99,
            decode: String,
            rng: createRng(seed),
            where: '',
          });
          let asked = 0;
          for (; reply.finish === undefined; asked += 1) {
            expect(allowedNext(allowed, reply.written).length).toBeGreaterThan(1);
            reply.draw(Float32Array.from({ length: 4 }, () => rng.uniform()));
          }
          expect(reply.finish).toBe('stop');
          expect(allowed).toContainEqual(reply.written);
          expect(reply.logprobs.filter((logprob) => logprob < 0).length).toBe(asked);
        },
      ),
    );
  });

  it('reports when a restricted reply is cut off', () => {
    const reply = new Reply({
      request: { ...common, prompt: [7], maxTokens: 2, allowed: [[1, 2, 3]] },
      contextLength: 99,
      decode: String,
      rng: createRng(1),
      where: '',
    });
    expect([reply.written, reply.finish]).toEqual([[1, 2], 'length']);
  });
});
