import type { Rng } from '../../core/rng.ts';
import { balanceChunks } from './balance.ts';
import { Draft, type MovingThing } from './draft.ts';
import { collect, make, most, needs, offsets, place, walkable, type Item, type Stock } from './rules.ts';
import type { SurvivalWorld } from './world.ts';

/** Things act within this many steps of the player, which is twice the width of its view. */
const reach = 18;

/**
 * One step of the world by the rules of Crafter 1.8.3: the player acts, then everything near it, and every ten steps animals and monsters
 * come and go. Actions that are impossible do nothing.
 */
export function advance(world: SurvivalWorld, action: string, rng: Rng): SurvivalWorld {
  const draft = new Draft(world);
  playerActs(draft, action, rng);
  for (const thing of draft.things.slice())
    if (draft.distance(thing) < reach) {
      if (thing.kind === 'cow') cowActs(draft, thing, rng);
      else if (thing.kind === 'zombie') zombieActs(draft, thing, rng);
      else if (thing.kind === 'skeleton') skeletonActs(draft, thing, rng);
      else if (thing.kind === 'arrow') arrowFlies(draft, thing);
      else plantGrows(draft, thing);
    }
  draft.steps += 1;
  if (draft.steps % 10 === 0) balanceChunks(draft, rng);
  return draft.world();
}

function playerActs(draft: Draft, wanted: string, rng: Rng): void {
  const { player, stock } = draft;
  let action = wanted;
  if (player.sleeping) {
    if (stock.energy < most) action = 'sleep';
    else {
      player.sleeping = false;
      draft.unlock('wake up');
    }
  }
  const [across = 0, down = 0] = offsets[player.facing] ?? [];
  const [x, y] = [player.x + across, player.y + down];
  const [verb = '', ...words] = action.split(' ');
  const name = words.join(' ');
  if (verb === 'move') movePlayer(draft, name);
  else if (action === 'do') {
    const thing = draft.thingAt(x, y);
    if (thing === undefined) take(draft, x, y, rng);
    else strike(draft, thing);
  } else if (action === 'sleep') player.sleeping ||= stock.energy < most;
  else if (verb === 'place' && name in place) placeAt(draft, name as keyof typeof place, x, y);
  else if (verb === 'make' && name in make && canMake(draft, name as keyof typeof make)) {
    draft.use(make[name as keyof typeof make].uses);
    draft.add(name as Item, 1);
    draft.unlock(`make ${name}`);
  }
  wear(draft);
  for (const need of needs) stock[need] = Math.max(0, Math.min(stock[need], most));
  if (stock.health < player.healthBefore) player.sleeping = false;
  player.healthBefore = stock.health;
}

function movePlayer(draft: Draft, name: string): void {
  const { player } = draft;
  const facing = ['left', 'right', 'up', 'down'].indexOf(name);
  const [across, down] = offsets[facing] ?? [0, 0];
  if (facing >= 0) player.facing = facing;
  const [x, y] = [player.x + across, player.y + down];
  const material = draft.material(x, y);
  if (draft.isTaken(x, y) || !`${walkable}^`.includes(material || ' ')) return;
  [player.x, player.y] = [x, y];
  if (material === '^') draft.stock.health = 0;
}

/** The damage of the player by its best sword. */
export const damageOf = (stock: Stock): number =>
  (stock['iron sword'] ?? 0) > 0
    ? 5
    : (stock['stone sword'] ?? 0) > 0
      ? 3
      : (stock['wood sword'] ?? 0) > 0
        ? 2
        : 1;

function strike(draft: Draft, thing: MovingThing): void {
  const { stock } = draft;
  if (thing.kind === 'plant') {
    if (thing.count <= ripeAfter) return;
    thing.count = 0;
    stock.food += 4;
    draft.unlock('eat plant');
    return;
  }
  if (thing.kind === 'arrow') return;
  thing.health -= damageOf(stock);
  if (thing.health > 0) return;
  if (thing.kind === 'cow') {
    stock.food += 6;
    draft.player.hunger = 0;
    draft.unlock('eat cow');
  } else draft.unlock(`defeat ${thing.kind}`);
}

function take(draft: Draft, x: number, y: number, rng: Rng): void {
  const rule = collect[draft.material(x, y)];
  if (rule === undefined) return;
  if (rule.gives === 'drink') draft.player.thirst = 0;
  if (rule.takes !== undefined && draft.has(rule.takes) < 1) return;
  draft.setMaterial(x, y, rule.leaves);
  if (rng.uniform() > (rule.chance ?? 1)) return;
  draft.add(rule.gives, 1);
  draft.unlock(`collect ${rule.gives}`);
}

