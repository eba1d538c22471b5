import { describe, expect, it } from 'vitest';
import { bedroom, context, envOf, kitchen, play } from './small-rooms.ts';

const mugTask = kitchen({ family: 'pick', object: 'mug', receptacle: 'fridge' }, 'put a mug in fridge.');
const cdTask = bedroom({ family: 'pick', object: 'cd', receptacle: 'safe' }, 'put a cd in safe.');

async function answers(task: typeof mugTask, commands: readonly string[]): Promise<readonly string[]> {
  return (await play(envOf(task), commands)).lines.map(([, answer]) => answer);
}

describe('commands that only look', () => {
  it('look sees nothing before the player has gone anywhere, and then what is next to the place faced', async () => {
    expect(await answers(mugTask, ['look', 'inventory', 'look', 'go to sinkbasin 1', 'look'])).toEqual([
      'You are in the middle of a room. Looking quickly around you, you see nothing.',
      'You are not carrying anything.',
      'You are in the middle of a room. Looking quickly around you, you see nothing.',
      'You arrive at sinkbasin 1. On the sinkbasin 1, you see a spoon 1.',
      'You are facing the sinkbasin 1. Next to it, you see nothing.',
    ]);
  });

  it('inventory lists what is carried', async () => {
    expect(
      await answers(mugTask, [
        'inventory',
        'go to countertop 1',
        'take apple 2 from countertop 1',
        'inventory',
      ]),
    ).toEqual([
      'You are not carrying anything.',
      'You arrive at countertop 1. On the countertop 1, you see a apple 2, a butterknife 1, and a mug 1.',
      'You pick up the apple 2 from the countertop 1.',
      'You are carrying: a apple 2.',
    ]);
  });

  it('examine describes the place faced: a surface, a closed door, an open one', async () => {
    expect(
      await answers(mugTask, [
        'go to countertop 1',
        'examine countertop 1',
        'go to fridge 1',
        'examine fridge 1',
        'open fridge 1',
        'examine fridge 1',
      ]),
    ).toEqual([
      'You arrive at countertop 1. On the countertop 1, you see a apple 2, a butterknife 1, and a mug 1.',
      'On the countertop 1, you see a apple 2, a butterknife 1, and a mug 1.',
      'You arrive at fridge 1. The fridge 1 is closed.',
      'The fridge 1 is closed.',
      'You open the fridge 1. The fridge 1 is open. In it, you see a apple 1, and a egg 1.',
      'The fridge 1 is open. In it, you see a apple 1, and a egg 1.',
    ]);
  });

  it('help prints the help of the grammar', async () => {
    const [help] = await answers(mugTask, ['help']);
    expect(help).toBe(
      '\nAvailable commands:\n  look:                             look around your current location\n  inventory:                        check your current inventory\n  go to (receptacle):               move to a receptacle\n  open (receptacle):                open a receptacle\n  close (receptacle):               close a receptacle\n  take (object) from (receptacle):  take an object from a receptacle\n  move (object) to (receptacle):  place an object in or on a receptacle\n  examine (something):              examine a receptacle or an object\n  use (object):                     use an object\n  heat (object) with (receptacle):  heat an object using a receptacle\n  clean (object) with (receptacle): clean an object using a receptacle\n  cool (object) with (receptacle):  cool an object using a receptacle\n  slice (object) with (object):     slice an object using a sharp object\n',
    );
  });
});

