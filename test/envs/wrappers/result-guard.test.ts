import { describe, expect, test } from 'vitest';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding, type CheckReport } from '../../../envs/check/report.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { Env } from '../../../envs/core/env.ts';
import { UsageError, type FaultError } from '../../../envs/core/errors.ts';
import { defineTextEnv } from '../../../envs/kit/text-env.ts';
import { openEnv } from '../../../envs/open.ts';
import { rubbish, rubbishEnv, type Call } from '../../support/rubbish.ts';
import { isThorough } from '../../support/thorough.ts';

const context = createContext({ seed: 0, now: () => 0 });
const task = { panel: 'train', index: 3 };
type Definition = ReturnType<typeof rubbishEnv>;

/** Makes every call once, and a second step. */
async function useAll(definition: Definition): Promise<void> {
  const host = await openEnv(definition, {}, context);
  host.describeTask(task);
  const env: Env<string, string> = await host.create();
  await env.reset(task, context);
  await env.step('go', context);
  const snapshot = env.snapshots?.take();
  if (snapshot !== undefined) env.snapshots?.restore(snapshot);
  await env.step('go', context);
  await env.close();
}

async function thrownBy(definition: Definition): Promise<Error> {
  try {
    await useAll(definition);
  } catch (thrown) {
    if (thrown instanceof Error) return thrown;
  }
  throw new Error('it was let through');
}

/** Where the refusal must say it happened. */
const places: Readonly<Record<Call, string>> = {
  open: 'lab/rubbish-v1, open: ',
  describeTask: 'lab/rubbish-v1, describeTask of train/3: ',
  create: 'lab/rubbish-v1, create: ',
  reset: 'lab/rubbish-v1, reset of task train/3: ',
  step: 'lab/rubbish-v1, step 2 of task train/3: ',
  restore: 'lab/rubbish-v1, snapshots.restore of task train/3: ',
};

const quick = { tasksPerPanel: 1, contentsPerPanel: 8, pairs: 8, points: 4 };
const errorsOf = ({ findings }: CheckReport): readonly string[] =>
  findings.filter(({ severity }) => severity === 'error').map(describeFinding);

const cases = Object.entries(rubbish).flatMap(([call, values]) =>
  values.map(([value, says]) => ({ call: call as Call, value, says })),
);

describe('the result guard', () => {
  test('passes valid results, which break no law', async () => {
    await expect(useAll(rubbishEnv())).resolves.toBeUndefined();
    expect(errorsOf(await checkEnv(rubbishEnv(), quick))).toEqual([]);
  });

  test.each(cases)('refuses an invalid result of $call: $says', async ({ call, value, says }) => {
    const refusal = await thrownBy(rubbishEnv({ call, value }));
    expect(UsageError.is(refusal), String(refusal)).toBe(true);
    expect(refusal.message).toMatch(says);
    expect(refusal.message.slice(0, places[call].length)).toBe(places[call]);
    expect(refusal.message).toMatch(
      /^[^\n]*\. Fix the environment: `npx cairn-gym check lab\/rubbish-v1` lists everything that breaks the contract\.$/,
    );
  });

  test.each(cases.filter((_case, at) => isThorough || at % 4 === 0))(
    'agrees with checkEnv on an invalid result of $call: $says',
    async ({ call, value }) => {
      const few = { ...quick, leastSteps: 1 };
      expect(errorsOf(await checkEnv(rubbishEnv({ call, value }), few))).not.toEqual([]);
    },
  );
});

describe('invalid text functions', () => {
  const { text } = rubbishEnv();
  const explode = (): never => {
    throw new TypeError('no verb');
  };

  test.each([
    [
      { observation: () => undefined },
      /, reset of task train\/3: text\.observation must return a string, not undefined\. Fix/,
    ],
    [{ observation: () => ({ loud: true }) }, /text\.observation must return a string, not an object/],
    [{ action: () => 7 }, /text\.action must return a string, not 7/],
    [{ action: explode }, /text\.action threw: no verb/],
  ])('stop the episode when it opens: %o', async (broken, says) => {
    const refusal = await thrownBy({ ...rubbishEnv(), text: { ...text, ...broken } as never });
    expect(UsageError.is(refusal)).toBe(true);
    expect(refusal.message).toMatch(says);
  });
});

