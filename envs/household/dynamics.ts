import { otherOf, thingOf, verbOf, verbs, type Verb } from './commands.ts';
import type { Episode } from './episode.ts';
import { abilityBits, nowhere } from './scene.ts';
import { facingText, helpText, middleText, objectText } from './texts.ts';
import { conditions } from './world.ts';

/**
 * The planning domain of ALFWorld: preconditions and effects of each command, and the answers.
 *
 * Two of its rules are stricter here, so that the admissible commands reveal nothing hidden. Only a *visible*
 * object can be sliced (the domain allows slicing through a closed door). Lamps stand only in places without
 * a door. Two rules follow the running software instead of the domain's text. A player cannot go to the place
 * where it is, and can examine only the object in hand.
 */

/**
 * Performs the command if it is admissible and returns what the player reads. Otherwise changes nothing and
 * returns undefined.
 */
export function perform(episode: Episode, code: number): string | undefined {
  const thing = thingOf(code);
  const other = otherOf(code);
  switch (verbOf(code) as Verb) {
    case verbs.look:
      return look(episode);
    case verbs.inventory:
      return inventory(episode);
    case verbs.help:
      return episode.scene.dialect.hasHelp ? helpText : undefined;
    case verbs.goTo:
      return goTo(episode, other);
    case verbs.open:
      return open(episode, other);
    case verbs.close:
      return close(episode, other);
    case verbs.examinePlace:
      return episode.world.player === other ? episode.describe(other) : undefined;
    case verbs.examineThing:
      return episode.world.held === thing ? examineThing(episode, thing) : undefined;
    case verbs.take:
      return take(episode, thing, other);
    case verbs.put:
      return put(episode, thing, other);
    case verbs.clean:
      return treat(episode, code, { ability: abilityBits.clean, word: 'clean', undoes: 0 });
    case verbs.heat:
      return treat(episode, code, { ability: abilityBits.heat, word: 'heat', undoes: conditions.cool });
    case verbs.cool:
      return treat(episode, code, { ability: abilityBits.cool, word: 'cool', undoes: conditions.hot });
    case verbs.use:
      return use(episode, thing);
    case verbs.slice:
      return slice(episode, thing, other);
  }
}

function look({ scene, world }: Episode): string {
  return world.player === nowhere ? middleText : facingText(scene.places[world.player] as string);
}

function inventory({ scene, world }: Episode): string {
  return world.held === nowhere
    ? 'You are not carrying anything.'
    : `You are carrying: a ${scene.things[world.held]}.`;
}

function goTo(episode: Episode, place: number): string | undefined {
  if (episode.world.player === place) return undefined;
  episode.world.player = place;
  return episode.describeArrival(place);
}

function open(episode: Episode, place: number): string | undefined {
  const { scene, world } = episode;
  if (world.player !== place || scene.openable[place] === 0 || world.isOpen(place)) return undefined;
  episode.setOpen(place, true);
  return `You open the ${scene.places[place]}. ${episode.describe(place)}`;
}

function close(episode: Episode, place: number): string | undefined {
  const { scene, world } = episode;
  if (world.player !== place || scene.openable[place] === 0 || !world.isOpen(place)) return undefined;
  episode.setOpen(place, false);
  return `You close the ${scene.places[place]}.`;
}

function examineThing({ scene, world }: Episode, thing: number): string {
  const condition = world.conditionOf(thing);
  return objectText(scene.things[thing] as string, {
    contains: ((scene.abilities[thing] as number) & abilityBits.contain) !== 0,
    clean: (condition & conditions.clean) !== 0,
    hot: (condition & conditions.hot) !== 0,
    cool: (condition & conditions.cool) !== 0,
    sliced: (condition & conditions.sliced) !== 0,
  });
}

function take(episode: Episode, thing: number, place: number): string | undefined {
  const { scene, world } = episode;
  if (
    world.held !== nowhere ||
    world.player !== place ||
    world.placeOf(thing) !== place ||
    !episode.isAccessible(place)
  )
    return undefined;
  if (((scene.abilities[thing] as number) & abilityBits.pickup) === 0) return undefined;
  episode.move(thing, nowhere);
  return `You pick up the ${scene.things[thing]} from the ${scene.places[place]}.`;
}

function put(episode: Episode, thing: number, place: number): string | undefined {
  const { scene, world } = episode;
  if (world.held !== thing || world.player !== place || !episode.isAccessible(place)) return undefined;
  if (scene.holds[thing * scene.places.length + place] === 0) return undefined;
  episode.move(thing, place);
  return scene.dialect.putDone(scene.things[thing] as string, scene.places[place] as string);
}

interface TreatmentRule {
  readonly ability: number;
  readonly word: string;
  readonly undoes: number;
}

/** Cleans, heats or cools. As in the domain, the appliance need not be open. */
function treat({ scene, world }: Episode, code: number, rule: TreatmentRule): string | undefined {
  const thing = thingOf(code);
  const place = otherOf(code);
  if (world.held !== thing || world.player !== place) return undefined;
  if (((scene.abilities[thing] as number) & (scene.appliance[place] as number) & rule.ability) === 0)
    return undefined;
  world.setCondition(thing, (world.conditionOf(thing) & ~rule.undoes) | rule.ability);
  return `You ${rule.word} the ${scene.things[thing]} using the ${scene.places[place]}.`;
}

/**
 * The domain never unsets `isToggled`. So the lamp reports that it is turned on the second time too, and
 * stays lit.
 */
function use({ scene, world }: Episode, thing: number): string | undefined {
  if (((scene.abilities[thing] as number) & abilityBits.toggle) === 0 || world.player === nowhere)
    return undefined;
  if (world.placeOf(thing) !== world.player) return undefined;
  world.setCondition(thing, world.conditionOf(thing) | conditions.toggled);
  return `You turn on the ${scene.things[thing]}.`;
}

function slice(episode: Episode, thing: number, knife: number): string | undefined {
  const { scene, world } = episode;
  if (world.held !== knife || ((scene.abilities[knife] as number) & abilityBits.cut) === 0) return undefined;
  if (((scene.abilities[thing] as number) & abilityBits.slice) === 0 || world.player === nowhere)
    return undefined;
  if (world.placeOf(thing) !== world.player || !episode.isAccessible(world.player)) return undefined;
  world.setCondition(thing, world.conditionOf(thing) | conditions.sliced);
  return `You sliced the ${scene.things[thing]} with the ${scene.things[knife]}.`;
}
