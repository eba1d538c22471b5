import { beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import { canonicalJson, type Json } from '../../../envs/core/json.ts';
import { readPanel, type TaskRef } from '../../../envs/core/task.ts';
import { floorPlans } from '../../../envs/household/floor-plans/floor-plans.ts';
import { families, type Family } from '../../../envs/household/goal.ts';
import { hardPanels } from '../../../envs/household/hard-panels.ts';
import { heldOutPairings, heldOutPlans } from '../../../envs/household/held-out.ts';
import { reservedObjects } from '../../../envs/household/object-types.ts';
import { HouseholdPanels } from '../../../envs/household/panels.ts';
import { pairingOf } from '../../../envs/household/possible-goals.ts';
import { nameOf, type HouseholdTask } from '../../../envs/household/task.ts';
import { smallPanels } from '../../../envs/household/small-panels.ts';
import { worldPanels } from '../../../envs/household/world-panels.ts';
import { openHard, openHousehold, openSmall } from './players.ts';
import { context } from './small-rooms.ts';

const ordinary = new HouseholdPanels('household-v1', worldPanels);
const hard = new HouseholdPanels('household-hard-v1', hardPanels);
const small = new HouseholdPanels('household-small-v1', smallPanels);

type PanelTasks = Readonly<Record<string, readonly HouseholdTask[]>>;

function allTasks(panels: HouseholdPanels): PanelTasks {
  return Object.fromEntries(
    panels.panels.map(({ name, size }) => [
      name,
      Array.from({ length: size }, (_, index) => panels.task({ panel: name, index })),
    ]),
  );
}

let tasks: PanelTasks;
let hardTasks: PanelTasks;
let smallTasks: PanelTasks;
beforeAll(() => {
  tasks = allTasks(ordinary);
  hardTasks = allTasks(hard);
  smallTasks = allTasks(small);
});

describe('the sizes of household panels', () => {
  it('match ALFWorld, as do the shares of the families', () => {
    expect(ordinary.panels.map(({ name, size, purpose }) => [name, size, purpose])).toEqual([
      ['train', 3553, 'train'],
      ['dev', 256, 'dev'],
      ['seen', 140, 'held-out'],
      ['unseen', 134, 'held-out'],
      ['unseen-1000', 1000, 'held-out'],
    ]);
    const counts = (panel: string): readonly number[] =>
      families.map((family) => (tasks[panel] ?? []).filter(({ goal }) => goal.family === family).length);
    expect(families).toEqual(['pick', 'look', 'clean', 'heat', 'cool', 'pick2'] satisfies Family[]);
    expect(counts('train')).toEqual([790, 308, 650, 459, 533, 813]);
    expect(counts('seen')).toEqual([35, 13, 27, 16, 25, 24]);
    expect(counts('unseen')).toEqual([24, 18, 31, 23, 21, 17]);
  });

  it('rooms have 10 to 30 receptacles and 20 to 45 objects', () => {
    const fits = (count: number, least: number, most: number): boolean => count >= least && count <= most;
    const odd = Object.values(tasks)
      .flat()
      .filter((task) => !fits(task.places.length, 10, 30) || !fits(task.objects.length, 20, 45));
    expect(odd).toEqual([]);
  });

  it('flats have 30 to 40 receptacles', () => {
    expect(
      Object.values(hardTasks)
        .flat()
        .filter((task) => task.places.length < 30 || task.places.length > 40),
    ).toEqual([]);
  });

  it('small flats have 5 or 6 different receptacles and 4 to 8 objects', () => {
    const of = Object.values(smallTasks).flat();
    expect(new Set(of.map(({ places }) => places.length))).toEqual(new Set([5, 6]));
    expect(
      of.filter(
        ({ places, objects }) =>
          places.some(({ number }) => number > 1) || objects.length < 4 || objects.length > 8,
      ),
    ).toEqual([]);
  });

  it('small flats have five of the six families', () => {
    expect(small.panels.map(({ name, size, purpose }) => [name, size, purpose])).toEqual([
      ['train', 3000, 'train'],
      ['dev', 128, 'dev'],
      ['unseen', 500, 'held-out'],
    ]);
    for (const of of Object.values(smallTasks))
      expect(new Set(of.map(({ goal }) => goal.family))).toEqual(
        new Set<Family>(['pick', 'look', 'clean', 'heat', 'cool']),
      );
  });
});

describe('the fingerprints of household panels', () => {
  /** They change with any task of a panel, and then the env needs a new version. */
  const pinned: Readonly<Record<string, string>> = {
    'household-v1/train': 'sha256:2d97d9917298339677c5f6a107278c182f8bc83b6724848f9d9e0d376fe2992e',
    'household-v1/dev': 'sha256:e203a9215383f8d7622a40e349eb9258eb8af5c6bb0a4af12944de9d0d83bb32',
    'household-v1/seen': 'sha256:7186ded39a6ada63502e7819d2c1840f8cf2997858c887cbc0b8c7f3c9c05dc2',
    'household-v1/unseen': 'sha256:3b23c8a883106dd54e5ad196977fd47225e62e8301937dc01b2cb5928a46beec',
    'household-v1/unseen-1000': 'sha256:3323db2f66cc3244b52debd2d2f5469e10bfd357233cd4427c72546d32b27ec7',
    'household-hard-v1/train': 'sha256:2e6fb3a0ada367b0cfae59ddbe7371ea2b252d32481368c33e38c6796a49305b',
    'household-hard-v1/dev': 'sha256:7becb982bcb8cecfd871ab6fbdc49009ceaf5f20ab426da081cf388015895cb5',
    'household-hard-v1/unseen': 'sha256:c4546bfbd6083c0d5b2caff643c3aac740073c328fd440d9c6f6c730ba769e62',
    'household-small-v1/train': 'sha256:0491d2d45bb4c0b614b682b661127fc0cb0362e37d1af001dc0e6b611a753a1d',
    'household-small-v1/dev': 'sha256:0222bb91a6001ec630ab2e07280b290515c04cce3e1b19b04fde6d773964a8fe',
    'household-small-v1/unseen': 'sha256:4af4f25bb2ac1b4cd7cc14e1cafb0a47214582d325817be8ac084cd921dfb358',
  };

  it('match the recorded ones', async () => {
    const found: Record<string, string> = {};
    const hosts = [
      ['household-v1', 50, await openHousehold()],
      ['household-hard-v1', 50, await openHard()],
      ['household-small-v1', 20, await openSmall()],
    ] as const;
    for (const [env, maxSteps, host] of hosts) {
      const config = { dialect: 'current', maxSteps };
      for (const { name } of host.panels)
        found[`${env}/${name}`] = readPanel(host, { env, config, name }).fingerprint;
    }
    expect(found).toEqual(pinned);
  });

  it('tasks do not depend on the order in which they are requested', () => {
    const again = new HouseholdPanels('household-v1', worldPanels);
    for (const index of [255, 0, 100, 3])
      expect(again.describeTask({ panel: 'dev', index })).toEqual(
        ordinary.describeTask({ panel: 'dev', index }),
      );
  });
});

/** Aspects in which two tasks may coincide. */
const aspects: Readonly<Record<string, (task: HouseholdTask) => Json>> = {
  room: (task) => roomOf(task),
  layout: (task) => task.places.map(nameOf),
  pairing: (task) => pairingOf(task.goal),
  object: (task) => task.goal.object,
};

function roomOf(task: HouseholdTask): Json {
  return {
    places: task.places.map(nameOf),
    objects: Object.fromEntries(task.objects.map((object) => [nameOf(object), nameOf(object.place)])),
  };
}

const namesOf = (of: readonly HouseholdTask[], aspect: string): ReadonlySet<string> =>
  new Set(of.map((task) => canonicalJson((aspects[aspect] as (task: HouseholdTask) => Json)(task))));

function shared(of: readonly HouseholdTask[], others: readonly HouseholdTask[], aspect: string): number {
  const known = namesOf(others, aspect);
  return [...namesOf(of, aspect)].filter((name) => known.has(name)).length;
}

/** How many rooms, layouts, … of each panel also occur in train. */
function printOverlap(panels: PanelTasks): void {
  const train = panels['train'] ?? [];
  const row = (of: readonly HouseholdTask[]): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.keys(aspects).map((aspect) => [
        aspect,
        `${shared(of, train, aspect)} of ${namesOf(of, aspect).size}`,
      ]),
    );
  console.table(
    Object.fromEntries(
      Object.entries(panels)
        .filter(([name]) => name !== 'train')
        .map(([name, of]) => [name, row(of)]),
    ),
  );
}

