import { describe, expect, it } from 'vitest';
import type { Goal } from '../../../envs/household/goal.ts';
import type { HouseholdTask } from '../../../envs/household/task.ts';
import { bedroom, envOf, kitchen, play, roomTask } from './small-rooms.ts';

/** The anchor key after the commands, every one of which must be admissible. */
async function anchorAfter(task: HouseholdTask, commands: readonly string[]): Promise<string> {
  const { last } = await play(envOf(task), commands);
  if (last?.kind !== 'ongoing' || last.anchorKey === undefined) throw new Error('the episode is over');
  const { lines } = await play(envOf(task), commands);
  expect(lines.filter(([, answer]) => answer === 'Nothing happens.')).toEqual([]);
  return last.anchorKey;
}

type Ways = readonly [one: readonly string[], other: readonly string[]];

async function expectSame(task: HouseholdTask, [one, other]: Ways): Promise<void> {
  expect(await anchorAfter(task, one)).toBe(await anchorAfter(task, other));
}

async function expectDifferent(task: HouseholdTask, [one, other]: Ways): Promise<void> {
  expect(await anchorAfter(task, one)).not.toBe(await anchorAfter(task, other));
}

const pickEgg = kitchen(
  { family: 'pick', object: 'egg', receptacle: 'countertop' },
  'put a egg in countertop.',
);
const cleanMug = kitchen(
  { family: 'clean', object: 'mug', receptacle: 'cabinet' },
  'put a clean mug in cabinet.',
);
const heatMug = kitchen(
  { family: 'heat', object: 'mug', receptacle: 'cabinet' },
  'put a hot mug in cabinet.',
);
const lookKeychain = bedroom(
  { family: 'look', object: 'keychain', lamp: 'desklamp' },
  'examine the keychain with the desklamp.',
);
const lookBook = bedroom(
  { family: 'look', object: 'book', lamp: 'desklamp' },
  'examine the book with the desklamp.',
);
const twoKeychains = bedroom(
  { family: 'pick2', object: 'keychain', receptacle: 'safe' },
  'put two keychain in safe.',
);

