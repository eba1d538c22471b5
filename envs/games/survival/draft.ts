import { chunk, most, offsets, side, walkable, type Item, type needs, type Stock } from './rules.ts';
import type { Player, SurvivalWorld, Thing } from './world.ts';

type Changeable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
export type MovingThing = Changeable<Thing>;

/** A world in the middle of a step. */
export class Draft {
  readonly player: Changeable<Player>;
  readonly things: MovingThing[];
  readonly stock: Partial<Record<Item, number>> & Record<(typeof needs)[number], number>;
  steps: number;
  readonly #rows: string[];
  readonly #unlocked: string[];
  readonly #places = new Map<number, MovingThing>();
  readonly #removed = new Set<MovingThing>();

  constructor({ rows, player, stock, things, unlocked, steps }: SurvivalWorld) {
    this.#rows = [...rows];
    this.#unlocked = [...unlocked];
    this.player = { ...player };
    this.things = things.map((thing) => ({ ...thing }));
    for (const thing of this.things) this.#places.set(thing.y * side + thing.x, thing);
    const { health = 0, food = 0, drink = 0, energy = 0 } = stock;
    this.stock = { ...stock, health, food, drink, energy };
    this.steps = steps;
  }

  world(): SurvivalWorld {
    const { health } = this.stock;
    return {
      rows: this.#rows,
      player: this.player,
      stock: { ...this.stock, health: Math.max(0, health) },
      things: this.things.filter((thing) => !this.#removed.has(thing)),
      unlocked: this.#unlocked,
      steps: this.steps,
    };
  }

  /** The material of a cell; empty outside of the world. */
  material(x: number, y: number): string {
    return x < 0 ? '' : (this.#rows[y]?.[x] ?? '');
  }

  setMaterial(x: number, y: number, material: string): void {
    const row = this.#rows[y] ?? '';
    if (row[x] !== material) this.#rows[y] = row.slice(0, x) + material + row.slice(x + 1);
  }

  thingAt(x: number, y: number): MovingThing | undefined {
    const there = this.#places.get(y * side + x);
    return there?.x === x ? there : undefined; // a column outside of the world has the number of another cell
  }

  put(thing: MovingThing): void {
    this.things.push(thing);
    this.#places.set(thing.y * side + thing.x, thing);
  }

  isPlayer(x: number, y: number): boolean {
    return this.player.x === x && this.player.y === y;
  }

  isTaken(x: number, y: number): boolean {
    return this.isPlayer(x, y) || this.thingAt(x, y) !== undefined;
  }

  isFree(x: number, y: number, materials = walkable): boolean {
    const material = this.material(x, y);
    return material !== '' && materials.includes(material) && !this.isTaken(x, y);
  }

  /** Steps between a thing and the player along rows and columns. */
  distance({ x, y }: { readonly x: number; readonly y: number }): number {
    return Math.abs(x - this.player.x) + Math.abs(y - this.player.y);
  }

  /** The direction to the player along the longer axis, or along the other one. */
  toward({ x, y }: Thing, isLong: boolean): number {
    const [across, down] = [this.player.x - x, this.player.y - y];
    const isAcross = isLong ? Math.abs(across) > Math.abs(down) : Math.abs(across) <= Math.abs(down);
    if (isAcross) return across < 0 ? 0 : 1;
    return down < 0 ? 2 : 3;
  }

  move(thing: MovingThing, direction: number, materials = walkable): boolean {
    const [across, down] = offsets[direction] ?? [0, 0];
    const [x, y] = [thing.x + across, thing.y + down];
    if (!this.isFree(x, y, materials)) return false;
    if (this.#removed.has(thing)) return true;
    this.#places.delete(thing.y * side + thing.x);
    this.#places.set(y * side + x, thing);
    [thing.x, thing.y] = [x, y];
    return true;
  }

  /** The creatures of a kind in the chunk whose corner is given. */
  creatures(kind: Thing['kind'], left: number, top: number): MovingThing[] {
    return this.things.filter(
      (thing) =>
        thing.kind === kind &&
        thing.x >= left &&
        thing.x < left + chunk &&
        thing.y >= top &&
        thing.y < top + chunk &&
        !this.#removed.has(thing),
    );
  }

  remove(thing: MovingThing): void {
    if (this.#removed.has(thing)) return;
    this.#removed.add(thing);
    this.#places.delete(thing.y * side + thing.x);
  }

  /** Whether a material is in one of the nine cells around the player. */
  isNear(material: string): boolean {
    const { x, y } = this.player;
    return [y - 1, y, y + 1].some((row) =>
      this.#rows[row]?.slice(Math.max(x - 1, 0), x + 2).includes(material),
    );
  }

  has(item: Item): number {
    return this.stock[item] ?? 0;
  }

  owns(uses: Stock): boolean {
    return Object.entries(uses).every(([item, count]) => this.has(item as Item) >= count);
  }

  use(uses: Stock): void {
    for (const [item, count] of Object.entries(uses))
      this.stock[item as Item] = this.has(item as Item) - count;
  }

  add(item: Item, count: number): void {
    this.stock[item] = Math.min(most, this.has(item) + count);
  }

  unlock(achievement: string): void {
    if (!this.#unlocked.includes(achievement)) this.#unlocked.push(achievement);
  }
}
