import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSample } from '../../../../agents/servers/tokens/check-sample.ts';
import { byteCodec, endToken, otherEndToken } from '../../../support/token-play.ts';
import { request } from './open-sampler.ts';

const stops = ['\nObs', 'é', '<|endoftext|>', 'bab'] as const;
const written = fc.array(
  fc.oneof(fc.constantFrom(...Buffer.from('ab\nObsé')), fc.constantFrom(endToken, otherEndToken)),
  { minLength: 1, maxLength: 30 },
);

/** Token by token, as a sampler of our own would end. */
function endByHand(
  tokens: readonly number[],
  stopTokens: readonly number[],
  stopTexts: readonly string[],
): number | undefined {
  for (let length = 1; length <= tokens.length; length += 1) {
    const text = byteCodec.decode(tokens.slice(0, length));
    if (stopTokens.includes(tokens[length - 1] ?? -1) || stopTexts.some((stop) => text.includes(stop)))
      return length;
  }
  return undefined;
}

describe('checkSample', () => {
  const checked = (tokens: readonly number[], asked: ReturnType<typeof request>) =>
    checkSample(
      {
        tokens,
        logprobs: tokens.map((token) => -token / 300),
        ending: 'stop',
        name: undefined,
        promptTokens: undefined,
      },
      { request: asked, name: 'a', vocabulary: 259, codec: byteCodec, quoted: (text) => text },
    );

  it('ends a reply where the built-in sampler would have ended it', () => {
    fc.assert(
      fc.property(
        written,
        fc.subarray([...stops]),
        fc.subarray([endToken, otherEndToken]),
        fc.nat(3),
        (tokens, stopTexts, stopTokens, room) => {
          const asked = request({ maxTokens: tokens.length + room, stopTokens, stopTexts });
          const end = endByHand(tokens, stopTokens, stopTexts);
          const came = checked(tokens, asked);
          if (end !== undefined) {
            expect(came).toEqual({
              kind: 'usable',
              result: {
                tokens: tokens.slice(0, end),
                logprobs: tokens.slice(0, end).map((token) => -token / 300),
                finish: 'stop',
              },
            });
          } else if (room === 0) {
            expect(came).toMatchObject({ kind: 'usable', result: { tokens, finish: 'length' } });
          } else {
            expect(came).toMatchObject({ kind: 'problem', first: 'usage', later: 'usage' });
          }
        },
      ),
    );
  });

  it('accepts a missing log-probability only for a token that ends within a character, or looks so', () => {
    const came = (
      tokens: readonly number[],
      logprobs: readonly (number | null)[],
      decoding = { temperature: 1 },
    ) =>
      checkSample(
        { tokens, logprobs, ending: 'stop', name: undefined, promptTokens: undefined },
        {
          request: request({ decoding, maxTokens: tokens.length }),
          name: 'a',
          vocabulary: 259,
          codec: byteCodec,
          quoted: (text) => text,
        },
      );
    const e = [...Buffer.from('é')];
    expect(came([...e, endToken], [null, -1, -2])).toEqual({
      kind: 'usable',
      result: { tokens: [...e, endToken], logprobs: [null, -1, -2], finish: 'stop' },
    });
    expect(came(e.slice(0, 1), [null])).toEqual({
      kind: 'usable',
      result: { tokens: e.slice(0, 1), logprobs: [null], finish: 'length' },
    });
    expect(came(e.slice(0, 1), [null], { temperature: 0 })).toMatchObject({ result: { logprobs: [0] } });
    expect(came([0xf0, 97, endToken], [null, null, -1])).toMatchObject({ kind: 'usable' }); // a server that waits for three bytes more
    expect(came([...e, ...e, 98, 0xa9, endToken], [-1, null, null, -1, -1, -1, -1])).toMatchObject({
      kind: 'problem',
      why: 'it returned no log-probability for the token 169, which does not end within a character',
    });
    expect(came([0xc3, 0xc3, endToken], [null, null, null])).toMatchObject({ kind: 'usable' });
    expect(came([97, endToken], [null, null])).toMatchObject({
      kind: 'problem',
      why: 'it returned no log-probability for the token 97, which does not end within a character',
    });
    expect(
      came(
        [...Buffer.from('no whole reply'), ...e.slice(0, 1), endToken],
        [...Buffer.from('no whole reply')].map(() => null).concat([null, null]),
      ),
    ).toMatchObject({ kind: 'problem' });
    expect(came([97, endToken], [null, null], { temperature: 0 })).toMatchObject({
      result: { logprobs: [0, 0] },
    });
    expect(came([97, endToken], [null, 0.5])).toMatchObject({
      kind: 'problem',
      why: 'it returned the invalid log-probability 0.5',
    });
  });

  it('rounds tiny positive log-probabilities down to 0', () => {
    const came = checkSample(
      { tokens: [endToken], logprobs: [1e-7], ending: 'stop', name: undefined, promptTokens: undefined },
      { request: request(), name: 'a', vocabulary: 259, codec: byteCodec, quoted: (text) => text },
    );
    expect(came).toEqual({ kind: 'usable', result: { tokens: [endToken], logprobs: [0], finish: 'stop' } });
  });
});
