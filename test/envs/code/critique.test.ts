import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { CritiqueAction } from '../../../envs/code/critique/action.ts';
import type { CritiqueObservation } from '../../../envs/code/critique/critique-env.ts';
import { caseOf } from '../../../envs/code/critique/critique-case.ts';
import { critiqueEnv } from '../../../envs/code/critique/definition.ts';
import { ownProblem } from '../../../envs/code/problems/own-panels.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { EnvHost } from '../../../envs/core/env.ts';
import type { StepResult } from '../../../envs/core/step.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { openEnv } from '../../../envs/open.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { judgeOn, openGround } from './ground.ts';

type Host = EnvHost<CritiqueObservation, CritiqueAction>;

const context = createContext({ seed: 0, now: () => 0 });
const isRight = (host: Host, ref: TaskRef): boolean =>
  JSON.stringify(host.experts?.planner?.(ref)) === '[{"kind":"verdict","verdict":"right"}]';

test('half of the programs of every panel and family are right, so a constant verdict earns one half', async () => {
  const host = await openEnv(critiqueEnv, {}, context);
  for (const { name, size } of host.panels.filter((panel) => panel.name !== 'train')) {
    // which takes long and is generated the same way
    const verdicts = Array.from({ length: size }, (_, index) => ({
      family: host.describeTask({ panel: name, index }).family,
      right: isRight(host, { panel: name, index }),
    }));
    expect(verdicts.filter(({ right }) => right).length * 2).toBe(size);
    for (const family of new Set(verdicts.map((each) => each.family))) {
      const of = verdicts.filter((each) => each.family === family);
      expect(of.filter(({ right }) => right).length * 2).toBe(of.length);
    }
    const first = verdicts.filter((_, index) => index % 2 === 0); // the place in a pair does not reveal which program is right
    expect(first.filter(({ right }) => right).length / first.length).toBeGreaterThan(0.35);
    expect(first.filter(({ right }) => right).length / first.length).toBeLessThan(0.65);
  }
  await host.close();
});

test.each(['python', 'javascript'] as const)(
  'wrong programs look no odder than right ones, in %s',
  async (language) => {
    const host = await openEnv(critiqueEnv, { language }, context);
    const env = await host.create();
    const odd = /^ *pass$|\/\/ nothing|\+ 0\b(?!\.)|- 0\b(?!\.)|- -|\+ -|= -\d/gm;
    const oddities = { right: 0, wrong: 0 };
    for (let index = 0; index < 190; index += 1) {
      const { observation } = await env.reset({ panel: 'unseen', index }, context);
      oddities[isRight(host, { panel: 'unseen', index }) ? 'right' : 'wrong'] +=
        observation.program.match(odd)?.length ?? 0;
    }
    expect(oddities.wrong).toBeLessThanOrEqual(oddities.right);
    await host.close();
  },
);

describe('the text parser of critique-v1', () => {
  it.each<[string, CritiqueAction]>([
    ['right', { kind: 'verdict', verdict: 'right' }],
    ['Wrong.', { kind: 'verdict', verdict: 'wrong' }],
    ['It counts one too few where the list is empty.\nVerdict: wrong', { kind: 'verdict', verdict: 'wrong' }],
    ['Run by hand it gives 3.\nright', { kind: 'verdict', verdict: 'right' }],
    ['{"kind":"verdict","verdict":"right"}', { kind: 'verdict', verdict: 'right' }],
    ['{"name":"verdict","arguments":{"verdict":"wrong"}}', { kind: 'verdict', verdict: 'wrong' }],
    [
      'wrong: some visible tests failed',
      { kind: 'verdict', verdict: 'wrong', about: 'some visible tests failed' },
    ],
    ['Test', { kind: 'test' }],
    ['run [[1, 2], 3]', { kind: 'run', input: '[[1, 2], 3]' }],
    ['run\n```input\n3 4\n5\n```', { kind: 'run', input: '3 4\n5' }],
  ])('reads an action from %j', (said, action) => {
    expect(critiqueEnv.text.parse(said)).toEqual({ kind: 'action', action });
    expect(critiqueEnv.text.parse(critiqueEnv.text.action(action))).toEqual({ kind: 'action', action });
  });

  it.each([
    '',
    'perhaps',
    '{"verdict":',
    '{"kind":"verdict","verdict":"maybe"}',
    'right or wrong',
    'testing',
  ])('reports malformed text: %j', (said) => {
    expect(critiqueEnv.text.parse(said)).toMatchObject({ kind: 'malformed' });
  });
});

test('critique-v1 without runs never runs the program and ends after one turn', async () => {
  const host = await openEnv(critiqueEnv, {}, context);
  const env = await host.create();
  const opening = await env.reset({ panel: 'dev', index: 0 }, context);
  expect(opening.admissible).toEqual([
    { kind: 'verdict', verdict: 'right' },
    { kind: 'verdict', verdict: 'wrong' },
  ]);
  expect(opening.instruction).not.toContain('Examples');
  expect(await env.step({ kind: 'test' }, context)).toMatchObject({
    kind: 'terminated',
    limit: 'turn-limit',
    outcome: 'failed',
    inadmissible: true,
    observation: { said: expect.stringMatching(/^Nothing was run/) as string },
  });
  await host.close();
});

