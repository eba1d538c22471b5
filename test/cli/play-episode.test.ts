import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../agents/policy/human.ts';
import { playEpisode, type PlayedEpisode } from '../../cli/play/episode.ts';
import { createContext } from '../../envs/core/context.ts';
import type { Env } from '../../envs/core/env.ts';
import { reward } from '../../envs/core/step.ts';
import type { Textual } from '../../envs/core/textual.ts';
import { corridorText } from '../support/corridor.ts';
import { corridorStage } from '../support/rollout.ts';

const text: Textual<string, string> = {
  observation: (observation) => observation,
  action: (action) => action,
  parse: (words) => ({ kind: 'action', action: words }),
};
const opening = {
  observation: 'here',
  stateKey: undefined,
  anchorKey: undefined,
  admissible: undefined,
  stepsLeft: undefined,
  seat: 0,
  instruction: 'do',
};

/** Answers each prompt with the next line, at the end with none. */
function typed(lines: readonly string[], said: string[] = []): Conversation {
  const left = [...lines];
  return { ask: async () => left.shift(), say: (words) => void said.push(words) };
}

const context = createContext({ seed: 0, now: () => 0 });

const play = (env: Env<string, string>, talk: Conversation, callMs?: number): Promise<PlayedEpisode> =>
  playEpisode({
    host: { create: async () => env, describeTask: () => ({ family: 'f', instruction: 'do', content: 1 }) },
    env: { id: 'stage-v1', config: {} },
    task: { panel: 'dev', index: 0 },
    text,
    talk,
    context,
    ...(callMs === undefined ? {} : { callMs }),
  });

const stuck = <T>(): Promise<T> => new Promise<T>(() => undefined);
const base = {
  reset: () => Promise.resolve(opening),
  step: () => stuck<never>(),
  close: () => Promise.resolve(),
};

describe('playEpisode', () => {
  it('stops waiting for an env that hangs', async () => {
    await expect(play(base, typed(['go']), 20)).rejects.toMatchObject({
      fault: { kind: 'deadline-passed', where: 'stage-v1.step', afterMs: 20 },
    });
    await expect(play({ ...base, reset: () => stuck() }, typed([]), 20)).rejects.toMatchObject({
      fault: { where: 'stage-v1.reset' },
    });
  });

  it('reports a crash of the env as a fault', async () => {
    const broken = { ...base, step: () => Promise.reject(new Error('x is undefined')) };
    await expect(play(broken, typed(['go']))).rejects.toMatchObject({
      fault: { kind: 'env-crashed', where: 'stage-v1.step', message: 'x is undefined' },
    });
  });

  it('says when an env has no list of actions and no undo', async () => {
    const said: string[] = [];
    expect(await play(base, typed(['?', 'undo'], said))).toMatchObject({ outcome: 'left', steps: [] });
    expect(said.slice(3)).toEqual([
      'There is no list of actions here: type what you want to do.',
      'There is no step to take back.',
    ]);
  });

  it('shows the result of the last step', async () => {
    const said: string[] = [];
    const ended = {
      kind: 'terminated',
      outcome: 'solved',
      observation: 'there',
      reward: reward({ goal: 1 }),
      inadmissible: false,
      stateKey: undefined,
    } as const;
    const played = await play({ ...base, step: async () => ended }, typed(['go', 'quit'], said));
    expect(said.slice(-2)).toEqual(['there', 'Reward 1 (goal 1).']);
    expect(played).toEqual({
      outcome: 'solved',
      limit: undefined,
      score: 1,
      steps: [{ action: 'go', reward: { total: 1, terms: { goal: 1 } } }],
    });
  });

  it('undoes steps of a random env without snapshots, to the same state and without repeating the output', async () => {
    const { source, env, envs } = await corridorStage({ config: { slip: 0.5 } });
    await envs.close();
    const walk = async (
      lines: readonly string[],
    ): Promise<{ readonly played: PlayedEpisode; readonly said: readonly string[] }> => {
      const said: string[] = [];
      const talk = typed(lines, said);
      return {
        played: await playEpisode({
          host: source,
          env,
          task: { panel: 'train', index: 3 },
          text: corridorText,
          talk,
          context,
        }),
        said,
      };
    };
    const ways = ['go right', 'go wait', 'go left', 'go right', 'go right'];
    const straight = await walk(ways);
    const wandering = await walk([
      ...ways.slice(0, 3),
      'go wait',
      'undo',
      ...ways.slice(3),
      'go left',
      'go left',
      'undo',
      'undo',
    ]);
    expect(wandering.played).toEqual(straight.played);
    expect(straight.played.steps).toHaveLength(5);
    const shown = (said: readonly string[]): number =>
      said.filter((words) => words.startsWith('You stand')).length;
    expect(shown(straight.said)).toBe(6);
    expect(shown(wandering.said)).toBe(6 + 1 + 1 + 2 + 2);
    expect(wandering.said.filter((words) => words.startsWith('Reach room'))).toHaveLength(1);
    expect(wandering.said.filter((words) => words.startsWith('Type an action'))).toHaveLength(1);
  });
});