describe('the overlap of household panels', () => {
  it('contains no room twice', () => {
    printOverlap(tasks);
    const everything = Object.values(tasks).flat();
    expect(namesOf(everything, 'room').size).toBe(everything.length);
    expect(namesOf(Object.values(hardTasks).flat(), 'room').size).toBe(2378);
  });

  it('unseen panels share no layout and no pairing with the others', () => {
    const familiar = ['train', 'dev', 'seen'].flatMap((panel) => tasks[panel] ?? []);
    for (const panel of ['unseen', 'unseen-1000']) {
      expect(shared(tasks[panel] ?? [], familiar, 'layout'), panel).toBe(0);
      expect(shared(tasks[panel] ?? [], familiar, 'pairing'), panel).toBe(0);
    }
  });

  it('held-out plans and pairings occur exactly in the unseen panels', () => {
    const isListed = ({ goal }: HouseholdTask): boolean =>
      heldOutPairings[goal.object]?.includes(goal.family === 'look' ? goal.lamp : goal.receptacle) ?? false;
    for (const [panel, of] of Object.entries(tasks)) {
      const unseen = panel.startsWith('unseen');
      expect(
        of.filter((task) => heldOutPlans.includes(task.plan) !== unseen || isListed(task) !== unseen),
        panel,
      ).toEqual([]);
    }
  });

  it('seen shares every layout with train', () => {
    expect(shared(tasks['seen'] ?? [], tasks['train'] ?? [], 'layout')).toBe(
      namesOf(tasks['seen'] ?? [], 'layout').size,
    );
  });
});

