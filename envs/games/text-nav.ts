import { z } from 'zod';
import type { Searcher } from '../core/env.ts';
import type { Rng } from '../core/rng.ts';
import type { Json } from '../core/json.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import type { TextStep } from '../kit/text-world.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { gameCatalogue, gameRecipes } from './recipes.ts';
import { shortestPath } from './shortest-path.ts';

type Way = 'north' | 'south' | 'east' | 'west';
const ways = ['north', 'south', 'east', 'west'] as const;

/** The doors of LMRL-Gym's house, by the number of a room: bedroom, living room, dining room, kitchen, garden, office, bathroom, backyard. */
const doors: readonly Readonly<Partial<Record<Way, number>>>[] = [
  { west: 1, south: 6 },
  { east: 0, west: 2, south: 5 },
  { east: 1, west: 3 },
  { east: 2, north: 4, west: 7 },
  { south: 3 },
  { north: 1, east: 6 },
  { west: 5, north: 0 },
  { east: 3 },
];

interface House {
  /** The names of the rooms, by their number. */
  readonly rooms: readonly string[];
  /** The furniture of each room: `table`, `chest`, `fridge` or none. */
  readonly furniture: readonly string[];
}
interface Visit {
  readonly house: House;
  readonly at: number;
  readonly open: { readonly chest: boolean; readonly fridge: boolean };
  /** Where each thing is: `carried`, `floor N`, or `in N` for the furniture of room N. */
  readonly things: Readonly<Record<string, string>>;
  /** Rooms that were entered, and whether the inside of the chest and of the fridge was seen. */
  readonly seen: { readonly rooms: readonly number[]; readonly chest: boolean; readonly fridge: boolean };
}

const food = ['stale food', 'fresh food', 'fruit'];
const config = z.strictObject({
  view: z
    .enum(['full', 'partial'])
    .default('full')
    .describe('whether the player reads the name of the room and the inventory'),
});
type Config = z.output<typeof config>;

/** LMRL-Gym's game. Its player starts in one of the eight rooms. */
const original = (at: number): Visit => ({
  house: {
    rooms: ['bedroom', 'living room', 'dining room', 'kitchen', 'garden', 'office', 'bathroom', 'backyard'],
    furniture: ['table', 'table', 'table', 'fridge', '', 'chest', '', ''],
  },
  at,
  open: { chest: false, fridge: false },
  things: {
    'stale food': 'in 1',
    'fresh food': 'in 1',
    bowl: 'in 0',
    'coffee cup': 'in 2',
    plate: 'in 2',
    utensils: 'in 5',
    fruit: 'in 3',
  },
  seen: { rooms: [at], chest: false, fridge: false },
});

/** A house with the same doors, and rooms, furniture and things elsewhere. */
function draw(rng: Rng): Visit {
  const at = rng.int(doors.length);
  const start = original(at);
  const furniture = rng.shuffle(start.house.furniture);
  const places = furniture.flatMap((name, room) => (name === '' ? [] : [`in ${room}`]));
  const things = Object.fromEntries(Object.keys(start.things).map((thing) => [thing, rng.pick(places)]));
  const fridge = `in ${furniture.indexOf('fridge')}`;
  while (things['stale food'] === fridge) things['stale food'] = rng.pick(places);
  return { ...start, house: { rooms: rng.shuffle(start.house.rooms), furniture }, things };
}

const isOpenable = (name: string): name is 'chest' | 'fridge' => name === 'chest' || name === 'fridge';
const isReachable = ({ house, open }: Visit, room: number): boolean => {
  const name = house.furniture[room] ?? '';
  return isOpenable(name) ? open[name] : name !== '';
};
const thingsAt = ({ things }: Pick<Visit, 'things'>, place: string): string[] =>
  Object.keys(things)
    .filter((thing) => things[thing] === place)
    .toSorted();
const listed = (things: readonly string[]): string => things.map((thing) => `a ${thing}`).join(', ');

function describe(visit: Visit, { view }: Config): string {
  const { house, at } = visit;
  const name = house.furniture[at] ?? '';
  const lines = view === 'full' ? [`You are in the ${house.rooms[at]}.`] : [];
  if (name !== '') {
    const isOpen = isReachable(visit, at);
    const inside = isOpen ? thingsAt(visit, `in ${at}`) : [];
    const word = isOpenable(name) ? 'in' : 'on';
    const what = isOpen ? ` There is ${inside.length === 0 ? 'nothing' : listed(inside)} ${word} it.` : '';
    const kind = isOpenable(name) ? (isOpen ? 'an open ' : 'a closed ') : 'a ';
    lines.push(`You see ${kind}${name}.${what}`);
  }
  const floor = thingsAt(visit, `floor ${at}`);
  if (floor.length > 0) lines.push(`On the floor there is ${listed(floor)}.`);
  lines.push(`Exits lead ${ways.filter((way) => doors[at]?.[way] !== undefined).join(', ')}.`);
  if (view === 'full') {
    const carried = thingsAt(visit, 'carried');
    lines.push(`You carry ${carried.length === 0 ? 'nothing' : listed(carried)}.`);
  }
  return lines.join('\n');
}

