import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../../envs/household/dialect.ts';
import type { HouseholdTask } from '../../../envs/household/task.ts';
import { bedroom, context, envOf, kitchen, play, type Line } from './small-rooms.ts';

/** Plays a transcript typed by hand from ALFWorld's grammar and compares every answer. */
async function expectTranscript(
  task: HouseholdTask,
  transcript: readonly Line[],
  dialect: DialectName = 'current',
): Promise<void> {
  const { lines, last } = await play(
    envOf(task, dialect),
    transcript.map(([command]) => command),
  );
  expect(lines).toEqual(transcript);
  expect(last).toMatchObject({
    kind: 'terminated',
    outcome: 'solved',
    reward: { total: 1, terms: { goal: 1 } },
  });
}

describe('the opening of a household episode', () => {
  it('lists receptacles by kind, from the highest number down, and names the task', async () => {
    const opening = await envOf(
      kitchen({ family: 'pick', object: 'mug', receptacle: 'sinkbasin' }, 'put a mug in sinkbasin.'),
    ).reset({ panel: 'by-hand', index: 0 }, context);
    expect(opening.observation).toBe(
      '-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, you see a cabinet 2, a cabinet 1, a countertop 1, a fridge 1, a garbagecan 1, a microwave 1, and a sinkbasin 1.\n\nYour task is to: put a mug in sinkbasin.',
    );
    expect(opening.instruction).toBe('put a mug in sinkbasin.');
    expect(opening.admissible).toEqual([
      'go to cabinet 1',
      'go to cabinet 2',
      'go to countertop 1',
      'go to fridge 1',
      'go to garbagecan 1',
      'go to microwave 1',
      'go to sinkbasin 1',
      'help',
      'inventory',
      'look',
    ]);
  });
});

