import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignLogprobs } from '../../../../agents/servers/tokens/align-logprobs.ts';

/** Tokens, each with its own probability, and whether the server reports it. */
const told = fc.array(fc.record({ id: fc.nat(3), isTold: fc.boolean() }), { maxLength: 12 });
const probOf = (place: number): number => 1 / (place + 2);

describe('alignLogprobs', () => {
  it('assigns each log-probability to its own token', () => {
    let [missing, given] = [0, 0];
    fc.assert(
      fc.property(told, (tokens) => {
        const drawn = tokens.flatMap(({ id, isTold }, place) =>
          isTold ? [{ id, prob: probOf(place) }] : [],
        );
        const aligned = alignLogprobs(
          tokens.map(({ id }) => id),
          drawn,
        );
        expect(aligned).toHaveLength(tokens.length);
        for (const [place, logprob] of (aligned ?? []).entries()) {
          if (logprob === null) missing += 1;
          else expect([tokens[place]?.isTold, logprob]).toEqual([true, Math.log(probOf(place))]);
        }
        given += drawn.length;
      }),
    );
    expect(Math.min(missing, given)).toBeGreaterThan(100);
  });

  it('assigns all when every token has one, or when only one alignment is possible', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3)), (tokens) => {
        expect(
          alignLogprobs(
            tokens,
            tokens.map((id, place) => ({ id, prob: probOf(place) })),
          ),
        ).toEqual(tokens.map((_, place) => Math.log(probOf(place))));
      }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(50)), fc.func(fc.boolean()), (tokens, isTold) => {
        const kept = tokens.map((id, place) => ({ id, prob: probOf(place) })).filter(({ id }) => isTold(id));
        expect(alignLogprobs(tokens, kept)).toEqual(
          tokens.map((id, place) => (isTold(id) ? Math.log(probOf(place)) : null)),
        );
      }),
    );
  });

  it('returns null for a token when another equal token could own the value', () => {
    expect(
      alignLogprobs(
        [7, 7, 8],
        [
          { id: 7, prob: 0.5 },
          { id: 8, prob: 0.25 },
        ],
      ),
    ).toEqual([null, null, Math.log(0.25)]);
    expect(
      alignLogprobs(
        [1, 7, 2, 7],
        [
          { id: 7, prob: 0.5 },
          { id: 2, prob: 0.25 },
          { id: 7, prob: 0.125 },
        ],
      ),
    ).toEqual([null, Math.log(0.5), Math.log(0.25), Math.log(0.125)]);
    expect(alignLogprobs([195], [])).toEqual([null]);
  });

  it.each([
    ['a token that was not written', [1, 2], [3]],
    ['tokens in another order', [1, 2], [2, 1]],
    ['more tokens than were written', [1, 2], [1, 2, 2]],
  ])('returns undefined for %s', (_, tokens, drawn) => {
    expect(
      alignLogprobs(
        tokens,
        drawn.map((id) => ({ id, prob: 0.5 })),
      ),
    ).toBeUndefined();
  });
});
