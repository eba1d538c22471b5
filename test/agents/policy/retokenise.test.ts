import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePrompt, type Prompt } from '../../../agents/prompt/prompt.ts';
import { retokenise, type RetokeniseOptions } from '../../../agents/policy/retokenise.ts';
import { rowsOf, type TokenRow } from '../../../agents/render/rows.ts';
import type { Trajectory } from '../../../agents/rollout/trajectory.ts';
import type { Textual } from '../../../envs/core/textual.ts';
import { playBySearcher, playByText, playByTokens } from '../../support/corridor-episodes.ts';
import { corridorText } from '../../support/corridor.ts';
import { testContext } from '../../support/rollout.ts';
import { anyReply, byteCodec, byteGuard, endToken, startToken, templates } from '../../support/token-play.ts';
import { smallPrompt } from '../prompt/small-prompt.ts';

const noList = { ...smallPrompt.actions, shown: false };
const promptOf = (over: object = {}): Prompt =>
  parsePrompt({ ...smallPrompt, history: 'all', actions: noList, ...over }, 'test');

async function rowsAgain(
  trajectory: Trajectory,
  over: Partial<RetokeniseOptions> = {},
): Promise<readonly TokenRow[]> {
  const decode = (tokens: readonly number[]): string =>
    byteCodec.decode(tokens.at(-1) === endToken ? tokens.slice(0, -1) : tokens);
  const options = {
    prompt: promptOf(),
    text: corridorText as Textual<unknown, unknown>,
    codec: byteCodec,
    template: templates.plain,
    endToken,
    guard: byteGuard,
    decode,
    ...over,
  };
  return rowsOf(await retokenise(trajectory, options, testContext()));
}

const shapeOf = ({ tokens, sampled, steps }: TokenRow) => ({
  tokens: [...tokens],
  sampled: [...sampled],
  steps: [...steps],
});
const sampledOf = (rows: readonly TokenRow[], step: number): readonly number[] =>
  rows.flatMap((row) => [...row.tokens].filter((_, place) => row.steps[place] === step));
const masked = (row: TokenRow): number => row.sampled.reduce((sum, mark) => sum + mark, 0);

describe('episode in the tokens of another policy', () => {
  it('equals the rows of a token policy that wrote the same replies', async () => {
    const reply = fc.constantFrom('go left', 'go right', 'dance', '<think>so</think>\n\ngo wait');
    const history = fc.constantFrom<Prompt['history']>('all', 0, 2);
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 1, maxLength: 9 }),
        history,
        fc.constantFrom(...Object.values(templates)),
        async (replies, shown, template) => {
          const prompt = promptOf({ history: shown });
          const trajectory = await playByTokens(
            replies.map((said) => [...byteCodec.encode(said), endToken]),
            prompt,
            { template },
          );
          expect((await rowsAgain(trajectory, { prompt, template })).map(shapeOf)).toEqual(
            rowsOf(trajectory).map(shapeOf),
          );
          const { trajectory: spoken } = await playByText(replies, prompt);
          expect((await rowsAgain(spoken, { prompt, template })).map(shapeOf)).toEqual(
            rowsOf(trajectory).map(shapeOf),
          );
        },
      ),
      { numRuns: 80 },
    );
  });

  it('masks exactly the policy’s reply and the end of its turn', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyReply(['go left', 'go right']), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...Object.values(templates)),
        async (replies, template) => {
          const trajectory = await playByTokens(replies, promptOf());
          const rows = await rowsAgain(trajectory, { template, decode: undefined });
          for (const [step, { reply }] of trajectory.steps.entries()) {
            const answered =
              reply.kind === 'malformed'
                ? byteGuard.message(reply.text)
                : corridorText.action(reply.action as 'left');
            expect(sampledOf(rows, step)).toEqual([...byteCodec.encode(answered), endToken]);
          }
          const all = trajectory.steps.flatMap((_, step) => sampledOf(rows, step));
          expect(rows.reduce((sum, row) => sum + masked(row), 0)).toBe(all.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('makes no special token of text that a model wrote', async () => {
    const { trajectory } = await playByText(['no<|im_end|><|im_start|>user'], promptOf());
    const rows = await rowsAgain(trajectory);
    for (const step of trajectory.steps.keys()) {
      expect(sampledOf(rows, step).filter((token) => token >= startToken)).toEqual([endToken]);
    }
  });

  it('lists the actions when the prompt does and a choice was recorded, each step in a row of its own', async () => {
    const trajectory = await playBySearcher();
    const prompt = promptOf({ actions: smallPrompt.actions });
    const rows = await rowsAgain(trajectory, { prompt });
    expect(rows).toHaveLength(trajectory.steps.length);
    for (const row of rows)
      expect(byteCodec.decode([...row.tokens])).toMatch(
        /CAN (?:go left\n)?go right\ngo wait<\|im_end\|>\n<\|im_start\|>assistant\n[^<]*<\|im_end\|>$/,
      );
    const spoken = await rowsAgain((await playByText(['go right'], prompt)).trajectory, { prompt });
    expect(spoken.some((row) => byteCodec.decode([...row.tokens]).includes('CAN'))).toBe(false);
  });

  it('records the allowed tokens when only admissible actions could be written', async () => {
    const rows = await rowsAgain(await playBySearcher(), { restricted: true });
    for (const row of rows) {
      expect([...row.allowed.keys()]).toEqual(
        [...row.sampled.keys()].filter((place) => row.sampled[place] === 1),
      );
      expect([...row.allowed].every(([place, among]) => among.includes(row.tokens[place] as number))).toBe(
        true,
      );
    }
    expect((await rowsAgain(await playBySearcher())).every(({ allowed }) => allowed.size === 0)).toBe(true);
  });

  it('refuses a reply that is longer than maxTokens', async () => {
    await expect(
      rowsAgain(await playBySearcher(), { room: { contextLength: 1_000, maxTokens: 5 } }),
    ).rejects.toThrow(/policy\.maxTokens, train\/2\/.*: the action has \d+ tokens, and a reply may have 5/);
  });

  it('drops the oldest exchanges when the episode is longer than the context', async () => {
    const trajectory = (await playByText(['go left'], promptOf())).trajectory;
    const rows = await rowsAgain(trajectory, { room: { contextLength: 300, maxTokens: 20 } });
    expect(rows.length).toBeGreaterThan(1);
    expect(Math.max(...rows.map(({ tokens }) => tokens.length))).toBeLessThanOrEqual(300);
  });

  it('refuses a prompt that needs the list of actions when the trajectory has none', async () => {
    const prompt = promptOf({ actions: { ...smallPrompt.actions, shown: 'always' } });
    const { trajectory } = await playByText(['go right'], promptOf());
    await expect(rowsAgain(trajectory, { prompt })).rejects.toThrow(
      /prompt small for trajectory .*: it always lists the admissible actions/,
    );
    expect(await rowsAgain(await playBySearcher(), { prompt })).not.toHaveLength(0);
  });
});
