import { encode, verbs } from './commands.ts';
import type { Episode } from './episode.ts';
import { abilityBits, nowhere } from './scene.ts';

/**
 * The admissible commands, sorted as strings, as ALFWorld lists them. `help`, `inventory` and `look` are
 * always listed, and so is the examination of the place in front and of the object in hand. The command to go
 * to the current place is never listed.
 */
export function listAdmissible(episode: Episode): string[] {
  const { scene, world } = episode;
  const { player, held } = world;
  if (player === nowhere) return [...scene.goTo, ...scene.everywhere];
  const list =
    held === nowhere ? scene.standingCommands(player, world.isOpen(player)).slice() : listCarrying(episode);
  if (!episode.isAccessible(player)) {
    list.push(scene.commands.text(encode(verbs.open, 0, player)));
    return list;
  }
  const { commands, abilities } = scene;
  if (held !== nowhere && scene.holds[held * scene.places.length + player] === 1)
    list.push(commands.text(encode(verbs.put, held, player)));
  const things = episode.thingsAt(player);
  const reach = episode.reach();
  for (let index = 0; index < things.length; index += 1) {
    const thing = things[index] as number;
    if (((abilities[thing] as number) & reach) === 0) continue;
    list.push(
      commands.text(held === nowhere ? encode(verbs.take, thing, player) : encode(verbs.slice, thing, held)),
    );
  }
  for (let index = 0; index < things.length; index += 1) {
    const thing = things[index] as number;
    if (((abilities[thing] as number) & abilityBits.toggle) !== 0)
      list.push(commands.text(encode(verbs.use, thing, 0)));
  }
  return list;
}

/**
 * The commands of a player who holds something, in front of a place, apart from those that depend on its
 * contents.
 */
function listCarrying({ scene, world }: Episode): string[] {
  const { commands, goTo, everywhere } = scene;
  const { player, held } = world;
  const treatments = (scene.abilities[held] as number) & (scene.appliance[player] as number);
  const list: string[] = [];
  if ((treatments & abilityBits.clean) !== 0) list.push(commands.text(encode(verbs.clean, held, player)));
  if (world.isOpen(player)) list.push(commands.text(encode(verbs.close, 0, player)));
  if ((treatments & abilityBits.cool) !== 0) list.push(commands.text(encode(verbs.cool, held, player)));
  const examineHeld = commands.text(encode(verbs.examineThing, held, 0));
  const examinePlace = commands.text(encode(verbs.examinePlace, 0, player));
  if (examineHeld < examinePlace) list.push(examineHeld, examinePlace);
  else list.push(examinePlace, examineHeld);
  for (let place = 0; place < goTo.length; place += 1) if (place !== player) list.push(goTo[place] as string);
  if ((treatments & abilityBits.heat) !== 0) list.push(commands.text(encode(verbs.heat, held, player)));
  for (let index = 0; index < everywhere.length; index += 1) list.push(everywhere[index] as string);
  return list;
}