describe('commands on objects', () => {
  const applePath = [
    'go to countertop 1',
    'take butterknife 1 from countertop 1',
    'slice apple 2 with butterknife 1',
  ];
  const fetchApple = ['move butterknife 1 to countertop 1', 'take apple 2 from countertop 1'];
  const last = async (commands: readonly string[]): Promise<string | undefined> =>
    (await answers(mugTask, commands)).at(-1);

  it('slice cuts what lies there with the knife in hand', async () => {
    expect(await last(applePath)).toBe('You sliced the apple 2 with the butterknife 1.');
  });

  it.each<[string, readonly string[], string]>([
    [
      'nothing done',
      ['go to countertop 1', 'take apple 2 from countertop 1', 'examine apple 2'],
      "There's nothing special about apple 2.",
    ],
    ['sliced', [...applePath, ...fetchApple, 'examine apple 2'], 'This is a sliced apple 2.'],
    [
      'hot',
      [
        'go to countertop 1',
        'take apple 2 from countertop 1',
        'go to microwave 1',
        'heat apple 2 with microwave 1',
        'examine apple 2',
      ],
      'This is a hot apple 2.',
    ],
    [
      'hot, sliced',
      [...applePath, ...fetchApple, 'go to microwave 1', 'heat apple 2 with microwave 1', 'examine apple 2'],
      'This is a hot sliced apple 2.',
    ],
    [
      'cold',
      [
        'go to countertop 1',
        'take apple 2 from countertop 1',
        'go to fridge 1',
        'cool apple 2 with fridge 1',
        'examine apple 2',
      ],
      'This is a cold apple 2.',
    ],
    [
      'cool, sliced',
      [...applePath, ...fetchApple, 'go to fridge 1', 'cool apple 2 with fridge 1', 'examine apple 2'],
      'This is a cool sliced apple 2.',
    ],
    [
      'clean',
      [
        'go to countertop 1',
        'take apple 2 from countertop 1',
        'go to sinkbasin 1',
        'clean apple 2 with sinkbasin 1',
        'examine apple 2',
      ],
      'This is a clean apple 2.',
    ],
    [
      'clean, sliced',
      [...applePath, ...fetchApple, 'go to sinkbasin 1', 'clean apple 2 with sinkbasin 1', 'examine apple 2'],
      'This is a clean sliced apple 2.',
    ],
    [
      'hot and clean, sliced',
      [
        ...applePath,
        ...fetchApple,
        'go to sinkbasin 1',
        'clean apple 2 with sinkbasin 1',
        'go to microwave 1',
        'heat apple 2 with microwave 1',
        'examine apple 2',
      ],
      'This is a hot and clean sliced apple 2.',
    ],
    [
      'cool and clean',
      [
        'go to countertop 1',
        'take apple 2 from countertop 1',
        'go to sinkbasin 1',
        'clean apple 2 with sinkbasin 1',
        'go to fridge 1',
        'cool apple 2 with fridge 1',
        'examine apple 2',
      ],
      'This is a cool and clean apple 2.',
    ],
    [
      'a container, whatever was done to it',
      [
        'go to countertop 1',
        'take mug 1 from countertop 1',
        'go to sinkbasin 1',
        'clean mug 1 with sinkbasin 1',
        'examine mug 1',
      ],
      'This is a normal mug 1. In it, you see nothing.',
    ],
  ])('examine describes the object in hand: %s', async (_case, commands, text) => {
    expect(await last(commands)).toBe(text);
  });

  it('use turns on a lamp that is already lit', async () => {
    expect((await answers(cdTask, ['go to desk 1', 'use desklamp 2', 'use desklamp 2'])).slice(1)).toEqual([
      'You turn on the desklamp 2.',
      'You turn on the desklamp 2.',
    ]);
  });
});