describe('the anchor key of equivalent situations', () => {
  it.each<[string, HouseholdTask, Ways]>([
    [
      'the order of searching',
      pickEgg,
      [
        ['go to sinkbasin 1', 'go to garbagecan 1', 'go to countertop 1'],
        ['go to garbagecan 1', 'go to sinkbasin 1', 'go to countertop 1'],
      ],
    ],
    [
      'looking, listing and examining in between',
      pickEgg,
      [
        ['go to countertop 1'],
        ['look', 'inventory', 'go to countertop 1', 'look', 'examine countertop 1', 'help', 'inventory'],
      ],
    ],
    [
      'a door left open elsewhere and a closed one',
      pickEgg,
      [
        ['go to microwave 1', 'open microwave 1', 'go to countertop 1'],
        ['go to microwave 1', 'open microwave 1', 'close microwave 1', 'go to countertop 1'],
      ],
    ],
    [
      'a closed door seen and not seen',
      pickEgg,
      [['go to cabinet 1', 'go to countertop 1'], ['go to countertop 1']],
    ],
    [
      'places that cannot hold what is sought',
      bedroom(
        { family: 'pick', object: 'pillow', receptacle: 'sidetable' } as Goal,
        'put a pillow in sidetable.',
      ),
      [['go to shelf 1', 'go to drawer 1', 'open drawer 1', 'go to desk 1'], ['go to desk 1']],
    ],
    [
      'all searching, once enough is found',
      cleanMug,
      [
        [
          'go to garbagecan 1',
          'go to fridge 1',
          'open fridge 1',
          'go to sinkbasin 1',
          'go to countertop 1',
          'take mug 1 from countertop 1',
        ],
        ['go to countertop 1', 'take mug 1 from countertop 1'],
      ],
    ],
    [
      'other objects moved elsewhere',
      pickEgg,
      [
        [
          'go to countertop 1',
          'take apple 2 from countertop 1',
          'go to garbagecan 1',
          'move apple 2 to garbagecan 1',
          'go to sinkbasin 1',
        ],
        ['go to countertop 1', 'go to garbagecan 1', 'go to sinkbasin 1'],
      ],
    ],
    [
      'conditions that the goal does not ask for',
      cleanMug,
      [
        [
          'go to countertop 1',
          'take mug 1 from countertop 1',
          'go to microwave 1',
          'heat mug 1 with microwave 1',
        ],
        ['go to countertop 1', 'take mug 1 from countertop 1', 'go to microwave 1'],
      ],
    ],
    [
      'the condition of another object in hand',
      cleanMug,
      [
        [
          'go to countertop 1',
          'take apple 2 from countertop 1',
          'go to sinkbasin 1',
          'clean apple 2 with sinkbasin 1',
        ],
        ['go to countertop 1', 'take apple 2 from countertop 1', 'go to sinkbasin 1'],
      ],
    ],
    [
      'cleaning once and twice',
      cleanMug,
      [
        [
          'go to countertop 1',
          'take mug 1 from countertop 1',
          'go to sinkbasin 1',
          'clean mug 1 with sinkbasin 1',
          'clean mug 1 with sinkbasin 1',
        ],
        [
          'go to countertop 1',
          'take mug 1 from countertop 1',
          'go to sinkbasin 1',
          'clean mug 1 with sinkbasin 1',
        ],
      ],
    ],
    [
      'what lies at the place faced, with full hands',
      cleanMug,
      [
        [
          'go to countertop 1',
          'take apple 2 from countertop 1',
          'go to garbagecan 1',
          'move apple 2 to garbagecan 1',
          'go to countertop 1',
          'take mug 1 from countertop 1',
        ],
        ['go to countertop 1', 'take mug 1 from countertop 1'],
      ],
    ],
    [
      'an object taken and put back',
      pickEgg,
      [
        ['go to countertop 1', 'take mug 1 from countertop 1', 'move mug 1 to countertop 1'],
        ['go to countertop 1'],
      ],
    ],
    [
      'heating undone by cooling, and never done',
      heatMug,
      [
        [
          'go to fridge 1',
          'go to countertop 1',
          'take mug 1 from countertop 1',
          'go to microwave 1',
          'heat mug 1 with microwave 1',
          'go to fridge 1',
          'cool mug 1 with fridge 1',
        ],
        ['go to countertop 1', 'take mug 1 from countertop 1', 'go to fridge 1'],
      ],
    ],
  ])('merges %s', async (_what, task, ways) => {
    await expectSame(task, ways);
  });
});