function actionsOf(visit: Visit): string[] {
  const { house, at, open } = visit;
  const name = house.furniture[at] ?? '';
  const actions: string[] = ways.filter((way) => doors[at]?.[way] !== undefined).map((way) => `go ${way}`);
  if (isOpenable(name)) actions.push(`${open[name] ? 'close' : 'open'} ${name}`);
  if (isReachable(visit, at))
    for (const thing of thingsAt(visit, `in ${at}`)) actions.push(`take ${thing} from ${name}`);
  for (const thing of thingsAt(visit, `floor ${at}`)) actions.push(`take ${thing}`);
  for (const thing of thingsAt(visit, 'carried')) {
    actions.push(`drop ${thing}`);
    if (isReachable(visit, at))
      actions.push(isOpenable(name) ? `insert ${thing} into ${name}` : `put ${thing} on ${name}`);
    if (food.includes(thing)) actions.push(`eat ${thing}`);
  }
  return actions;
}

function entered(visit: Visit, room: number): Visit {
  const { rooms } = visit.seen;
  const seen = rooms.includes(room) ? rooms : [...rooms, room].toSorted((one, other) => one - other);
  return { ...visit, at: room, seen: { ...visit.seen, rooms: seen } };
}

function played(visit: Visit, action: string): TextStep<Visit> {
  const [verb, ...rest] = action.split(' ');
  const words = rest.join(' ');
  if (verb === 'go') return { state: entered(visit, doors[visit.at]?.[words as Way] ?? visit.at) };
  if ((verb === 'open' || verb === 'close') && isOpenable(words)) {
    const state = {
      ...visit,
      open: { ...visit.open, [words]: verb === 'open' },
      seen: { ...visit.seen, [words]: true },
    };
    const isKept = words === 'fridge' && verb === 'close' && visit.things['stale food'] === `in ${visit.at}`;
    return isKept ? { state, outcome: 'solved', reward: { kept: 1 } } : { state };
  }
  const thing = words.split(/ (?:from|into|on) /)[0] ?? '';
  if (verb === 'eat') {
    const things = Object.fromEntries(Object.entries(visit.things).filter(([name]) => name !== thing));
    const state = { ...visit, things };
    return thing === 'stale food' ? { state, outcome: 'failed' } : { state };
  }
  const place = { take: 'carried', drop: `floor ${visit.at}` }[verb ?? ''] ?? `in ${visit.at}`;
  return { state: { ...visit, things: { ...visit.things, [thing]: place } } };
}

/** Whether the player has seen what is at a place. */
function isKnown({ house, seen }: Visit, place: string): boolean {
  if (place === 'carried') return true;
  const room = Number(place.split(' ')[1]);
  const name = house.furniture[room] ?? '';
  return seen.rooms.includes(room) && (!place.startsWith('in') || !isOpenable(name) || seen[name]);
}

/** The rooms, furniture and things that the player has seen. Doors within a task are fixed, so a room is known by its number. */
function information(visit: Visit): Json {
  const { at, open, seen, things } = visit;
  const known = Object.fromEntries(Object.entries(things).filter(([, place]) => isKnown(visit, place)));
  return {
    at,
    rooms: [...seen.rooms],
    chest: seen.chest && open.chest,
    fridge: seen.fridge && open.fridge,
    seen: [seen.chest, seen.fridge],
    known,
  };
}

/** Finds the food and the fridge by exploring, and remembers rooms by where the exits led. */
class HouseSearcher implements Searcher<string, string> {
  readonly #rooms = new Map<string, { readonly exits: readonly Way[]; readonly text: string }>();
  #at: readonly [number, number] = [0, 0];
  #carries = false;
  #inside = false;

  act({ observation, admissible = [] }: Parameters<Searcher<string, string>['act']>[0]): string {
    const exits = admissible
      .filter((action) => action.startsWith('go '))
      .map((action) => action.slice(3) as Way);
    this.#rooms.set(this.#at.join(), { exits, text: observation });
    const action = this.#choose(observation, admissible);
    if (action.startsWith('go ')) this.#at = beyond(this.#at, action.slice(3) as Way);
    if (action.startsWith('take stale food')) this.#carries = true;
    if (action.startsWith('insert stale food')) this.#inside = true;
    return action;
  }

