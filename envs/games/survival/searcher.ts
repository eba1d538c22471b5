import type { Searcher } from '../../core/env.ts';
import type { Rng } from '../../core/rng.ts';
import type { Ongoing, Opening } from '../../core/step.ts';
import { directionNames, make, offsets, viewColumns, viewRows, walkable, type Item } from './rules.ts';
import { readView, type Seen } from './view.ts';

const [left, above] = [(viewColumns - 1) / 2, (viewRows - 1) / 2];
const [width, origin] = [256, 128];
const keyOf = (x: number, y: number): number => y * width + x;
const things = 'CZSapP@';

/** Cells beyond which a walk is not planned. */
const farthest = 4_000;

/**
 * A scripted player that sees only the texts: it remembers the map, and follows a list of wishes, of which the first that can be served
 * now decides. It keeps count of its place by the moves that must have worked.
 */
export class Survivor implements Searcher<string, string> {
  readonly #rng: Rng;
  /** Materials of the cells that were seen; things of the last view lie over them. */
  readonly #map = new Map<number, string>();
  #over = new Map<number, string>();
  #x = origin;
  #y = origin;
  #seen: Seen = { map: [], facing: 3, sleeping: false, light: 100, stock: {}, unlocked: [] };
  #last = '';
  #plants: { readonly x: number; readonly y: number }[] = [];
  #steps = 0;
  #stuck = 0;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  act(turn: Opening<string, string> | Ongoing<string, string>): string {
    this.#learn(turn.observation);
    this.#steps += 1;
    const admissible = turn.admissible ?? [];
    const wanted = this.#seen.sleeping ? 'wait' : this.#decide();
    this.#stuck = wanted === undefined || !admissible.includes(wanted) ? this.#stuck + 1 : 0;
    const walks = admissible.filter((action) => action.startsWith('move '));
    const safe = walks.filter((action) => this.#at(this.#ahead(action.slice(5))) !== '^');
    this.#last =
      wanted !== undefined && admissible.includes(wanted)
        ? wanted
        : this.#rng.pick(safe.length > 0 ? safe : ['wait']);
    return this.#last;
  }

