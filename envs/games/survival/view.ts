import type { Features } from '../../core/features.ts';
import { daylightAt } from './balance.ts';
import { Draft } from './draft.ts';
import { canMake, ripeAfter } from './advance.ts';
import {
  collect,
  directionNames,
  goods,
  make,
  materials,
  most,
  needs,
  offsets,
  place,
  viewColumns,
  viewRows,
  type Item,
} from './rules.ts';
import type { SurvivalWorld, Thing } from './world.ts';

/** The marks of things on the map. A plant becomes P when it can be eaten. */
const marks = { cow: 'C', zombie: 'Z', skeleton: 'S', arrow: 'a', plant: 'p' } as const;
const markOf = ({ kind, count }: Thing): string =>
  kind === 'plant' && count > ripeAfter ? 'P' : marks[kind];

/** What the marks of the map mean, for the instruction. */
export const legend = [
  ...Object.entries(materials).map(([mark, name]) => `${mark} ${name}`),
  'C cow',
  'Z zombie',
  'S skeleton',
  'a arrow',
  'p young plant',
  'P ripe plant',
  '@ you',
  '! the end of the world',
].join(', ');

const [left, above] = [(viewColumns - 1) / 2, (viewRows - 1) / 2];

/** The cells around the player. */
function mapOf({ rows, player, things }: SurvivalWorld): string[] {
  const cells = Array.from({ length: viewRows }, (_, row) =>
    Array.from(
      { length: viewColumns },
      (_unused, column) => rows[player.y - above + row]?.[player.x - left + column] ?? '!',
    ),
  );
  for (const thing of things) {
    const [row, column] = [thing.y - player.y + above, thing.x - player.x + left];
    if (row >= 0 && row < viewRows && column >= 0 && column < viewColumns)
      cells[row]?.splice(column, 1, markOf(thing));
  }
  cells[above]?.splice(left, 1, '@');
  return cells.map((row) => row.join(''));
}

/** What the player sees: the map around it, its needs and goods, and what it has achieved. */
export function describe(world: SurvivalWorld): string {
  const { player, stock, unlocked, steps } = world;
  const owned = goods.filter((item) => (stock[item] ?? 0) > 0).map((item) => `${stock[item]} ${item}`);
  const light = Math.round(100 * daylightAt(steps));
  return [
    ...mapOf(world),
    `You ${player.sleeping ? 'sleep' : `face ${directionNames[player.facing]}`}. Daylight is ${light} %.`,
    needs.map((need) => `${need} ${stock[need]}`).join(', '),
    `Inventory: ${owned.length === 0 ? 'nothing' : owned.join(', ')}`,
    `Achieved: ${unlocked.length === 0 ? 'nothing' : unlocked.join(', ')}`,
  ].join('\n');
}

/** What an observation shows. */
export interface Seen {
  readonly map: readonly string[];
  /** The number of a direction. */
  readonly facing: number;
  readonly sleeping: boolean;
  readonly light: number;
  readonly stock: Readonly<Partial<Record<Item, number>>>;
  readonly unlocked: readonly string[];
}

export function readView(observation: string): Seen {
  const lines = observation.split('\n');
  const [state = '', health = '', goodsLine = '', achieved = ''] = lines.slice(viewRows);
  const stock: Partial<Record<Item, number>> = {};
  for (const need of needs) stock[need] = Number(new RegExp(`${need} (\\d+)`).exec(health)?.[1] ?? 0);
  for (const [, count = '', item = ''] of goodsLine.matchAll(/(\d+) ([a-z ]+)/g))
    stock[item as Item] = Number(count);
  return {
    map: lines.slice(0, viewRows),
    facing: (directionNames as readonly string[]).indexOf(/face (\w+)/.exec(state)?.[1] ?? 'down'),
    sleeping: state.startsWith('You sleep'),
    light: Number(/Daylight is (\d+)/.exec(state)?.[1] ?? 100),
    stock,
    unlocked: achieved.slice('Achieved: '.length).split(', '),
  };
}

/** The map and the numbers for a choice policy. */
export function features(observation: string): Features {
  const { map, facing, light, stock } = readView(observation);
  const [across, down] = offsets[facing] ?? [0, 0];
  return {
    grid: { rows: map, focus: [above, left], walls: ['#', 'T', '~', '^', 'c', 'i', 'd', 't', 'f', '!'] },
    fields: {
      ahead: map[above + down]?.[left + across] ?? '!',
      light,
      ...Object.fromEntries(needs.map((need) => [need, stock[need] ?? 0])),
      ...Object.fromEntries(goods.map((item) => [item, stock[item] ?? 0])),
    },
  };
}

/** The actions that do something: Crafter's seventeen, without those that would do nothing here. */
export function actionsOf(world: SurvivalWorld): string[] {
  const { player } = world;
  if (player.sleeping && (world.stock.energy ?? 0) < most) return ['wait'];
  const draft = new Draft(world);
  const [across, down] = offsets[player.facing] ?? [0, 0];
  const [x, y] = [player.x + across, player.y + down];
  const thing = draft.thingAt(x, y);
  const ahead = draft.material(x, y);
  const actions = ['wait', ...directionNames.map((name) => `move ${name}`)];
  const rule = collect[ahead];
  if (
    thing === undefined
      ? rule !== undefined && (rule.takes === undefined || draft.has(rule.takes) > 0)
      : thing.kind !== 'arrow'
  )
    actions.push('do');
  if (draft.stock.energy < most) actions.push('sleep');
  for (const [name, { uses, where }] of Object.entries(place))
    if (thing === undefined && ahead !== '' && where.includes(ahead) && draft.owns(uses))
      actions.push(`place ${name}`);
  for (const name of Object.keys(make) as (keyof typeof make)[])
    if (canMake(draft, name)) actions.push(`make ${name}`);
  return actions;
}
