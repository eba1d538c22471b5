import { expect, test } from 'vitest';
import { critiqueEnv } from '../../../envs/code/critique-env.ts';
import { openEnv } from '../../../envs/open.ts';
import { createContext } from '../../../envs/core/context.ts';

const context = createContext({ seed: 0, now: () => 0 });

test('of the programs of every panel half are right, by families too, so that one word for all earns one half', async () => {
  const host = await openEnv(critiqueEnv, { language: 'python' }, context);
  for (const { name, size } of host.panels.filter((panel) => panel.name !== 'train')) { // which takes long, and is made alike
    const verdicts = Array.from({ length: size }, (_, index) => ({ family: host.describeTask({ panel: name, index }).family, right: host.experts?.planner?.({ panel: name, index })[0]?.verdict === 'right' }));
    expect(verdicts.filter(({ right }) => right).length * 2).toBe(size);
    for (const family of new Set(verdicts.map((each) => each.family))) {
      const of = verdicts.filter((each) => each.family === family);
      expect(of.filter(({ right }) => right).length * 2).toBe(of.length);
    }
    const first = verdicts.filter((_, index) => index % 2 === 0); // which of a pair is right, its place does not tell
    expect(first.filter(({ right }) => right).length / first.length).toBeGreaterThan(0.35);
    expect(first.filter(({ right }) => right).length / first.length).toBeLessThan(0.65);
  }
  await host.close();
});

test.each([
  ['right', 'right'],
  ['Wrong.', 'wrong'],
  ['It counts one too few where the list is empty.\nVerdict: wrong', 'wrong'],
  ['{"verdict":"right"}', 'right'],
])('a verdict is read from %j', (said, verdict) => {
  expect(critiqueEnv.text.parse(said)).toEqual({ kind: 'action', action: { verdict } });
});

test.each(['', 'perhaps', '{"verdict":', 'right or wrong'])('no verdict is read from %j', (said) => {
  expect(critiqueEnv.text.parse(said)).toMatchObject({ kind: 'malformed' });
});
