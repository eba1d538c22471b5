import { describe, expect, it } from 'vitest';
import { createRng, type Rng } from '../../../envs/core/rng.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import type { DialectName } from '../../../envs/household/dialect.ts';
import { openTwins, playBoth, type Acting, type Played, type TwinWorlds } from './twin-worlds.ts';

type Choose = (turn: Acting) => string;

const listed = (turn: Acting): readonly string[] => turn.admissible ?? [];

function randomly(rng: Rng): Choose {
  return (turn) => rng.pick(listed(turn));
}

/** Seldom walks. Takes, puts, treats, opens and slices when it can. */
function busily(rng: Rng): Choose {
  const idle = /^(?:go|look|inventory|help|examine)\b/;
  return (turn) => {
    const doing = listed(turn).filter((command) => !idle.test(command));
    return doing.length > 0 && rng.uniform() < 0.7 ? rng.pick(doing) : rng.pick(listed(turn));
  };
}

/** The searcher of one of the two worlds; its memory follows the texts that both give. */
function searching(host: TwinWorlds['household'], rng: Rng): Choose {
  const searcher = host.experts?.searcher?.(rng);
  return (turn) => searcher?.act(turn) ?? '';
}

/** Distorts commands of this turn and of earlier ones, and gives invalid ones. `good` plays in between. */
function adversarially(good: Choose, rng: Rng): Choose {
  const heard = [
    'look',
    'put mug 1 in/on desk 1',
    'move mug 1 to desk 1',
    '__proto__',
    'constructor',
    'toString',
    'help me',
    'take all',
    '🧂',
    'x'.repeat(5_000),
    'look\0',
  ];
  const bend: readonly ((command: string) => string)[] = [
    (command) => command,
    (command) => command.toUpperCase(),
    (command) => command.replace(' ', '  '),
    (command) => `  ${command}\t`,
    (command) => `${command}\n`,
    (command) => `${command}\nlook`,
    (command) => `${command}.`,
    (command) => command.slice(0, -1),
    (command) => `${command}1`,
    (command) => command.replace(/\d+/, (digits) => String(Number(digits) + 1)),
    (command) => command.replace(/\d+/, '0'),
    (command) => command.split(' ').toReversed().join(' '),
    (command) => command.replace(/^(?:heat|cool|clean)/, rng.pick(['heat', 'cool', 'clean'])),
    (command) => command.replace(/^open/, 'close').replace(/^take (.+) from/, 'slice $1 with'),
    () => '',
    () => ' \t ',
  ];
  return (turn) => {
    heard.push(rng.pick(listed(turn)));
    return rng.uniform() < 0.5 ? good(turn) : rng.pick(bend)(rng.pick(heard));
  };
}

const policies: Readonly<Record<string, (twins: TwinWorlds, rng: Rng) => Choose>> = {
  random: (_, rng) => randomly(rng),
  busy: (_, rng) => busily(rng),
  'searcher of the household world': ({ household }, rng) => searching(household, rng),
  'searcher of the games': ({ games }, rng) => searching(games, rng),
  adversarial: ({ household }, rng) =>
    adversarially(rng.uniform() < 0.5 ? searching(household, rng.fork('good')) : busily(rng), rng),
};

interface Round {
  readonly world: 'household-v1' | 'household-hard-v1';
  readonly dialect: DialectName;
  readonly tasks: readonly TaskRef[];
}

const span = (panel: string, count: number, start = 0): readonly TaskRef[] =>
  Array.from({ length: count }, (_, index) => ({ panel, index: start + index }));

const rounds: readonly Round[] = [
  {
    world: 'household-v1',
    dialect: 'current',
    tasks: [...span('train', 16), ...span('seen', 6), ...span('unseen', 6)],
  },
  { world: 'household-v1', dialect: 'classic', tasks: [...span('dev', 10), ...span('unseen-1000', 8)] },
  { world: 'household-hard-v1', dialect: 'current', tasks: span('unseen', 6) },
];

interface Told extends Played {
  readonly family: string;
}

async function playRound({ world, dialect, tasks }: Round): Promise<readonly Told[]> {
  const twins = await openTwins(world, dialect, tasks);
  const pair = { household: await twins.household.create(), games: await twins.games.create() };
  const played: Told[] = [];
  for (const [index, task] of tasks.entries()) {
    const games = { panel: 'train', index };
    const { family, instruction } = twins.household.describeTask(task);
    expect(twins.games.describeTask(games)).toMatchObject({ family, instruction });
    for (const [name, policy] of Object.entries(policies)) {
      const one = await playBoth(
        pair,
        { household: task, games },
        policy(twins, createRng(1).fork(`${world}/${dialect}/${index}/${name}`)),
      );
      expect(one.difference, `${world}, ${dialect}, ${task.panel}/${task.index}, ${name}`).toBeUndefined();
      played.push({ ...one, family });
    }
  }
  await twins.close();
  return played;
}

describe('household tasks and the same tasks as alfworld game files', () => {
  it('both worlds give the same texts, admissible commands, rewards and ends', async () => {
    const played: Told[] = [];
    for (const round of rounds) played.push(...(await playRound(round)));
    const sum = (of: (one: Told) => number): number => played.reduce((total, one) => total + of(one), 0);
    const verbs = new Set(played.flatMap(({ commands }) => [...commands]));
    expect(played.length).toBeGreaterThanOrEqual(200);
    expect(new Set(played.map(({ family }) => family))).toEqual(
      new Set(['clean', 'cool', 'heat', 'look', 'pick', 'pick2']),
    );
    expect([...verbs].toSorted()).toEqual([
      'clean',
      'close',
      'cool',
      'examine',
      'go',
      'heat',
      'help',
      'inventory',
      'look',
      'move',
      'open',
      'put',
      'slice',
      'take',
      'use',
    ]);
    expect(sum(({ solved }) => (solved ? 1 : 0))).toBeGreaterThan(80);
    expect(sum(({ inadmissible }) => inadmissible)).toBeGreaterThan(300);
    expect(sum(({ malformed }) => malformed)).toBeGreaterThan(50);
    console.info(
      `parity: ${played.length} episodes, ${sum(({ steps }) => steps)} steps, ${sum(({ solved }) => (solved ? 1 : 0))} solved`,
    );
  });
});