describe('the hard household world', () => {
  it('shares no room, layout, pairing or goal object of unseen with training panels', () => {
    const trained = [tasks['train'], tasks['dev'], hardTasks['train'], hardTasks['dev']].flatMap(
      (of) => of ?? [],
    );
    printOverlap(hardTasks);
    for (const aspect of ['room', 'layout', 'pairing', 'object'])
      expect(shared(hardTasks['unseen'] ?? [], trained, aspect), aspect).toBe(0);
  });

  it('keeps reserved words out of every other panel, even as bystanders', () => {
    const others = [
      ...Object.values(tasks).flat(),
      ...(hardTasks['train'] ?? []),
      ...(hardTasks['dev'] ?? []),
    ];
    expect(others.filter((task) => task.objects.some(({ type }) => type in reservedObjects))).toEqual([]);
    expect((hardTasks['unseen'] ?? []).every(({ goal }) => goal.object in reservedObjects)).toBe(true);
  });

  it('never trains on a pairing that household-v1 holds out', () => {
    const heldOut = new Set(
      [...(tasks['unseen'] ?? []), ...(tasks['unseen-1000'] ?? [])].map(({ goal }) => pairingOf(goal)),
    );
    expect((hardTasks['train'] ?? []).filter(({ goal }) => heldOut.has(pairingOf(goal)))).toEqual([]);
  });
});

describe('the small household world', () => {
  it('shares no room, layout or pairing of unseen with training panels, and repeats no task', () => {
    const trained = [
      tasks['train'],
      tasks['dev'],
      hardTasks['train'],
      hardTasks['dev'],
      smallTasks['train'],
      smallTasks['dev'],
    ].flatMap((of) => of ?? []);
    printOverlap(smallTasks);
    for (const aspect of ['room', 'layout', 'pairing'])
      expect(shared(smallTasks['unseen'] ?? [], trained, aspect), aspect).toBe(0);
    expect(shared(smallTasks['dev'] ?? [], smallTasks['train'] ?? [], 'room')).toBe(0);
    const everything = Object.keys(smallTasks).flatMap((panel) =>
      (smallTasks[panel] ?? []).map((_, index) =>
        canonicalJson(small.describeTask({ panel, index }).content),
      ),
    );
    expect(new Set(everything).size).toBe(everything.length);
  });

  it('uses in unseen only goal nouns that train knows', () => {
    const nouns = (panel: string): ReadonlySet<string> =>
      new Set((smallTasks[panel] ?? []).flatMap(({ goal }) => pairingOf(goal).split(' > ')));
    const unknown = [...nouns('unseen')].filter((noun) => !nouns('train').has(noun));
    expect(unknown).toEqual([]);
  });
});

describe('the floor plans', () => {
  it('all differ', () => {
    const plans = Object.values(floorPlans).flatMap((room) =>
      Object.values(room).map((plan) => canonicalJson(plan)),
    );
    expect(plans).toHaveLength(120);
    expect(new Set(plans).size).toBe(120);
  });
});

describe('household tasks that do not exist', () => {
  it.each<TaskRef>([
    { panel: 'nowhere', index: 0 },
    { panel: 'dev', index: 256 },
    { panel: 'dev', index: -1 },
    { panel: 'dev', index: 0.5 },
  ])('raise a UsageError: %o', async (task) => {
    const host = await openHousehold();
    expect(() => host.describeTask(task)).toThrow(UsageError);
    await expect((await host.create()).reset(task, context)).rejects.toThrow(UsageError);
  });
});