describe('a solution of each household task family', () => {
  it('pick: put an object in its place', async () => {
    await expectTranscript(
      kitchen({ family: 'pick', object: 'bowl', receptacle: 'fridge' }, 'put a bowl in fridge.'),
      [
        ['go to cabinet 1', 'You arrive at cabinet 1. The cabinet 1 is closed.'],
        [
          'open cabinet 1',
          'You open the cabinet 1. The cabinet 1 is open. In it, you see a bowl 1, and a mug 2.',
        ],
        ['take bowl 1 from cabinet 1', 'You pick up the bowl 1 from the cabinet 1.'],
        ['go to fridge 1', 'You arrive at fridge 1. The fridge 1 is closed.'],
        [
          'open fridge 1',
          'You open the fridge 1. The fridge 1 is open. In it, you see a apple 1, and a egg 1.',
        ],
        ['move bowl 1 to fridge 1', 'You move the bowl 1 to the fridge 1.'],
      ],
    );
  });

  it('look: hold the object at a lamp that has been turned on', async () => {
    await expectTranscript(
      bedroom(
        { family: 'look', object: 'keychain', lamp: 'desklamp' },
        'examine the keychain with the desklamp.',
      ),
      [
        ['go to shelf 1', 'You arrive at shelf 1. On the shelf 1, you see a keychain 1.'],
        ['take keychain 1 from shelf 1', 'You pick up the keychain 1 from the shelf 1.'],
        ['go to desk 1', 'You arrive at desk 1. On the desk 1, you see a cd 2, and a desklamp 2.'],
        ['use desklamp 2', 'You turn on the desklamp 2.'],
      ],
    );
  });

  it('look: the lamp may be turned on first', async () => {
    await expectTranscript(
      bedroom({ family: 'look', object: 'cd', lamp: 'desklamp' }, 'look at cd under the desklamp.'),
      [
        ['go to desk 1', 'You arrive at desk 1. On the desk 1, you see a cd 2, and a desklamp 2.'],
        ['use desklamp 2', 'You turn on the desklamp 2.'],
        ['take cd 2 from desk 1', 'You pick up the cd 2 from the desk 1.'],
      ],
    );
  });

  it('look: a lamp stays lit and counts only where it stands', async () => {
    await expectTranscript(
      bedroom(
        { family: 'look', object: 'keychain', lamp: 'desklamp' },
        'look at keychain under the desklamp.',
      ),
      [
        ['go to desk 1', 'You arrive at desk 1. On the desk 1, you see a cd 2, and a desklamp 2.'],
        ['use desklamp 2', 'You turn on the desklamp 2.'],
        ['use desklamp 2', 'You turn on the desklamp 2.'],
        ['go to shelf 1', 'You arrive at shelf 1. On the shelf 1, you see a keychain 1.'],
        ['take keychain 1 from shelf 1', 'You pick up the keychain 1 from the shelf 1.'],
        ['go to sidetable 1', 'You arrive at sidetable 1. On the sidetable 1, you see a desklamp 1.'],
        ['go to desk 1', 'You arrive at desk 1. On the desk 1, you see a cd 2, and a desklamp 2.'],
      ],
    );
  });

  it('clean: wash it on the way', async () => {
    await expectTranscript(
      kitchen({ family: 'clean', object: 'mug', receptacle: 'cabinet' }, 'put a clean mug in cabinet.'),
      [
        [
          'go to countertop 1',
          'You arrive at countertop 1. On the countertop 1, you see a apple 2, a butterknife 1, and a mug 1.',
        ],
        ['take mug 1 from countertop 1', 'You pick up the mug 1 from the countertop 1.'],
        ['go to sinkbasin 1', 'You arrive at sinkbasin 1. On the sinkbasin 1, you see a spoon 1.'],
        ['clean mug 1 with sinkbasin 1', 'You clean the mug 1 using the sinkbasin 1.'],
        ['go to cabinet 2', 'You arrive at cabinet 2. The cabinet 2 is closed.'],
        ['open cabinet 2', 'You open the cabinet 2. The cabinet 2 is open. In it, you see nothing.'],
        ['move mug 1 to cabinet 2', 'You move the mug 1 to the cabinet 2.'],
      ],
    );
  });

  it('heat: the microwave need not be opened', async () => {
    await expectTranscript(
      kitchen(
        { family: 'heat', object: 'potato', receptacle: 'countertop' },
        'heat some potato and put it in countertop.',
      ),
      [
        ['go to garbagecan 1', 'You arrive at garbagecan 1. On the garbagecan 1, you see a potato 1.'],
        ['take potato 1 from garbagecan 1', 'You pick up the potato 1 from the garbagecan 1.'],
        ['go to microwave 1', 'You arrive at microwave 1. The microwave 1 is closed.'],
        ['heat potato 1 with microwave 1', 'You heat the potato 1 using the microwave 1.'],
        [
          'go to countertop 1',
          'You arrive at countertop 1. On the countertop 1, you see a apple 2, a butterknife 1, and a mug 1.',
        ],
        ['move potato 1 to countertop 1', 'You move the potato 1 to the countertop 1.'],
      ],
    );
  });

  it('cool: heating undoes cooling, so it must be cooled again', async () => {
    await expectTranscript(
      kitchen(
        { family: 'cool', object: 'egg', receptacle: 'sinkbasin' },
        'cool some egg and put it in sinkbasin.',
      ),
      [
        ['go to fridge 1', 'You arrive at fridge 1. The fridge 1 is closed.'],
        [
          'open fridge 1',
          'You open the fridge 1. The fridge 1 is open. In it, you see a apple 1, and a egg 1.',
        ],
        ['take egg 1 from fridge 1', 'You pick up the egg 1 from the fridge 1.'],
        ['close fridge 1', 'You close the fridge 1.'],
        ['cool egg 1 with fridge 1', 'You cool the egg 1 using the fridge 1.'],
        ['examine egg 1', 'This is a cold egg 1.'],
        ['go to microwave 1', 'You arrive at microwave 1. The microwave 1 is closed.'],
        ['heat egg 1 with microwave 1', 'You heat the egg 1 using the microwave 1.'],
        ['examine egg 1', 'This is a hot egg 1.'],
        ['go to sinkbasin 1', 'You arrive at sinkbasin 1. On the sinkbasin 1, you see a spoon 1.'],
        ['move egg 1 to sinkbasin 1', 'You move the egg 1 to the sinkbasin 1.'],
        ['take egg 1 from sinkbasin 1', 'You pick up the egg 1 from the sinkbasin 1.'],
        ['go to fridge 1', 'You arrive at fridge 1. The fridge 1 is closed.'],
        ['cool egg 1 with fridge 1', 'You cool the egg 1 using the fridge 1.'],
        ['go to sinkbasin 1', 'You arrive at sinkbasin 1. On the sinkbasin 1, you see a spoon 1.'],
        ['move egg 1 to sinkbasin 1', 'You move the egg 1 to the sinkbasin 1.'],
      ],
    );
  });

  it('pick2: both in the same receptacle', async () => {
    await expectTranscript(
      bedroom({ family: 'pick2', object: 'keychain', receptacle: 'drawer' }, 'put two keychain in drawer.'),
      [
        ['go to shelf 1', 'You arrive at shelf 1. On the shelf 1, you see a keychain 1.'],
        ['take keychain 1 from shelf 1', 'You pick up the keychain 1 from the shelf 1.'],
        ['go to drawer 2', 'You arrive at drawer 2. The drawer 2 is closed.'],
        ['open drawer 2', 'You open the drawer 2. The drawer 2 is open. In it, you see a cd 1.'],
        ['move keychain 1 to drawer 2', 'You move the keychain 1 to the drawer 2.'],
        ['go to drawer 1', 'You arrive at drawer 1. The drawer 1 is closed.'],
        ['open drawer 1', 'You open the drawer 1. The drawer 1 is open. In it, you see a keychain 3.'],
        ['take keychain 3 from drawer 1', 'You pick up the keychain 3 from the drawer 1.'],
        [
          'go to drawer 2',
          'You arrive at drawer 2. The drawer 2 is open. In it, you see a cd 1, and a keychain 1.',
        ],
        ['move keychain 3 to drawer 2', 'You move the keychain 3 to the drawer 2.'],
      ],
    );
  });
});