  #choose(observation: string, admissible: readonly string[]): string {
    const first = (start: string): string | undefined =>
      admissible.find((action) => action.startsWith(start));
    if (this.#inside) return first('close fridge') ?? admissible[0] ?? '';
    const take = first('take stale food');
    if (take !== undefined && !this.#carries) return take;
    if (this.#carries && observation.includes('fridge'))
      return first('open fridge') ?? first('insert stale food into fridge') ?? '';
    if (!this.#carries && /closed (?:chest|fridge)/.test(observation)) return first('open ') ?? '';
    const wanted = [...this.#rooms].find(([, { text }]) => this.#carries && text.includes('fridge'))?.[0];
    const way = shortestPath<readonly [number, number], Way>(this.#at, {
      key: (place) => place.join(),
      next: (place) =>
        (this.#rooms.get(place.join())?.exits ?? []).map((exit) => [exit, beyond(place, exit)] as const),
      isGoal: (place) => (wanted === undefined ? !this.#rooms.has(place.join()) : place.join() === wanted),
    });
    return `go ${way?.[0] ?? admissible[0]?.slice(3) ?? 'north'}`;
  }
}

const beyond = ([row, column]: readonly [number, number], way: Way): readonly [number, number] => [
  row + (way === 'south' ? 1 : way === 'north' ? -1 : 0),
  column + (way === 'east' ? 1 : way === 'west' ? -1 : 0),
];

function planOf({ house, at, things }: Visit): readonly string[] {
  const walk = (from: number, to: number): readonly string[] =>
    (
      shortestPath<number, Way>(from, {
        key: (room) => room,
        next: (room) =>
          ways.flatMap((way): (readonly [Way, number])[] => {
            const next = doors[room]?.[way];
            return next === undefined ? [] : [[way, next]];
          }),
        isGoal: (room) => room === to,
      }) ?? []
    ).map((way) => `go ${way}`);
  const room = Number(things['stale food']?.split(' ')[1]);
  const name = house.furniture[room] ?? '';
  const fridge = house.furniture.indexOf('fridge');
  return [
    ...walk(at, room),
    ...(isOpenable(name) ? [`open ${name}`] : []),
    `take stale food from ${name}`,
    ...walk(room, fridge),
    'open fridge',
    'insert stale food into fridge',
    'close fridge',
  ];
}

/**
 * Text-Nav of LMRL-Gym (2023), fully and partly observed. Its house, things, commands and reward are the original's, which TextWorld
 * plays: the stale food in the closed fridge pays 1, and eating it fails. The texts are our own. The panel `original` has its eight
 * starts. The other houses have the same doors, and rooms, furniture and things elsewhere. Episodes end after 40 steps.
 */
export const textNavEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-text-nav-v1',
    config,
    instruction: 'Find the stale food in the house, put it into the fridge, and close the fridge.',
    draw,
    originals: { size: doors.length, start: original },
  }),
  summary: "LMRL-Gym's house: bring the stale food into the fridge, with the room shown or hidden",
  turnLimit: 40,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['text', 'navigation']),
  unchecked: { secrets: 'the places of things are hidden, and their names are in every house' },
  observe: describe,
  actions: actionsOf,
  step: played,
  information,
  features: (observation) => ({
    fields: {
      room: /You are in the (.*)\./.exec(observation)?.[1] ?? '',
      furniture: /You see an? (.*?)\./.exec(observation)?.[1] ?? '',
      carries: /You carry .*stale food/.test(observation),
      here: /There is .*stale food/.test(observation),
    },
  }),
  target: (action) => ({ verb: action.split(' ')[0] ?? '', value: action.slice(action.indexOf(' ') + 1) }),
  experts: { planner: planOf, searcher: () => new HouseSearcher() },
  audit: {
    swapHidden: (visit, rng) => {
      const hidden = Object.keys(visit.things).filter((thing) => !isKnown(visit, visit.things[thing] ?? ''));
      if (hidden.length < 2) return undefined;
      const places = rng.shuffle(hidden.map((thing) => visit.things[thing] ?? ''));
      const things = {
        ...visit.things,
        ...Object.fromEntries(hidden.map((thing, at) => [thing, places[at] ?? ''])),
      };
      return { state: { ...visit, things }, reveals: (action) => /^(?:go|open) /.test(action) };
    },
  },
});