  /** The cell in a direction. */
  #ahead(name: string, x = this.#x, y = this.#y): number {
    const [across, down] = offsets[(directionNames as readonly string[]).indexOf(name)] ?? [0, 0];
    return keyOf(x + across, y + down);
  }

  #at(key: number): string {
    return this.#over.get(key) ?? this.#map.get(key) ?? '?';
  }

  #learn(observation: string): void {
    const seen = readView(observation);
    if (this.#last.startsWith('move ')) {
      const key = this.#ahead(this.#last.slice(5));
      if (`${walkable}^`.includes(this.#at(key))) [this.#x, this.#y] = [key % width, Math.floor(key / width)];
    }
    this.#seen = seen;
    this.#over = new Map();
    for (let row = 0; row < viewRows; row += 1)
      for (let column = 0; column < viewColumns; column += 1) {
        const mark = seen.map[row]?.[column] ?? '!';
        const key = keyOf(this.#x + column - left, this.#y + row - above);
        if (!things.includes(mark)) this.#map.set(key, mark);
        else if (mark !== '@') {
          this.#over.set(key, mark);
          if (!this.#map.has(key)) this.#map.set(key, mark === 'S' ? '_' : '.');
        } else if (!this.#map.has(key)) this.#map.set(key, '.');
      }
  }

  #has(item: Item): number {
    return this.#seen.stock[item] ?? 0;
  }

  #needs(achievement: string): boolean {
    return !this.#seen.unlocked.includes(achievement);
  }

  #decide(): string | undefined {
    return (
      this.#fight() ??
      this.#survive() ??
      this.#plant() ??
      this.#craft() ??
      this.#gather() ??
      this.#hunt() ??
      this.#explore()
    );
  }

  /** Hits what is beside the player and hurts it. */
  #fight(): string | undefined {
    for (const name of directionNames) {
      const mark = this.#at(this.#ahead(name));
      if (mark === 'Z' || mark === 'S') return this.#use(name);
    }
    return undefined;
  }

  #survive(): string | undefined {
    const [food, drink, energy] = [this.#has('food'), this.#has('drink'), this.#has('energy')];
    if (drink < 4 || (drink < 9 && this.#isBeside('~'))) {
      const go = this.#go('~');
      if (go !== undefined) return go;
    }
    if (food < 5) {
      const go = this.#go('P') ?? this.#go('C');
      if (go !== undefined) return go;
    }
    const isTired = energy < 3 || (energy < 7 && this.#needs('wake up') && this.#has('stone') > 1);
    return isTired && drink > 3 && food > 3 ? this.#sleep(energy < 2) : undefined;
  }

  /** Sleeps where nothing can come near. It closes the open cells around with stones. */
  #sleep(isUrgent: boolean): string | undefined {
    if (this.#isShelter()) return 'sleep';
    const open = directionNames.filter((name) => this.#isOpen(this.#ahead(name)));
    if (this.#has('stone') < Math.min(open.length, 3) && !isUrgent) return undefined;
    if (this.#has('stone') === 0) return isUrgent ? 'sleep' : undefined;
    const facing = directionNames[this.#seen.facing] ?? 'down';
    if (open.includes(facing) && walkable.includes(this.#at(this.#ahead(facing)))) return 'place stone';
    return `move ${open[0]}`;
  }

  /** Whether the cells that can be reached from here are a few, all of them seen. */
  #isShelter(): boolean {
    const cells = [keyOf(this.#x, this.#y)];
    for (const key of cells) {
      if (cells.length > 4 || 'CZS?'.includes(this.#at(key))) return false;
      const [x, y] = [key % width, Math.floor(key / width)];
      for (const name of directionNames) {
        const next = this.#ahead(name, x, y);
        if ((this.#isOpen(next) || this.#at(next) === '?') && !cells.includes(next)) cells.push(next);
      }
    }
    return true;
  }

  #isOpen(key: number): boolean {
    return `${walkable}CZSa`.includes(this.#at(key));
  }

  /** Takes saplings, plants them, and comes back when they are ripe. */
  #plant(): string | undefined {
    if (!this.#needs('eat plant')) return undefined;
    const facing = directionNames[this.#seen.facing] ?? 'down';
    const ahead = this.#ahead(facing);
    if (this.#has('sapling') > 0 && this.#at(ahead) === '.') {
      this.#plants.push({ x: ahead % width, y: Math.floor(ahead / width) });
      return 'place plant';
    }
    if (this.#has('sapling') > 0) return this.#go('.');
    const ripe = this.#go('P');
    if (ripe !== undefined) return ripe;
    if (this.#needs('place plant') && this.#at(ahead) === '.' && this.#steps < 200) return 'do';
    return undefined;
  }

  #craft(): string | undefined {
    const benches = this.#near();
    for (const [name, { uses, near }] of Object.entries(make)) {
      if (this.#has(name as Item) > 0 || !this.#owns(uses)) continue;
      if (near.split('').every((bench) => benches.includes(bench))) return `make ${name}`;
    }
    const facing = directionNames[this.#seen.facing] ?? 'down';
    const isFree = walkable.includes(this.#at(this.#ahead(facing)));
    const wantsTable = this.#needs('place table') || this.#wantsBench('t', benches);
    if (wantsTable && this.#has('wood') >= 2 + this.#woodForTools() && !benches.includes('t'))
      return isFree ? 'place table' : this.#turnToFree();
    if (benches.includes('t') && this.#has('stone') >= 4 && !benches.includes('f'))
      if (this.#needs('place furnace') || this.#wantsBench('f', benches))
        return isFree ? 'place furnace' : this.#turnToFree();
    if (this.#needs('place stone') && this.#has('stone') > 0 && isFree) return 'place stone';
    return undefined;
  }

  /** Whether a tool could be made with what is there, if a bench were here. */
  #wantsBench(bench: string, benches: readonly string[]): boolean {
    return Object.entries(make).some(
      ([name, { uses, near }]) =>
        this.#has(name as Item) === 0 &&
        near.includes(bench) &&
        this.#owns(uses) &&
        near.split('').every((one) => one === bench || one === 'f' || benches.includes(one)),
    );
  }

  #woodForTools(): number {
    return Math.min(3, Object.keys(make).filter((name) => this.#has(name as Item) === 0).length);
  }

  #owns(uses: Readonly<Partial<Record<Item, number>>>): boolean {
    return Object.entries(uses).every(([item, count]) => this.#has(item as Item) >= count);
  }

  /** Materials of the nine cells around the player. */
  #near(): string[] {
    const cells: string[] = [];
    for (let x = this.#x - 1; x <= this.#x + 1; x += 1)
      for (let y = this.#y - 1; y <= this.#y + 1; y += 1) cells.push(this.#map.get(keyOf(x, y)) ?? '?');
    return cells;
  }

  #turnToFree(): string | undefined {
    const name = directionNames.find((one) => walkable.includes(this.#at(this.#ahead(one))));
    return name === undefined ? undefined : `move ${name}`;
  }

  /** Goes for what the next tools need, in their order. */
  #gather(): string | undefined {
    if (this.#needs('collect drink')) {
      const go = this.#go('~');
      if (go !== undefined) return go;
    }
    const left = Object.keys(make).filter((name) => this.#has(name as Item) === 0);
    const pickaxes = ['wood pickaxe', 'stone pickaxe', 'iron pickaxe'] as const;
    const wood = left.length + (this.#needs('place table') ? 2 : left.length > 0 ? 2 : 0);
    const wishes: (readonly [mark: string, isWanted: boolean])[] = [
      ['T', this.#has('wood') < Math.min(9, wood)],
      ['d', this.#has(pickaxes[2]) > 0 && this.#needs('collect diamond')],
      [
        'i',
        this.#has(pickaxes[1]) > 0 &&
          this.#has('iron') < left.filter((name) => name.startsWith('iron')).length,
      ],
      ['c', this.#has(pickaxes[0]) > 0 && this.#has('coal') < 2 && left.length > 0],
      ['#', this.#has(pickaxes[0]) > 0 && this.#has('stone') < 8],
    ];
    for (const [mark, isWanted] of wishes) {
      const go = isWanted ? this.#go(mark) : undefined;
      if (go !== undefined) return go;
    }
    return undefined;
  }

  #hunt(): string | undefined {
    const wanted = [
      ['C', this.#needs('eat cow')],
      ['S', this.#needs('defeat skeleton') && this.#has('health') > 5],
      ['Z', this.#needs('defeat zombie') && this.#has('health') > 5],
    ] as const;
    for (const [mark, isWanted] of wanted) {
      const go = isWanted ? this.#go(mark) : undefined;
      if (go !== undefined) return go;
    }
    return undefined;
  }

  #explore(): string | undefined {
    return this.#go('?');
  }

  #isBeside(mark: string): boolean {
    return directionNames.some((name) => this.#at(this.#ahead(name)) === mark);
  }

  /** Faces a neighbour, or uses it when it is faced. */
  #use(name: string): string {
    return directionNames[this.#seen.facing] === name ? 'do' : `move ${name}`;
  }

  /** Whether a cell can be walked through, and by how many actions. Stones are dug away. */
  #cost(key: number): number {
    const mark = this.#at(key);
    if (walkable.includes(mark)) return 1;
    if (mark === '#' && this.#has('wood pickaxe') > 0) return 3;
    return Number.POSITIVE_INFINITY;
  }

  /** The first action of the cheapest way to use a cell of this kind. */
  #go(mark: string): string | undefined {
    const start = keyOf(this.#x, this.#y);
    const costs = new Map([[start, 0]]);
    const first = new Map<number, string>();
    const buckets: number[][] = [[start]];
    for (let cost = 0; cost < buckets.length; cost += 1)
      for (const key of buckets[cost] ?? []) {
        if (costs.get(key) !== cost) continue;
        const [x, y] = [key % width, Math.floor(key / width)];
        for (const name of directionNames) {
          const next = this.#ahead(name, x, y);
          const step = first.get(key) ?? name;
          if (this.#at(next) === mark) return this.#step(step, next === this.#ahead(step), mark);
          const total = cost + this.#cost(next);
          if (total >= (costs.get(next) ?? Number.POSITIVE_INFINITY) || costs.size > farthest) continue;
          costs.set(next, total);
          first.set(next, step);
          (buckets[total] ??= []).push(next);
        }
      }
    return undefined;
  }

  #step(name: string, isGoal: boolean, mark: string): string {
    const ahead = this.#at(this.#ahead(name));
    if (isGoal && mark !== '?') return walkable.includes(mark) ? `move ${name}` : this.#use(name);
    return walkable.includes(ahead) || ahead === '?' ? `move ${name}` : this.#use(name);
  }
}