describe('the classic dialect', () => {
  it('puts in/on, numbers the places and has no help', async () => {
    const task = kitchen(
      { family: 'pick', object: 'spoon', receptacle: 'countertop' },
      'put a spoon in countertop.',
    );
    await expectTranscript(
      task,
      [
        ['help', 'Nothing happens.'],
        ['go to sinkbasin 1', 'You arrive at loc 7. On the sinkbasin 1, you see a spoon 1.'],
        ['take spoon 1 from sinkbasin 1', 'You pick up the spoon 1 from the sinkbasin 1.'],
        [
          'go to countertop 1',
          'You arrive at loc 3. On the countertop 1, you see a apple 2, a butterknife 1, and a mug 1.',
        ],
        ['move spoon 1 to countertop 1', 'Nothing happens.'],
        ['put spoon 1 in/on countertop 1', 'You put the spoon 1 in/on the countertop 1.'],
      ],
      'classic',
    );
  });

  it('sorts put by its own name', async () => {
    const env = envOf(
      kitchen({ family: 'pick', object: 'mug', receptacle: 'fridge' }, 'put a mug in fridge.'),
      'classic',
    );
    const { last } = await play(env, ['go to countertop 1', 'take butterknife 1 from countertop 1']);
    expect(last).toHaveProperty('admissible', [
      'examine butterknife 1',
      'examine countertop 1',
      'go to cabinet 1',
      'go to cabinet 2',
      'go to fridge 1',
      'go to garbagecan 1',
      'go to microwave 1',
      'go to sinkbasin 1',
      'inventory',
      'look',
      'put butterknife 1 in/on countertop 1',
      'slice apple 2 with butterknife 1',
    ]);
  });
});