function placeAt(draft: Draft, name: keyof typeof place, x: number, y: number): void {
  const { uses, where, becomes } = place[name];
  const material = draft.material(x, y);
  if (material === '' || draft.isTaken(x, y) || !where.includes(material) || !draft.owns(uses)) return;
  draft.use(uses);
  if (becomes === undefined) draft.put({ kind: 'plant', x, y, health: 1, count: 0 });
  else draft.setMaterial(x, y, becomes);
  draft.unlock(`place ${name}`);
}

/** Whether a tool can be made: its ingredients are there, and its bench is in one of the eight cells around. */
export const canMake = (draft: Draft, name: keyof typeof make): boolean =>
  draft.owns(make[name].uses) && make[name].near.split('').every((bench) => draft.isNear(bench));

/** Hunger, thirst and fatigue grow. Health comes back while no need is at 0, and goes otherwise. */
function wear({ player, stock }: Draft): void {
  player.hunger += player.sleeping ? 0.5 : 1;
  if (player.hunger > 25) [player.hunger, stock.food] = [0, stock.food - 1];
  player.thirst += player.sleeping ? 0.5 : 1;
  if (player.thirst > 20) [player.thirst, stock.drink] = [0, stock.drink - 1];
  player.fatigue = player.sleeping ? Math.min(player.fatigue - 1, 0) : player.fatigue + 1;
  if (player.fatigue < -10) [player.fatigue, stock.energy] = [0, stock.energy + 1];
  if (player.fatigue > 30) [player.fatigue, stock.energy] = [0, stock.energy - 1];
  const isWell = stock.food > 0 && stock.drink > 0 && (stock.energy > 0 || player.sleeping);
  if (isWell) player.recovery += player.sleeping ? 2 : 1;
  else player.recovery -= player.sleeping ? 0.5 : 1;
  if (player.recovery > 25) [player.recovery, stock.health] = [0, stock.health + 1];
  if (player.recovery < -15) [player.recovery, stock.health] = [0, stock.health - 1];
}

function cowActs(draft: Draft, cow: MovingThing, rng: Rng): void {
  if (cow.health <= 0) draft.remove(cow);
  if (rng.uniform() < 0.5) draft.move(cow, rng.int(4));
}

function zombieActs(draft: Draft, zombie: MovingThing, rng: Rng): void {
  if (zombie.health <= 0) draft.remove(zombie);
  const follows = draft.distance(zombie) <= 8 && rng.uniform() < 0.9;
  draft.move(zombie, follows ? draft.toward(zombie, rng.uniform() < 0.8) : rng.int(4));
  if (draft.distance(zombie) > 1) return;
  if (zombie.count > 0) {
    zombie.count -= 1;
    return;
  }
  draft.stock.health -= draft.player.sleeping ? 7 : 2;
  zombie.count = 5;
}

function skeletonActs(draft: Draft, skeleton: MovingThing, rng: Rng): void {
  if (skeleton.health <= 0) draft.remove(skeleton);
  skeleton.count = Math.max(0, skeleton.count - 1);
  const distance = draft.distance(skeleton);
  if (distance <= 3) {
    const away = draft.toward(skeleton, rng.uniform() < 0.6);
    if (draft.move(skeleton, away ^ 1)) return;
  }
  if (distance <= 5 && rng.uniform() < 0.5) {
    const facing = draft.toward(skeleton, true);
    const [across, down] = offsets[facing] ?? [0, 0];
    const [x, y] = [skeleton.x + across, skeleton.y + down];
    if (skeleton.count > 0 || !draft.isFree(x, y, '._,~^')) return;
    draft.put({ kind: 'arrow', x, y, health: 0, count: facing });
    skeleton.count = 4;
  } else if (distance <= 8 && rng.uniform() < 0.3)
    draft.move(skeleton, draft.toward(skeleton, rng.uniform() < 0.6));
  else if (rng.uniform() < 0.2) draft.move(skeleton, rng.int(4));
}

function arrowFlies(draft: Draft, arrow: MovingThing): void {
  const [across, down] = offsets[arrow.count] ?? [0, 0];
  const [x, y] = [arrow.x + across, arrow.y + down];
  const hit = draft.thingAt(x, y);
  const material = draft.material(x, y);
  if (hit !== undefined) hit.health -= 2;
  else if (draft.isPlayer(x, y)) draft.stock.health -= 2;
  else if ('._,~^'.includes(material || ' ')) {
    draft.move(arrow, arrow.count, '._,~^');
    return;
  } else if (material === 't' || material === 'f') draft.setMaterial(x, y, '_');
  draft.remove(arrow);
}

/** Steps after which a plant can be eaten. */
export const ripeAfter = 300;

function plantGrows(draft: Draft, plant: MovingThing): void {
  plant.count += 1;
  const isEaten = offsets.some(([across, down]) => {
    const beside = draft.thingAt(plant.x + across, plant.y + down);
    return beside !== undefined && beside.kind !== 'plant' && beside.kind !== 'arrow';
  });
  if (isEaten) plant.health -= 1;
  if (plant.health <= 0) draft.remove(plant);
}
