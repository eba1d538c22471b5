import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import { listAdmissible } from '../../../envs/household/admissible.ts';
import { encode, verbs, type Verb } from '../../../envs/household/commands.ts';
import { dialects, type DialectName } from '../../../envs/household/dialect.ts';
import { perform } from '../../../envs/household/dynamics.ts';
import { Episode } from '../../../envs/household/episode.ts';
import { HouseholdPanels } from '../../../envs/household/panels.ts';
import { Scene } from '../../../envs/household/scene.ts';
import { restorePoint, savePoint } from '../../../envs/household/snapshot.ts';
import { worldPanels } from '../../../envs/household/world-panels.ts';
import { bedroom, kitchen, sceneOf } from './small-rooms.ts';

const panels = new HouseholdPanels('household-v1', worldPanels);
const sorted = (commands: Iterable<string>): readonly string[] =>
  [...commands].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** Every command that the nouns of the scene could make. */
function everyCommand(scene: Scene): readonly number[] {
  return (Object.values(verbs) as Verb[]).flatMap((verb) => {
    const others = verb === verbs.slice ? scene.things : scene.places;
    return scene.things.flatMap((_, thing) => others.map((__, other) => encode(verb, thing, other)));
  });
}

/** Tries every possible command on a copy of the episode, and compares those with an effect with the list. */
function expectExactlyListed(episode: Episode): void {
  const { scene } = episode;
  const listed = listAdmissible(episode);
  expect(listed).toEqual(sorted(new Set(listed)));
  const point = savePoint(episode, '');
  const done = new Set<string>();
  let trial = restorePoint(scene, point);
  for (const code of everyCommand(scene)) {
    if (perform(trial, code) === undefined) continue;
    done.add(scene.commands.text(code));
    trial = restorePoint(scene, point);
  }
  expect(sorted(done)).toEqual(listed);
}

function episodeAfter(scene: Scene, commands: readonly string[]): Episode {
  const episode = new Episode(scene);
  for (const command of commands) {
    expect(listAdmissible(episode)).toContain(command);
    perform(episode, scene.commands.code(command) as number);
  }
  return episode;
}

const kitchenTask = kitchen(
  { family: 'pick', object: 'bowl', receptacle: 'fridge' },
  'put a bowl in fridge.',
);
const bedroomTask = bedroom({ family: 'pick', object: 'cd', receptacle: 'safe' }, 'put a cd in safe.');

describe('admissible commands and commands that do something', () => {
  it.each<[string, readonly string[]]>([
    ['before going anywhere', []],
    ['at a surface, empty-handed', ['go to countertop 1']],
    ['at a closed door', ['go to fridge 1']],
    ['at an open door', ['go to fridge 1', 'open fridge 1']],
    ['with a knife, among things to slice', ['go to countertop 1', 'take butterknife 1 from countertop 1']],
    [
      'with a knife, at a closed door with things to slice behind',
      ['go to countertop 1', 'take butterknife 1 from countertop 1', 'go to fridge 1'],
    ],
    [
      'with a knife, at the open door',
      ['go to countertop 1', 'take butterknife 1 from countertop 1', 'go to fridge 1', 'open fridge 1'],
    ],
    ['with a mug, at the sink', ['go to countertop 1', 'take mug 1 from countertop 1', 'go to sinkbasin 1']],
    [
      'with a mug, at the closed microwave',
      ['go to countertop 1', 'take mug 1 from countertop 1', 'go to microwave 1'],
    ],
    [
      'with a mug, at the closed fridge',
      ['go to countertop 1', 'take mug 1 from countertop 1', 'go to fridge 1'],
    ],
    [
      'with an object that does not fit',
      ['go to countertop 1', 'take butterknife 1 from countertop 1', 'go to garbagecan 1'],
    ],
  ])('agree in a kitchen, %s', (_when, commands) => {
    for (const dialect of ['current', 'classic'] satisfies DialectName[])
      expectExactlyListed(episodeAfter(sceneOf(kitchenTask, dialect), commands));
  });

  it.each<[string, readonly string[]]>([
    ['at a lamp, empty-handed', ['go to desk 1']],
    ['at a lamp, carrying', ['go to desk 1', 'take cd 2 from desk 1']],
    ['at a lit lamp', ['go to desk 1', 'use desklamp 2']],
  ])('agree in a bedroom, %s', (_when, commands) => {
    expectExactlyListed(episodeAfter(sceneOf(bedroomTask), commands));
  });

  it.each(['current', 'classic'] as const)('agree anywhere in an episode (%s)', (dialect) => {
    const deeds = /^(take|open|move|put|slice|heat|cool|clean)/;
    fc.assert(
      fc.property(fc.nat(255), fc.nat(1000), (index, seed) => {
        const ref = { panel: 'dev', index };
        const episode = new Episode(new Scene(ref, panels.task(ref), dialects[dialect]));
        const rng = createRng(seed);
        for (let step = 0; step < 25; step += 1) {
          const listed = listAdmissible(episode);
          if (step % 8 === 0) expectExactlyListed(episode);
          const preferred = listed.filter((command) => deeds.test(command));
          const command = rng.pick(preferred.length > 0 && rng.int(3) > 0 ? preferred : listed);
          perform(episode, episode.scene.commands.code(command) as number);
        }
      }),
      { seed: 20_260_101, numRuns: 4 },
    );
  });
});
