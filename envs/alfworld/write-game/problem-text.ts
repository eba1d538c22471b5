import { idsOf, type Ids } from './ids.ts';
import type { Ability, PlainGame } from './plain-game.ts';

/** The predicate for each ability of an object. */
const predicateOf: Readonly<Record<Ability, string>> = {
  pickup: 'pickupable',
  clean: 'cleanable',
  heat: 'heatable',
  cool: 'coolable',
  slice: 'sliceable',
  cut: 'cutting',
  toggle: 'toggleable',
  contain: 'isReceptacleObject',
};

const typeOf = (kind: string): string => `${kind}Type`;

/** Receptacles that the domain names, whether or not the room has them. */
const appliances = ['sinkbasin', 'microwave', 'fridge'];

/** The problem of a game in PDDL. */
export function problemText(game: PlainGame): string {
  const ids = idsOf(game);
  const placeKinds = [
    ...new Set([
      ...appliances,
      ...game.places.map(({ kind }) => kind),
      ...(game.goal.family === 'look' ? [] : [game.goal.target]),
    ]),
  ].toSorted();
  const objectKinds = [
    ...new Set([
      game.goal.object,
      ...(game.goal.family === 'look' ? [game.goal.target] : []),
      ...game.objects.map(({ kind }) => kind),
    ]),
  ].toSorted();
  const objects = [
    'agent1 - agent',
    ...objectKinds.map((kind) => `${typeOf(kind)} - otype`),
    ...placeKinds.map((kind) => `${typeOf(kind)} - rtype`),
    ...[ids.middle, ...ids.locations].toSorted().map((id) => `${id} - location`),
    ...ids.places.map((id) => `${id} - receptacle`),
    ...ids.objects.map((id) => `${id} - object`),
  ];
  return `(define (problem household)
  (:domain alfred)
  (:objects
${lines(objects)}
  )
  (:init
${lines([...factsOfPlaces(game, ids), ...factsOfObjects(game, ids), ...allowed(game, placeKinds, objectKinds)])}
  )
  (:goal
${goalText(game.goal)}
  )
)
`;
}

const lines = (items: readonly string[]): string => items.map((item) => `    ${item}`).join('\n');

function factsOfPlaces({ places, placeKinds }: PlainGame, ids: Ids): readonly string[] {
  return [
    `(atLocation agent1 ${ids.middle})`,
    ...places.flatMap(({ kind }, index) => [
      `(receptacleType ${ids.places[index]} ${typeOf(kind)})`,
      `(receptacleAtLocation ${ids.places[index]} ${ids.locations[index]})`,
      ...(placeKinds[kind]?.openable === true ? [`(openable ${ids.places[index]})`] : []),
    ]),
  ];
}

function factsOfObjects({ objects, objectKinds }: PlainGame, ids: Ids): readonly string[] {
  return objects.flatMap(({ kind, place }, index) => {
    const id = ids.objects[index];
    const abilities = objectKinds[kind]?.abilities ?? [];
    return [
      `(objectType ${id} ${typeOf(kind)})`,
      `(inReceptacle ${id} ${ids.places[place]})`,
      `(objectAtLocation ${id} ${ids.locations[place]})`,
      ...abilities.map((ability) => `(${predicateOf[ability]} ${id})`),
    ];
  });
}

function allowed(
  { placeKinds: kinds }: PlainGame,
  placeKinds: readonly string[],
  objectKinds: readonly string[],
): readonly string[] {
  return placeKinds.flatMap((place) =>
    objectKinds
      .filter((object) => kinds[place]?.holds.includes(object) === true)
      .map((object) => `(canContain ${typeOf(place)} ${typeOf(object)})`),
  );
}

function goalText({ family, object, target }: PlainGame['goal']): string {
  const [thing, place] = [typeOf(object), typeOf(target)];
  const condition = { clean: '(isClean ?o)', heat: '(isHot ?o)', cool: '(isCool ?o)' } as const;
  switch (family) {
    case 'look':
      return `    (and
      (exists (?t - object ?r - receptacle ?a - agent ?l - location)
        (and (objectType ?t ${place}) (isToggled ?t) (inReceptacle ?t ?r) (receptacleAtLocation ?r ?l) (atLocation ?a ?l)))
      (exists (?o - object ?a - agent)
        (and (objectType ?o ${thing}) (holds ?a ?o))))`;
    case 'pick2':
      return `    (exists (?r - receptacle ?o1 - object ?o2 - object)
      (and (receptacleType ?r ${place}) (objectType ?o1 ${thing}) (objectType ?o2 ${thing}) (not (= ?o1 ?o2))
           (inReceptacle ?o1 ?r) (inReceptacle ?o2 ?r)))`;
    default:
      return `    (exists (?r - receptacle ?o - object)
      (and (receptacleType ?r ${place}) (objectType ?o ${thing}) ${family === 'pick' ? '' : condition[family]} (inReceptacle ?o ?r)))`;
  }
}