describe('an env that throws', () => {
  const explode = (): never => {
    throw new TypeError('x is not a function');
  };

  test('faults with the name of the call in turnLimit', async () => {
    const thrown = await thrownBy({ ...rubbishEnv(), turnLimit: explode });
    expect((thrown as FaultError).fault).toEqual({
      kind: 'env-crashed',
      where: 'lab/rubbish-v1.turnLimit',
      message: expect.stringMatching(/^x is not a function \(result-guard\.test\.ts:\d+:\d+\)$/) as string,
    });
  });

  test('faults with the name of the call in open', async () => {
    const thrown = await thrownBy({ ...rubbishEnv(), open: explode });
    expect((thrown as FaultError).fault).toEqual({
      kind: 'env-crashed',
      where: 'lab/rubbish-v1.open',
      message: expect.stringMatching(/^x is not a function \(result-guard\.test\.ts:\d+:\d+\)$/) as string,
    });
  });

  test('faults with the name of the call in describeTask', async () => {
    const sound = rubbishEnv();
    const thrown = await thrownBy({
      ...sound,
      open: async (...given) => ({ ...(await sound.open(...given)), describeTask: explode }),
    });
    expect((thrown as FaultError).fault).toEqual({
      kind: 'env-crashed',
      where: 'lab/rubbish-v1.describeTask',
      message: expect.stringMatching(/^x is not a function \(result-guard\.test\.ts:\d+:\d+\)$/) as string,
    });
  });
});

describe('a world that uses up its actions', () => {
  /** Three bells, each rung once; nothing is left to ring after the third step. */
  const bells = (turnLimit: number) =>
    defineTextEnv<'lab/bells-v1', string[]>({
      id: 'lab/bells-v1',
      summary: 'rings bells',
      turnLimit,
      panels: { train: 3, dev: 3 },
      task: ({ panel, index }) => ({ instruction: 'Ring the bells in order.', start: [`${panel} ${index}`] }),
      observe: ([, ...rung]) => `rung: ${rung.join(' ')}`,
      actions: (rung) => ['ding', 'dang', 'dong'].filter((bell) => !rung.includes(bell)),
      step: (rung, bell) =>
        [...rung.slice(1), bell].join() === 'ding,dang,dong'
          ? { state: [...rung, bell], outcome: 'solved', reward: { tune: 1 } }
          : { state: [...rung, bell] },
    });
  const ring = async (turnLimit: number): Promise<string> => {
    const env = await (await openEnv(bells(turnLimit), {}, context)).create();
    await env.reset(task0, context);
    for (const bell of ['dong', 'dang']) await env.step(bell, context);
    return (await env.step('ding', context)).kind;
  };
  const task0 = { panel: 'train', index: 0 };

  test('keeps the contract when its turn limit ends the episode at that step', async () => {
    await expect(ring(3)).resolves.toBe('terminated');
    expect(errorsOf(await checkEnv(bells(3), quick))).toEqual([]);
  });

  test('breaks a law of checkEnv, and is refused, when that happens earlier', async () => {
    await expect(ring(4)).rejects.toThrow(
      'lab/bells-v1, step 3 of task train/0: its list of admissible actions is empty, but the episode goes on',
    );
    expect(errorsOf(await checkEnv(bells(4), quick))).toContainEqual(
      expect.stringContaining(
        'error admissible (task train/0, step 2, step): its list of admissible actions is empty',
      ),
    );
  });

  test('throws as well when it opens or restores a turn with an empty list', async () => {
    const empty = {
      observation: 'a door',
      stateKey: 's',
      anchorKey: 'a',
      admissible: [],
      stepsLeft: undefined,
      seat: 0,
    };
    for (const [call, value] of [
      ['reset', { ...empty, instruction: 'go' }],
      ['restore', empty],
    ] as const) {
      expect((await thrownBy(rubbishEnv({ call, value }))).message).toMatch(
        new RegExp(`^${places[call]}its list of admissible actions is empty`),
      );
    }
  });
});
