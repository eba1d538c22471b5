import { expect, test } from 'vitest';
import { machineLearningEnv } from '../../../envs/code/machine-learning/definition.ts';
import { dataSet, shapes } from '../../../envs/code/machine-learning/data.ts';
import { plainSettings, writeScript } from '../../../envs/code/machine-learning/script.ts';
import { createContext } from '../../../envs/core/context.ts';
import { openEnv } from '../../../envs/open.ts';
import { describeWithParts } from '../../support/system-part.ts';

const context = createContext({ seed: 0, now: () => performance.now() });

test('data sets repeat for a seed, differ between parts and contain both classes', () => {
  for (const shape of shapes) {
    const one = dataSet(shape, 3);
    expect(dataSet(shape, 3)).toEqual(one);
    expect(dataSet(shape, 4).train).not.toEqual(one.train);
    expect(one.test.rows[0]).not.toEqual(one.train.rows[0]);
    if (one.classes)
      expect(
        one.test.targets.filter((target) => target === 1).length / one.test.targets.length,
      ).toBeGreaterThan(0.2);
  }
});

await describeWithParts(['bubblewrap'], 'ml-engineering-v1', () => {
  test('pays for gain over the first script: nothing for that script or for cheating, all for the known solution', async () => {
    const host = await openEnv(machineLearningEnv, {}, context);
    for (let index = 0; index < 4; index += 1) {
      const ref = { panel: 'dev', index };
      const endOf = async (program: string) => {
        const env = await host.create();
        await env.reset(ref, context);
        const seen = await env.step({ kind: 'submit', program }, context);
        return { seen, end: await env.step({ kind: 'finish' }, context) };
      };
      const [plan] = host.experts?.planner?.(ref) ?? [];
      const good = await endOf(plan?.kind === 'submit' ? plan.program : '');
      expect(good.end).toMatchObject({ outcome: 'solved', reward: { total: 1 } });
      expect(good.seen.observation.score).toBeGreaterThan(0.5);
      expect((await endOf(writeScript(plainSettings))).end).toMatchObject({
        outcome: 'failed',
        metrics: { share: 0 },
      });
      const cheat = await endOf(
        'class Any(float):\n    def __sub__(self, other):\n        return 0.0\ndef fit_predict(rows, targets, queries):\n    return [Any("nan")] * len(queries)',
      );
      expect(cheat.end).toMatchObject({ outcome: 'failed', reward: { total: 0 } });
      expect((await endOf('def fit_predict(rows, targets, queries):\n    return targets')).end).toMatchObject(
        { outcome: 'failed', metrics: { share: 0 } },
      );
    }
    await host.close();
  });

  test('the offer to finish says whether a better score was seen', async () => {
    const host = await openEnv(machineLearningEnv, { pieces: 4 }, context);
    const env = await host.create();
    const ref = { panel: 'dev', index: 0 };
    const finishOf = (turn: {
      readonly admissible?:
        | readonly { readonly kind: string; readonly about?: string | undefined }[]
        | undefined;
    }): string | undefined => turn.admissible?.find(({ kind }) => kind === 'finish')?.about;
    let best = (await env.reset(ref, context)).observation.score ?? 0;
    const seen = new Set<boolean>();
    const put = async (place: number, piece: number): Promise<void> => {
      const turn = await env.step({ kind: 'put', place, piece }, context);
      const { score = 0 } = turn.observation;
      best = Math.max(best, score);
      seen.add(score === best);
      if (turn.kind === 'ongoing')
        expect(finishOf(turn)).toBe(score === best ? 'no better score so far' : 'a better score was seen');
    };
    for (const action of host.experts?.planner?.(ref) ?? [])
      if (action.kind === 'put') await put(action.place, action.piece);
    for (const [place, piece] of [
      [1, 1],
      [1, 2],
      [1, 1],
    ] as const)
      await put(place, piece);
    expect(seen).toEqual(new Set([true, false]));
    await host.close();
  });
});
