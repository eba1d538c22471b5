import { beforeAll, describe, expect, it } from 'vitest';
import type { EnvHost } from '../../../envs/core/env.ts';
import { isThorough } from '../../support/thorough.ts';
import {
  median,
  openHard,
  openHousehold,
  openSmall,
  playOut,
  randomly,
  searching,
  tasksOf,
  type Played,
} from './players.ts';

/** The quick tier plays one in four of the tasks that the full tier plays. */
const stride = isThorough ? 1 : 4;

/** The stride through the tasks of a panel. Large panels are sampled evenly. */
const every: Readonly<Record<string, number>> = { train: 5, dev: 1, seen: 1, unseen: 1, 'unseen-1000': 2 };
const panels = Object.keys(every);

let host: EnvHost<string, string>;
let hard: EnvHost<string, string>;
let small: EnvHost<string, string>;
beforeAll(async () => {
  host = await openHousehold();
  hard = await openHard();
  small = await openSmall();
});

async function playPanel(
  of: EnvHost<string, string>,
  panel: string,
  options: { readonly every: number; readonly random?: boolean },
): Promise<readonly Played[]> {
  const env = await of.create();
  const played: Played[] = [];
  for (const task of tasksOf(of, panel, options.every * stride)) {
    const seed = `${panel}/${task.index}`;
    played.push(await playOut(env, task, options.random === true ? randomly(seed) : searching(of, seed)));
  }
  await env.close();
  return played;
}

const rate = (played: readonly Played[]): number =>
  played.filter(({ solved }) => solved).length / played.length;

async function expectPlannable(of: EnvHost<string, string>, panel: string, step: number): Promise<void> {
  const env = await of.create();
  for (const task of tasksOf(of, panel, step * stride)) {
    const plan = [...(of.experts?.planner?.(task) ?? [])];
    expect(plan.length, JSON.stringify(task)).toBeGreaterThanOrEqual(4);
    const { solved, steps } = await playOut(env, task, (turn) => {
      const command = plan.shift() ?? 'none left';
      expect(turn.admissible, JSON.stringify(task)).toContain(command);
      return command;
    });
    expect({ task, solved, left: plan.length }).toEqual({ task, solved: true, left: 0 });
    expect(steps).toBeLessThanOrEqual(20);
  }
}

describe('the planner of household envs', () => {
  it.each(panels)('solves every task of %s by admissible commands', async (panel) => {
    await expectPlannable(host, panel, every[panel] as number);
  });

  it.each(['train', 'dev', 'unseen'])('solves the hard panel %s', async (panel) => {
    await expectPlannable(hard, panel, panel === 'train' ? 10 : 1);
  });

  it.each(['train', 'dev', 'unseen'])('solves every task of the small panel %s', async (panel) => {
    await expectPlannable(small, panel, 1);
  });

  it('uses the dialect of its host', async () => {
    await expectPlannable(await openHousehold({ dialect: 'classic' }), 'seen', 1);
  });
});

describe('the searcher of household envs', () => {
  it.each(panels)('solves nearly all of %s, in 12 to 30 steps at the median', async (panel) => {
    const played = await playPanel(host, panel, { every: every[panel] as number });
    const steps = played.filter(({ solved }) => solved).map((episode) => episode.steps);
    console.info(
      `searcher on ${panel}: ${(100 * rate(played)).toFixed(1)} % of ${played.length}, median ${median(steps)} steps, at most ${Math.max(...steps)}`,
    );
    expect(rate(played)).toBeGreaterThanOrEqual(0.99);
    expect(median(steps)).toBeGreaterThanOrEqual(12);
    expect(median(steps)).toBeLessThanOrEqual(30);
  });

  it.each(['dev', 'unseen'])('solves most of the hard panel %s', async (panel) => {
    const played = await playPanel(hard, panel, { every: 1 });
    console.info(
      `searcher on hard ${panel}: ${(100 * rate(played)).toFixed(1)} % of ${played.length}, median ${median(played.map(({ steps }) => steps))} steps`,
    );
    expect(rate(played)).toBeGreaterThanOrEqual(0.93);
  });

  it.each(['train', 'dev', 'unseen'])(
    'solves the small panel %s within its 20 steps, in 6 to 10 at the median',
    async (panel) => {
      const played = await playPanel(small, panel, { every: 1 });
      const steps = played.map((episode) => episode.steps);
      console.info(
        `searcher on small ${panel}: ${(100 * rate(played)).toFixed(1)} % of ${played.length}, median ${median(steps)} steps, at most ${Math.max(...steps)}`,
      );
      expect(rate(played)).toBe(1);
      expect(median(steps)).toBeGreaterThanOrEqual(6);
      expect(median(steps)).toBeLessThanOrEqual(10);
    },
  );

  it('solves the classic dialect as well', async () => {
    expect(
      rate(await playPanel(await openHousehold({ dialect: 'classic' }), 'dev', { every: 2 })),
    ).toBeGreaterThanOrEqual(0.99);
  });

  it.each(['current', 'classic'] as const)('needs no list of admissible actions (%s)', async (dialect) => {
    const bare = await openHousehold({ dialect });
    const env = await bare.create();
    let solved = 0;
    for (const task of tasksOf(bare, 'seen', 4)) {
      const search = searching(bare, String(task.index));
      const episode = await playOut(env, task, (turn) => search({ ...turn, admissible: undefined }));
      if (episode.solved) solved += 1;
    }
    expect(solved / 35).toBeGreaterThanOrEqual(0.97);
  });

  it('repeats its commands for the same stream', async () => {
    const env = await host.create();
    for (const task of tasksOf(host, 'dev', 32)) {
      const first = await playOut(env, task, searching(host, 'again'));
      expect(await playOut(env, task, searching(host, 'again'))).toEqual(first);
    }
  });
});

describe('the random player of household envs', () => {
  it.each(panels)('hardly ever solves a task of %s', async (panel) => {
    const played = await playPanel(host, panel, {
      every: Math.ceil((every[panel] as number) / 2),
      random: true,
    });
    console.info(`random on ${panel}: ${(100 * rate(played)).toFixed(2)} % of ${played.length}`);
    expect(rate(played)).toBeLessThanOrEqual(0.02);
  });

  it.each(['train', 'dev', 'unseen'])(
    'solves at most one task in twenty of the small panel %s',
    async (panel) => {
      const played = await playPanel(small, panel, { every: 1, random: true });
      console.info(`random on small ${panel}: ${(100 * rate(played)).toFixed(2)} % of ${played.length}`);
      expect(rate(played)).toBeLessThanOrEqual(0.05);
    },
  );
});