await describeWithParts(['bubblewrap'], 'programs labelled wrong in critique-v1', () => {
  const ground = openGround();
  afterAll(() => ground.provider[Symbol.asyncDispose]());

  // For 52 and 150 the first slip drawn is harmless in Python, where index -1 is the last item, so that another one is drawn.
  it.each([52, 150, 0, 31, 63, 94, 125, 157, 189])(
    'the wrong program of unseen pair %i fails hidden tests in Python too',
    async (index) => {
      const cases = [index - (index % 2), index - (index % 2) + 1].map((at) =>
        caseOf({ panel: 'unseen', index: at }, critiqueEnv.config.parse({}), undefined),
      );
      const { program = '' } = cases.find(({ isRight: right }) => !right) ?? {};
      const { problem } = ownProblem('unseen', Math.floor(index / 2));
      const report = await judgeOn(ground).report(
        { problem, tests: 'hidden', language: 'python', program },
        new AbortController().signal,
      );
      expect(report.passed).toBeLessThan(report.total);
    },
  );
});

await describeWithParts(['bubblewrap'], 'critique-v1 with runs', () => {
  let host: Host;
  beforeAll(async () => {
    host = await openEnv(critiqueEnv, { runs: 2, sandbox: 'bubblewrap', atOnce: 4, testMs: 5_000 }, context);
  });
  afterAll(() => host.close());

  const play = async (
    ref: TaskRef,
    actions: readonly CritiqueAction[],
  ): Promise<readonly StepResult<CritiqueObservation, CritiqueAction>[]> => {
    const env = await host.create();
    await env.reset(ref, context);
    const steps: StepResult<CritiqueObservation, CritiqueAction>[] = [];
    for (const action of actions) steps.push(await env.step(action, context));
    await env.close();
    return steps;
  };

  it('tests a program on the visible tests: right ones pass, most wrong ones fail', async () => {
    const passes = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const [
          {
            observation: { passed, total },
          },
        ] = (await play({ panel: 'unseen', index }, [{ kind: 'test' }])) as [
          StepResult<CritiqueObservation, CritiqueAction>,
        ];
        return { right: isRight(host, { panel: 'unseen', index }), all: passed === total };
      }),
    );
    expect(passes.filter(({ right }) => right).every(({ all }) => all)).toBe(true);
    expect(passes.filter(({ right, all }) => !right && !all).length).toBeGreaterThan(6);
  });

  it('runs the program on a given input and keeps the episode going', async () => {
    const { instruction = '' } = host.describeTask({ panel: 'dev', index: 0 });
    const [, given = '', gives = ''] = /\nExamples:\n(.+) gives (.+)\n/.exec(instruction) ?? [];
    const right = isRight(host, { panel: 'dev', index: 0 }) ? 0 : 1;
    const [ran, said] = await play({ panel: 'dev', index: right }, [
      { kind: 'run', input: `[${given}]` },
      { kind: 'verdict', verdict: 'right' },
    ]);
    expect(ran).toMatchObject({
      kind: 'ongoing',
      inadmissible: false,
      observation: { said: `It gave: ${gives}` },
    });
    expect(said).toMatchObject({ kind: 'terminated', outcome: 'solved', reward: { total: 1 } });
  });

  it('refuses to run on an invalid input, and ends at the turn limit', async () => {
    const [none, tested, last] = await play({ panel: 'dev', index: 0 }, [
      { kind: 'run', input: 'no list' },
      { kind: 'test' },
      { kind: 'test' },
    ]);
    expect(none).toMatchObject({
      kind: 'ongoing',
      inadmissible: true,
      observation: { said: expect.stringMatching(/^Nothing was run: the input is none/) as string },
    });
    expect(tested).toMatchObject({ kind: 'ongoing', inadmissible: false });
    expect(last).toMatchObject({
      kind: 'terminated',
      limit: 'turn-limit',
      outcome: 'failed',
      reward: { total: 0 },
    });
  });

  it('offers the test until it ran, then shows its result in the anchor key', async () => {
    const env = await host.create();
    const opening = await env.reset({ panel: 'dev', index: 3 }, context);
    const tested = await env.step({ kind: 'test' }, context);
    const about =
      tested.observation.passed === tested.observation.total
        ? 'all visible tests passed'
        : 'some visible tests failed';
    expect(opening.admissible?.map(({ kind }) => kind)).toEqual(['test', 'verdict', 'verdict']);
    expect(tested).toMatchObject({
      admissible: [
        { kind: 'verdict', about },
        { kind: 'verdict', about },
      ],
      stateKey: opening.stateKey,
    });
    expect(tested).not.toMatchObject({ anchorKey: opening.anchorKey });
    await env.close();
  });

  it('describes the examples and how to run the program in the instruction', () => {
    expect(host.describeTask({ panel: 'dev', index: 0 }).instruction).toMatch(
      /\nExamples:\n[^]+\nBefore you say it you may, 2 times at most, say test, /,
    );
  });
});
