import { describe, expect, it } from 'vitest';
import type { ChoiceDecision, TextDecision } from '../../../agents/core/agent.ts';
import type { Trajectory, TrajectoryStep } from '../../../agents/rollout/trajectory.ts';
import { reward } from '../../../envs/core/step.ts';
import type { TrajectoryCredit } from '../../../trainers/credit/estimator.ts';
import { creditRows } from '../../../lab/inspect/credit.ts';
import { renderTrajectory } from '../../../lab/report/render-trajectory.ts';
import { makeTrajectory } from '../../trainers/evaluate/make-trajectories.ts';

const stepOf = (changes: Partial<TrajectoryStep>): TrajectoryStep => ({
  observation: 'a kitchen\nwith a fridge',
  seat: 0,
  stateKey: 's',
  anchorKey: 'a',
  stepsLeft: 9,
  reply: { kind: 'action', action: { go: 'fridge' } },
  decision: { kind: 'choice', candidates: ['go to sink', 'go to fridge'], index: 1, logprob: -0.25 },
  policyVersion: 4,
  verdict: 'admissible',
  reward: reward({ goal: 1 }),
  penalty: undefined,
  ...changes,
});

const trajectory: Trajectory = {
  ...makeTrajectory(1, 'solved', 0),
  steps: [
    stepOf({}),
    stepOf({
      stepsLeft: undefined,
      seat: 1,
      reply: { kind: 'malformed', why: 'no action', text: 'hello' },
      verdict: 'malformed',
      decision: {
        kind: 'tokens',
        spans: [{ kept: 4, appended: [1], sampled: [2, 3], logprobs: [-0.5, -1] }],
        leftOut: 1,
        actionsLeftOut: 2,
      },
      policyVersion: undefined,
      reward: reward({ goal: 0 }),
      penalty: 0.1,
    }),
    stepOf({ decision: undefined, verdict: 'inadmissible', reward: undefined, observation: { room: 3 } }),
  ],
};

const credit: TrajectoryCredit = {
  advantage: Float64Array.of(0.75, -0.5, 0),
  episode: Float64Array.of(0.5, -0.5, 0),
  step: Float64Array.of(0.25, 0, 0),
  anchors: { information: Int32Array.of(2, -1, 0) },
  stepReturn: Float64Array.of(0.9, -0.1, Number.NaN),
};

const anchorSizes = { information: Int32Array.of(1, 3, 5) };

