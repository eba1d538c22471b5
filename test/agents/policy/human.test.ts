import { describe, expect, it } from 'vitest';
import { createHumanAgent, playerLeft, sayResult, type Conversation } from '../../../agents/policy/human.ts';
import { runEpisode } from '../../../agents/rollout/episode.ts';
import { episodeLimitsSchema } from '../../../agents/rollout/limits.ts';
import type { EpisodePlan } from '../../../agents/rollout/episode.ts';
import { FaultError } from '../../../envs/core/errors.ts';
import type { CorridorMove, CorridorView } from '../../support/corridor.ts';
import { corridorText } from '../../support/corridor.ts';
import { corridorStage, episodePlan, testContext } from '../../support/rollout.ts';

/** A person who types these lines and then ends the input, and a screen that shows both sides. */
function typist(...lines: readonly string[]): Conversation & { readonly screen: () => string } {
  const left = [...lines];
  let screen = '';
  return {
    ask: async (prompt) => {
      const line = left.shift();
      screen += `${prompt}${line ?? ''}\n`;
      return line;
    },
    say: (text) => void (screen += `${text}\n`),
    screen: () => screen,
  };
}

interface Game {
  readonly text?: typeof corridorText;
  readonly orders?: Readonly<Record<string, () => void>>;
  readonly plan?: Partial<EpisodePlan<CorridorView, CorridorMove>>;
}

async function play(
  talk: ReturnType<typeof typist>,
  { text = corridorText, orders = {}, plan = {} }: Game = {},
) {
  const stage = await corridorStage({ config: { slip: 0 } });
  const agent = createHumanAgent({ text, talk, orders });
  try {
    return {
      trajectory: await runEpisode(episodePlan(stage, { agent, ...plan }), testContext()),
      screen: talk.screen(),
    };
  } finally {
    await stage.envs.close();
  }
}

describe('human agent', () => {
  it('shows each turn and the result of the last step, and reads words or numbers', async () => {
    const { trajectory, screen } = await play(typist('go right', ' 2 '));
    expect(trajectory.stop).toEqual({ kind: 'terminated', outcome: 'solved' });
    expect(screen).toBe(
      'Reach room 3.\n\nYou stand in room 1 of 3.\n[30 left] > go right\n' +
        'You stand in room 2 of 3.\nReward -0.01 (time -0.01).\n[29 left] >  2 \n',
    );
  });

  it('prints rewards without the rounding error of the sum', () => {
    const said: string[] = [];
    sayResult(
      { observation: () => 'Here.' },
      {
        observation: 0,
        inadmissible: false,
        reward: { total: 0.1 + 0.05, terms: { syntax: 0.1, format: 0.05 } },
      },
      (words) => void said.push(words),
    );
    expect(said.at(-1)).toBe('Reward 0.15 (syntax 0.1, format 0.05).');
  });

  it('reads help as a question, unless the env has an action of that name', async () => {
    const text = {
      ...corridorText,
      parse: (words: string) =>
        words === 'help' ? { kind: 'action' as const, action: 'wait' as const } : corridorText.parse(words),
    };
    expect((await play(typist('help', '2', '2', '2', '2'), { text })).screen).toContain(
      '[30 left] > help\n  1  go left\n',
    );
    const named = {
      ...text,
      action: (action: CorridorMove) => (action === 'wait' ? 'help' : corridorText.action(action)),
    };
    expect((await play(typist('help', '2', '2', '2', '2'), { text: named })).screen).toContain(
      '[29 left] > ',
    );
  });

  it('lists the actions when asked, and reports an action that is not possible', async () => {
    const { screen } = await play(typist('?', '1', 'go left', '2', '2', '2'));
    expect(screen).toContain(
      '[30 left] > ?\n  1  go left\n  2  go right\n  3  go wait\n[30 left] > 1\nYou stand in room 0 of 3.\n',
    );
    expect(screen).toContain(
      '[29 left] > go left\nYou stand in room 0 of 3.\n(That is not possible here.)\n',
    );
  });

  it('counts no step for an unreadable line, and asks again', async () => {
    const { trajectory, screen } = await play(typist('fly', '', '9', '0', '2', '2'));
    expect(trajectory.steps.map(({ verdict }) => verdict)).toEqual(['admissible', 'admissible']);
    expect(screen).toContain(
      '> fly\nNot understood: "fly" is no move (? lists the actions.)\n[30 left] > \n[30 left] > 9\nNumbers go from 1 to 3; ? lists them.\n[30 left] > 0\nNumbers go',
    );
  });

  it.each([['quit'], [undefined]])('ends the episode as a fault at %s', async (last) => {
    const { trajectory } = await play(typist('go right', ...(last === undefined ? [] : [last])));
    expect(trajectory.stop).toEqual({ kind: 'faulted', fault: playerLeft });
    expect(trajectory.steps).toHaveLength(1);
  });

  it('runs the caller’s commands, which count as no steps and may end the episode', async () => {
    const fault = { kind: 'sampler-failed', message: 'over', retryable: false } as const;
    let waved = 0;
    const over = (): never => {
      throw new FaultError(fault);
    };
    const { trajectory } = await play(typist('2', 'wave', 'wave', 'constructor', 'over', '2'), {
      orders: { wave: () => void (waved += 1), over },
    });
    expect(waved).toBe(2);
    expect(trajectory.stop).toEqual({ kind: 'faulted', fault });
    expect(trajectory.steps).toHaveLength(1);
  });

  it('lets no control character of the env reach the terminal', async () => {
    const evil = 'red \u001b[31m alert \u0007\u202E\u009b2J\ttab';
    const text = { ...corridorText, observation: () => evil, action: () => evil };
    const { screen } = await play(typist('?', 'quit'), { text });
    expect(screen).toContain('red  alert \ttab\n');
    expect(screen).toContain('  1  red  alert \ttab\n');
    expect(screen).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it('loses no line to a deadline', async () => {
    let type: ((line: string) => void) | undefined;
    const talk: Conversation = {
      ask: () => new Promise((resolve) => (type = resolve)),
      say: () => undefined,
    };
    const stage = await corridorStage({ config: { slip: 0, turns: 1 } });
    const agent = createHumanAgent({ text: corridorText, talk });
    const late = await runEpisode(
      episodePlan(stage, { agent, limits: episodeLimitsSchema.parse({ wallMs: 20 }) }),
      testContext(),
    );
    expect(late.stop).toMatchObject({ kind: 'faulted', fault: { kind: 'deadline-passed' } });
    type?.('go right');
    const { steps } = await runEpisode(episodePlan(stage, { agent }), testContext());
    expect(steps.map(({ reply }) => reply)).toEqual([{ kind: 'action', action: 'right' }]);
    await stage.envs.close();
  });
});