describe('inadmissible commands', () => {
  it.each<[string, readonly string[]]>([
    ['go to the place faced', ['go to fridge 1', 'go to fridge 1']],
    ['go to a place that is not there', ['go to fridge 2']],
    ['open what has no door', ['go to countertop 1', 'open countertop 1']],
    ['open what is open', ['go to fridge 1', 'open fridge 1', 'open fridge 1']],
    ['open from afar', ['go to countertop 1', 'open fridge 1']],
    ['close what is closed', ['go to fridge 1', 'close fridge 1']],
    ['take through a closed door', ['go to fridge 1', 'take apple 1 from fridge 1']],
    ['take from afar', ['go to sinkbasin 1', 'take mug 1 from countertop 1']],
    ['take what is not there', ['go to countertop 1', 'take mug 2 from countertop 1']],
    [
      'take with full hands',
      ['go to countertop 1', 'take mug 1 from countertop 1', 'take apple 2 from countertop 1'],
    ],
    ['put what is not held', ['go to countertop 1', 'move mug 1 to countertop 1']],
    [
      'put behind a closed door',
      ['go to countertop 1', 'take apple 2 from countertop 1', 'go to fridge 1', 'move apple 2 to fridge 1'],
    ],
    [
      'put where it does not belong',
      [
        'go to countertop 1',
        'take butterknife 1 from countertop 1',
        'go to garbagecan 1',
        'move butterknife 1 to garbagecan 1',
      ],
    ],
    [
      'heat away from the microwave',
      ['go to countertop 1', 'take apple 2 from countertop 1', 'heat apple 2 with microwave 1'],
    ],
    [
      'heat what cannot be heated',
      [
        'go to countertop 1',
        'take butterknife 1 from countertop 1',
        'go to microwave 1',
        'heat butterknife 1 with microwave 1',
      ],
    ],
    ['clean what is not held', ['go to sinkbasin 1', 'clean spoon 1 with sinkbasin 1']],
    ['slice without a knife', ['go to countertop 1', 'slice apple 2 with butterknife 1']],
    [
      'slice through a closed door',
      [
        'go to countertop 1',
        'take butterknife 1 from countertop 1',
        'go to fridge 1',
        'slice apple 1 with butterknife 1',
      ],
    ],
    ['examine what is not held', ['go to countertop 1', 'examine apple 2']],
    ['examine a place from afar', ['go to countertop 1', 'examine fridge 1']],
    ['another spelling', ['Go to fridge 1']],
    ['white space around it', [' look']],
    [
      'the other dialect',
      ['go to countertop 1', 'take mug 1 from countertop 1', 'put mug 1 in/on countertop 1'],
    ],
    ['no command at all', ['']],
  ])('do nothing: %s', async (_case, commands) => {
    const env = envOf(mugTask);
    const before = await play(env, commands.slice(0, -1));
    const key = before.last?.stateKey;
    const result = await env.step(commands.at(-1) as string, context);
    expect(result).toMatchObject({
      kind: 'ongoing',
      observation: 'Nothing happens.',
      inadmissible: true,
      reward: { total: 0, terms: {} },
    });
    if (key !== undefined) expect(result.stateKey).toBe(key);
  });

  it('do nothing: use away from the lamp, and take the lamp', async () => {
    for (const commands of [
      ['go to bed 1', 'use desklamp 2'],
      ['go to desk 1', 'take desklamp 2 from desk 1'],
    ]) {
      const { last } = await play(envOf(cdTask), commands);
      expect(last).toMatchObject({ observation: 'Nothing happens.', inadmissible: true });
    }
  });
});

describe('the list of admissible commands', () => {
  it('matches ALFWorld, sorted, and examines only the object in hand and the place faced', async () => {
    const { last } = await play(envOf(mugTask), [
      'go to countertop 1',
      'take mug 1 from countertop 1',
      'go to microwave 1',
      'open microwave 1',
    ]);
    expect(last).toHaveProperty('admissible', [
      'close microwave 1',
      'examine microwave 1',
      'examine mug 1',
      'go to cabinet 1',
      'go to cabinet 2',
      'go to countertop 1',
      'go to fridge 1',
      'go to garbagecan 1',
      'go to sinkbasin 1',
      'heat mug 1 with microwave 1',
      'help',
      'inventory',
      'look',
      'move mug 1 to microwave 1',
    ]);
  });

  it('contains, for empty hands, what can be taken, and lamps', async () => {
    const { last } = await play(envOf(cdTask), ['go to desk 1']);
    expect(last).toHaveProperty('admissible', [
      'examine desk 1',
      'go to bed 1',
      'go to drawer 1',
      'go to drawer 2',
      'go to safe 1',
      'go to shelf 1',
      'go to sidetable 1',
      'help',
      'inventory',
      'look',
      'take cd 2 from desk 1',
      'use desklamp 2',
    ]);
  });
});