describe('the anchor key of different situations', () => {
  it.each<[string, HouseholdTask, Ways]>([
    [
      'the place faced',
      pickEgg,
      [
        ['go to countertop 1', 'go to sinkbasin 1'],
        ['go to sinkbasin 1', 'go to countertop 1'],
      ],
    ],
    ['an open and a closed door faced', pickEgg, [['go to fridge 1'], ['go to fridge 1', 'open fridge 1']]],
    [
      'a closed door whose contents were seen',
      pickEgg,
      [['go to microwave 1'], ['go to microwave 1', 'open microwave 1', 'close microwave 1']],
    ],
    [
      'places searched, while something is still to be found',
      pickEgg,
      [['go to garbagecan 1', 'go to countertop 1'], ['go to countertop 1']],
    ],
    [
      'where a goal object is known to be',
      pickEgg,
      [
        ['go to fridge 1', 'open fridge 1', 'go to countertop 1'],
        ['go to microwave 1', 'open microwave 1', 'go to countertop 1'],
      ],
    ],
    [
      'whether a second goal object has been found',
      lookKeychain,
      [
        ['go to shelf 1', 'go to bed 1', 'go to drawer 1'],
        ['go to shelf 1', 'go to drawer 1'],
      ],
    ],
    [
      'what is carried',
      cleanMug,
      [
        ['go to countertop 1', 'take mug 1 from countertop 1'],
        ['go to countertop 1', 'take apple 2 from countertop 1'],
      ],
    ],
    [
      'the condition asked for',
      cleanMug,
      [
        [
          'go to countertop 1',
          'take mug 1 from countertop 1',
          'go to sinkbasin 1',
          'clean mug 1 with sinkbasin 1',
        ],
        ['go to countertop 1', 'take mug 1 from countertop 1', 'go to sinkbasin 1'],
      ],
    ],
    [
      'the condition asked for, of an object in hand, as soon as its place is left',
      heatMug,
      [
        [
          'go to countertop 1',
          'take mug 1 from countertop 1',
          'go to microwave 1',
          'heat mug 1 with microwave 1',
          'go to sinkbasin 1',
        ],
        ['go to countertop 1', 'take mug 1 from countertop 1', 'go to microwave 1', 'go to sinkbasin 1'],
      ],
    ],
    [
      'the condition asked for, of an object that was put down',
      cleanMug,
      [
        [
          'go to countertop 1',
          'take mug 1 from countertop 1',
          'go to sinkbasin 1',
          'clean mug 1 with sinkbasin 1',
          'move mug 1 to sinkbasin 1',
        ],
        [
          'go to countertop 1',
          'take mug 1 from countertop 1',
          'go to sinkbasin 1',
          'move mug 1 to sinkbasin 1',
        ],
      ],
    ],
    [
      'a lamp that is lit',
      lookKeychain,
      [
        ['go to desk 1', 'use desklamp 2', 'go to bed 1'],
        ['go to desk 1', 'go to bed 1'],
      ],
    ],
    ['whether a lamp has been found', lookKeychain, [['go to desk 1', 'go to bed 1'], ['go to bed 1']]],
    [
      'where a lamp has been looked for, with the object in hand',
      lookBook,
      [
        ['go to shelf 1', 'go to bed 1', 'take book 1 from bed 1'],
        ['go to bed 1', 'take book 1 from bed 1'],
      ],
    ],
    [
      'how many are delivered',
      twoKeychains,
      [
        [
          'go to safe 1',
          'open safe 1',
          'go to shelf 1',
          'take keychain 1 from shelf 1',
          'go to safe 1',
          'move keychain 1 to safe 1',
        ],
        ['go to shelf 1', 'go to safe 1', 'open safe 1'],
      ],
    ],
    [
      'what can be taken at the place faced',
      pickEgg,
      [
        [
          'go to countertop 1',
          'take apple 2 from countertop 1',
          'go to garbagecan 1',
          'move apple 2 to garbagecan 1',
          'go to countertop 1',
        ],
        ['go to garbagecan 1', 'go to countertop 1'],
      ],
    ],
    [
      'what the knife in hand can cut at the place faced',
      pickEgg,
      [
        [
          'go to countertop 1',
          'take apple 2 from countertop 1',
          'go to sinkbasin 1',
          'move apple 2 to sinkbasin 1',
          'go to countertop 1',
          'take butterknife 1 from countertop 1',
        ],
        ['go to sinkbasin 1', 'go to countertop 1', 'take butterknife 1 from countertop 1'],
      ],
    ],
  ])('distinguishes %s', async (_what, task, ways) => {
    await expectDifferent(task, ways);
  });
});

describe('the anchor and state keys', () => {
  it('name the task and contain printable characters only', async () => {
    const { last } = await play(envOf(pickEgg), [
      'go to fridge 1',
      'open fridge 1',
      'take egg 1 from fridge 1',
    ]);
    const keys = last?.kind === 'ongoing' ? [last.anchorKey, last.stateKey] : [];
    for (const key of keys) expect(key).toMatch(/^by-hand\/0\|[!-~]+$/);
  });

  it('do not change with facts that are not shown', async () => {
    const room = (apple: string): HouseholdTask =>
      roomTask({
        goal: { family: 'pick', object: 'apple', receptacle: 'countertop' },
        instruction: 'put a apple in countertop.',
        places: ['cabinet 1', 'cabinet 2', 'countertop 1', 'fridge 1'],
        objects: { 'apple 1': apple, 'mug 1': 'countertop 1' },
      });
    for (const commands of [
      ['go to countertop 1'],
      ['go to fridge 1'],
      ['go to fridge 1', 'open fridge 1'],
      ['go to countertop 1', 'take mug 1 from countertop 1'],
    ]) {
      expect(await anchorAfter(room('cabinet 1'), commands)).toBe(
        await anchorAfter(room('cabinet 2'), commands),
      );
    }
  });
});