describe('renderTrajectory', () => {
  it('shows each step: observation, action, decision, reward and credit', () => {
    expect(renderTrajectory(trajectory, { credit, hasParts: true, anchorSizes })).toBe(
      `maze-v1  task dev/1 (heat)  walker  evaluate/dev/1
leave the maze
solved after 3 steps; score 1, return 0.900

step 1 of 3, 9 left
  saw     a kitchen
          with a fridge
  did     go to fridge
  choice  candidate 2 of 2, probability 0.779 (log -0.250), policy version 4
  earned  1 = goal +1
  credit  ████████ advantage +0.750 (episode +0.500, step +0.250), return from here 0.900
  anchor  2, shared by 5 steps

step 2 of 3, seat 1
  saw     a kitchen
          with a fridge
  did     hello (malformed: no action)
  wrote   2 tokens sampled behind 5, log-probability -1.500; 1 earlier exchange left out of the prompt; 2 actions left out of the list in the prompt
  earned  -0.100 = goal +0, invalid-action -0.100
  credit  ▒▒▒▒▒▒·· advantage -0.500 (episode -0.500, step +0), return from here -0.100
  anchor  none

step 3 of 3, 9 left
  saw     {"room":3}
  did     {"go":"fridge"} (inadmissible)
  earned  never scored
  credit  ········ advantage +0 (episode +0, step +0)
  anchor  0, alone

  saw     out
`,
    );
  });

  it('reports how many tokens lack a log-probability from the server', () => {
    const decision = {
      kind: 'tokens',
      spans: [{ kept: 0, appended: [1], sampled: [2, 3, 4], logprobs: [null, -0.5, null] }],
      leftOut: 0,
    } as const;
    expect(renderTrajectory({ ...trajectory, steps: [stepOf({ decision })] })).toContain(
      '  wrote   3 tokens sampled behind 1, log-probability -0.500 without that of 2, which the server did not give, policy version 4\n',
    );
  });

  it('shows what a text agent wrote, and its token counts', () => {
    const wrote = (over: Partial<TextDecision>): string =>
      renderTrajectory({
        ...trajectory,
        steps: [
          stepOf({
            decision: {
              kind: 'text',
              text: ' Thought: \u001b[2Jhm\nAction: go ',
              usage: undefined,
              reasoningCharacters: 0,
              leftOut: 0,
              ...over,
            },
          }),
        ],
      });
    expect(wrote({})).toContain(
      '  wrote   Thought: hm\n          Action: go\n          (tokens not counted)\n',
    );
    expect(
      wrote({
        usage: { prompt: 90, completion: 7 },
        reasoningCharacters: 12,
        leftOut: 3,
        charactersCut: 4_000,
        actionsLeftOut: 2,
      }),
    ).toContain(
      '(90 prompt tokens, 7 of the reply; 12 characters of reasoning apart; 3 earlier exchanges left out of the prompt; 4000 characters of the observation left out of the prompt; 2 actions left out of the list in the prompt)',
    );
  });

  it('lists the steps that an anchor compares with and the returns of the first of them', () => {
    const sharers = [0, 1, 2, 3].map((member) => ({ member, step: 4, stepReturn: 0.25 * member }));
    const rendered = (some: typeof sharers): string =>
      renderTrajectory(trajectory, { credit, hasParts: true, anchorSizes, sharers: { information: [some] } });
    expect(rendered(sharers)).toContain(
      '  anchor  2, shared by 5 steps: return 0 from step 5 of member 0, 0.250 from step 5 of member 1, 0.500 from step 5 of member 2 and 1 more\n',
    );
    expect(rendered(sharers.slice(0, 1))).toContain(
      '  anchor  2, shared by 5 steps: return 0 from step 5 of member 0\n',
    );
  });

  it('colours the bars of credit on request only', () => {
    const colours = renderTrajectory(trajectory, { credit, hasParts: true, anchorSizes }, { colours: true });
    expect(colours).toContain('  credit  \u001b[32m████████\u001b[0m advantage +0.750');
    expect(colours).toContain('  credit  \u001b[31m▒▒▒▒▒▒\u001b[0m·· advantage -0.500');
    expect(colours).toContain('  credit  ········ advantage +0 ');
    expect(renderTrajectory(trajectory, { credit, hasParts: true, anchorSizes })).not.toContain('\u001b');
  });

  it('shows the most probable other candidates and how many are left', () => {
    const shown = (others: NonNullable<ChoiceDecision['others']>): string =>
      renderTrajectory({
        ...trajectory,
        steps: [
          stepOf({
            decision: {
              kind: 'choice',
              candidates: ['a', 'b\u001b[2J', 'c', 'd'],
              index: 0,
              logprob: -0.5,
              others,
            },
          }),
        ],
      });
    expect(
      shown([
        { index: 1, probability: 0.25 },
        { index: 3, probability: 0.0004 },
      ]),
    ).toContain(
      '  choice  candidate 1 of 4, probability 0.607 (log -0.500), policy version 4\n          instead: b 0.250, d below 0.001 and 1 less probable\n',
    );
    expect(shown([])).not.toContain('instead');
    expect(shown([{ index: 2, probability: 0 }])).not.toContain('instead');
    expect(shown([{ index: 9, probability: 0.5 }])).not.toContain('instead');
  });

  it('shows the key of an anchor below it, shortened if it is long', () => {
    const keys = { information: ['in the kitchen\nwith a lamp', undefined, 'x'.repeat(300)] };
    const text = renderTrajectory(trajectory, { credit, hasParts: true, anchorSizes, keys });
    expect(text).toMatch(/ {2}anchor {2}2, shared by 5 steps\n {10}key in the kitchen.*with a lamp\n/);
    expect(text).toContain(`  anchor  0, alone\n          key ${'x'.repeat(160)}… (300 characters)\n`);
  });

  it('uses the words of the env and shortens long observations', () => {
    const words = { observation: () => 'x'.repeat(50), action: () => 'walk on' };
    const text = renderTrajectory(trajectory, undefined, { words, maxObservation: 10 });
    expect(text).toContain('saw     xxxxxxxxxx… (50 characters)');
    expect(text).toContain('did     walk on\n');
    expect(text).not.toContain('credit');
  });

  it('shows every grouping of anchors by its name, and the range of token-level credit', () => {
    const several = {
      ...credit,
      tokenAdvantage: [Float64Array.of(0.5, 1), Float64Array.of(-0.5), new Float64Array(0)],
      anchors: { 'window-1': Int32Array.of(2, -1, 0), 'window-2': Int32Array.of(0, -1, -1) },
    };
    const sizes = { 'window-1': anchorSizes.information, 'window-2': Int32Array.of(1) };
    const text = renderTrajectory(trajectory, { credit: several, hasParts: false, anchorSizes: sizes });
    expect(text).toContain(
      'credit  ████████ advantage +0.750, 2 tokens (mean +0.750, from +0.500 to +1), return from here 0.900\n',
    );
    expect(text).toContain('anchor  by window-1: 2, shared by 5 steps\n');
    expect(text).toContain('anchor  by window-2: 0, alone\n');
    expect(text).toContain('credit  ········ advantage +0, no tokens');
    expect(creditRows({ credit: several, hasParts: false, anchorSizes: sizes })[0]).toEqual({
      advantage: 0.75,
      tokenAdvantage: [0.5, 1],
      episode: 0.5,
      step: 0.25,
      stepReturn: 0.9,
      anchor: 2,
      anchorSize: 5,
      sharedWith: [],
      anchors: {
        'window-1': { anchor: 2, anchorSize: 5, sharedWith: [] },
        'window-2': { anchor: 0, anchorSize: 1, sharedWith: [] },
      },
    });
  });

  it('describes the end of every kind of episode', () => {
    expect(renderTrajectory(makeTrajectory(0, 'failed', 1))).toContain('failed by turn-limit after 1 step;');
    expect(renderTrajectory(makeTrajectory(0, 'truncated'))).toContain('truncated by wall after 3 steps;');
    const none = {
      advantage: new Float64Array(),
      episode: new Float64Array(),
      step: new Float64Array(),
      anchors: {},
      stepReturn: new Float64Array(),
    };
    const faulted = renderTrajectory(makeTrajectory(0, 'faulted', 1), {
      credit: none,
      hasParts: true,
      anchorSizes: {},
    });
    expect(faulted).toContain('faulted (the environment crashed in step: the maze fell in) after 1 step');
    expect(faulted).toContain('credit  none: the episode faulted');
  });

  it('prints no control characters', () => {
    const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202etxt\rx\u0000';
    const hostile: Trajectory = {
      ...trajectory,
      env: { id: `maze${evil}`, config: {} },
      family: evil,
      agent: evil,
      path: evil,
      instruction: `go\n${evil}`,
      finalObservation: evil,
      stop: { kind: 'faulted', fault: { kind: 'env-crashed', where: evil, message: evil } },
      steps: [
        stepOf({
          observation: evil,
          decision: { kind: 'choice', candidates: [evil], index: 0, logprob: 0 },
          reward: reward({ [evil]: 1 }),
        }),
        stepOf({ reply: { kind: 'malformed', why: evil, text: evil } }),
        stepOf({ reply: { kind: 'action', action: evil }, decision: undefined }),
      ],
    };
    expect(renderTrajectory(hostile)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});
