import type { ReceptacleType } from './receptacle-types.ts';

/** The abilities of objects. Each is the name of a predicate of the planning domain without its ending. */
export type Ability = 'pickup' | 'clean' | 'heat' | 'cool' | 'slice' | 'cut' | 'toggle' | 'contain' | 'lamp';

/** The traits of a kind of object. */
export interface ObjectTraits {
  readonly abilities: readonly Ability[];
  /**
   * The receptacles that can hold it, with the likelihood of finding it in each kind; 0 where it may be put
   * but is never found. The keys are the relation `canContain`.
   */
  readonly places: Readonly<Partial<Record<ReceptacleType, number>>>;
}

const carried = (abilities: readonly Ability[], places: ObjectTraits['places']): ObjectTraits => ({
  abilities: ['pickup', ...abilities],
  places,
});
const standing = (abilities: readonly Ability[], places: ObjectTraits['places']): ObjectTraits => ({
  abilities,
  places,
});

const cutlery = {
  cabinet: 2,
  countertop: 4,
  diningtable: 4,
  drawer: 4,
  shelf: 1,
  sidetable: 2,
  sinkbasin: 2,
} as const;
const tableware = {
  cabinet: 4,
  countertop: 3,
  desk: 1,
  diningtable: 3,
  drawer: 1,
  fridge: 1,
  microwave: 1,
  shelf: 3,
  sidetable: 2,
  sinkbasin: 2,
} as const;
const cookware = {
  cabinet: 4,
  countertop: 3,
  diningtable: 2,
  drawer: 1,
  fridge: 1,
  shelf: 2,
  sinkbasin: 2,
  stoveburner: 4,
} as const;
const produce = {
  cabinet: 2,
  countertop: 4,
  diningtable: 4,
  drawer: 1,
  fridge: 6,
  garbagecan: 3,
  microwave: 2,
  shelf: 2,
  sidetable: 2,
  sinkbasin: 3,
} as const;
const shaker = { cabinet: 4, countertop: 3, diningtable: 3, drawer: 3, shelf: 3, sidetable: 2 } as const;
const gadget = {
  armchair: 2,
  bed: 3,
  cabinet: 2,
  coffeetable: 3,
  desk: 3,
  diningtable: 2,
  drawer: 4,
  dresser: 3,
  ottoman: 2,
  safe: 2,
  shelf: 3,
  sidetable: 3,
  sofa: 2,
  tvstand: 2,
} as const;
const stationery = {
  bed: 1,
  cabinet: 2,
  cart: 0,
  coffeetable: 2,
  desk: 4,
  drawer: 4,
  dresser: 3,
  garbagecan: 2,
  shelf: 3,
  sidetable: 3,
} as const;
const ornament = {
  cabinet: 3,
  cart: 1,
  coffeetable: 3,
  desk: 2,
  diningtable: 3,
  drawer: 1,
  dresser: 3,
  safe: 2,
  shelf: 4,
  sidetable: 3,
  tvstand: 3,
} as const;
const sanitary = {
  bathtubbasin: 1,
  cabinet: 4,
  cart: 3,
  countertop: 3,
  drawer: 3,
  garbagecan: 2,
  shelf: 3,
  sidetable: 2,
  sinkbasin: 2,
  toilet: 2,
} as const;

/** The objects of the ordinary world, by their words in texts. */
const householdObjects = {
  alarmclock: carried([], { bed: 1, cabinet: 1, desk: 4, drawer: 2, dresser: 4, shelf: 3, sidetable: 4 }),
  apple: carried(['clean', 'heat', 'cool', 'slice'], produce),
  baseballbat: carried([], { bed: 4, desk: 2, dresser: 1, sidetable: 1, laundryhamper: 0 }),
  basketball: carried([], {
    armchair: 2,
    bed: 3,
    desk: 2,
    dresser: 2,
    laundryhamper: 0,
    ottoman: 1,
    sofa: 1,
  }),
  book: carried([], { ...gadget, garbagecan: 0 }),
  bowl: carried(['clean', 'heat', 'cool', 'contain'], { ...tableware, coffeetable: 3, dresser: 2 }),
  box: carried(['contain'], {
    armchair: 2,
    bed: 2,
    cabinet: 3,
    coffeetable: 4,
    desk: 2,
    diningtable: 3,
    dresser: 3,
    ottoman: 1,
    shelf: 2,
    sidetable: 2,
    sofa: 3,
  }),
  bread: carried(['heat', 'cool', 'slice'], { ...produce, toaster: 1 }),
  butterknife: carried(['clean', 'cut'], cutlery),
  candle: carried([], { ...sanitary, coffeetable: 3, drawer: 1, shelf: 4, sinkbasin: 0 }),
  cd: carried([], { ...stationery, safe: 2 }),
  cellphone: carried([], gadget),
  cloth: carried(['clean'], { ...sanitary, bed: 2, dresser: 1, laundryhamper: 4 }),
  creditcard: carried([], gadget),
  cup: carried(['clean', 'heat', 'cool', 'contain'], tableware),
  desklamp: standing(['toggle', 'lamp'], { desk: 5, dresser: 2, shelf: 1, sidetable: 4, coffeetable: 1 }),
  dishsponge: carried(['clean'], {
    ...sanitary,
    cabinet: 3,
    countertop: 4,
    drawer: 3,
    sinkbasin: 5,
    toilet: 0,
  }),
  egg: carried(['clean', 'heat', 'cool', 'slice'], { ...produce, fridge: 7 }),
  fork: carried(['clean'], cutlery),
  glassbottle: carried(['cool'], {
    cabinet: 4,
    countertop: 3,
    diningtable: 3,
    drawer: 1,
    fridge: 3,
    garbagecan: 3,
    shelf: 3,
    sinkbasin: 1,
  }),
  handtowel: carried([], {
    cabinet: 1,
    countertop: 2,
    garbagecan: 0,
    handtowelholder: 8,
    laundryhamper: 1,
    shelf: 1,
    sinkbasin: 1,
  }),
  kettle: carried(['clean'], {
    cabinet: 3,
    countertop: 3,
    diningtable: 2,
    shelf: 2,
    sinkbasin: 2,
    stoveburner: 4,
  }),
  keychain: carried([], gadget),
  knife: carried(['clean', 'cut'], cutlery),
  ladle: carried(['clean'], { ...cutlery, cabinet: 3 }),
  laptop: carried([], {
    armchair: 2,
    bed: 5,
    coffeetable: 4,
    desk: 5,
    diningtable: 4,
    dresser: 2,
    ottoman: 1,
    sidetable: 1,
    sofa: 4,
  }),
  lettuce: carried(['clean', 'cool', 'slice'], produce),
  mug: carried(['clean', 'heat', 'cool', 'contain'], { ...tableware, coffeemachine: 3, desk: 2 }),
  newspaper: carried([], {
    armchair: 2,
    bed: 1,
    cabinet: 1,
    coffeetable: 4,
    desk: 1,
    diningtable: 2,
    drawer: 3,
    dresser: 1,
    garbagecan: 2,
    ottoman: 2,
    sidetable: 3,
    sofa: 3,
    tvstand: 2,
  }),
  pan: carried(['clean', 'cool', 'contain'], cookware),
  papertowelroll: carried([], {
    cabinet: 4,
    cart: 1,
    countertop: 4,
    diningtable: 2,
    drawer: 2,
    garbagecan: 2,
    shelf: 3,
    sidetable: 1,
  }),
  pen: carried([], stationery),
  pencil: carried([], stationery),
  peppershaker: carried([], shaker),
  pillow: carried([], { armchair: 4, bed: 7, ottoman: 1, sofa: 6 }),
  plate: carried(['clean', 'heat', 'cool', 'contain'], { ...tableware, coffeetable: 2 }),
  pot: carried(['clean', 'cool', 'contain'], cookware),
  potato: carried(['clean', 'heat', 'cool', 'slice'], produce),
  remotecontrol: carried([], { ...gadget, armchair: 3, sofa: 4, tvstand: 4 }),
  saltshaker: carried([], shaker),
  scrubbrush: carried([], { bathtubbasin: 1, cabinet: 3, cart: 1, countertop: 2, garbagecan: 0, toilet: 4 }),
  soapbar: carried(['clean'], { ...sanitary, bathtubbasin: 4, sinkbasin: 4 }),
  soapbottle: carried([], { ...sanitary, bathtubbasin: 2, sinkbasin: 3 }),
  spatula: carried(['clean'], cutlery),
  spoon: carried(['clean'], cutlery),
  spraybottle: carried([], sanitary),
  statue: carried([], ornament),
  teddybear: carried([], { armchair: 2, bed: 6, desk: 1, dresser: 2, laundryhamper: 0, ottoman: 1, sofa: 2 }),
  television: standing(['toggle'], { dresser: 2, shelf: 0, sidetable: 1, tvstand: 8 }),
  tennisracket: carried([], { bed: 4, desk: 2, dresser: 2, laundryhamper: 0 }),
  tissuebox: carried([], {
    ...sanitary,
    coffeetable: 4,
    desk: 2,
    dresser: 3,
    sidetable: 3,
    sinkbasin: 0,
    bathtubbasin: 0,
  }),
  toiletpaper: carried([], { ...sanitary, bathtubbasin: 0, sinkbasin: 0, toilet: 4, toiletpaperhanger: 6 }),
  tomato: carried(['clean', 'heat', 'cool', 'slice'], produce),
  towel: carried([], { bathtubbasin: 1, bed: 1, cabinet: 1, laundryhamper: 3, shelf: 1, towelholder: 8 }),
  vase: carried([], { ...ornament, countertop: 3 }),
  watch: carried([], gadget),
  wateringcan: carried([], { coffeetable: 2, desk: 1, diningtable: 2, shelf: 2, sidetable: 2 }),
  winebottle: carried(['cool'], {
    cabinet: 4,
    countertop: 3,
    diningtable: 3,
    fridge: 3,
    garbagecan: 2,
    shelf: 3,
  }),
} as const satisfies Readonly<Record<string, ObjectTraits>>;

/**
 * Words that no training panel of any household world contains. Only the hard world's `unseen` panel has
 * them.
 */
export const reservedObjects = {
  carrot: carried(['clean', 'heat', 'cool', 'slice'], produce),
  comb: carried([], sanitary),
  flashlight: carried([], gadget),
  jug: carried(['clean', 'heat', 'cool'], tableware),
  notebook: carried([], stationery),
  pear: carried(['clean', 'heat', 'cool', 'slice'], produce),
  purse: carried([], gadget),
  ruler: carried([], stationery),
  saucer: carried(['clean', 'heat', 'cool'], tableware),
  scarf: carried([], {
    armchair: 2,
    bed: 4,
    drawer: 2,
    dresser: 3,
    laundryhamper: 2,
    ottoman: 1,
    sofa: 2,
    sidetable: 1,
    desk: 1,
  }),
  teapot: carried(['clean', 'heat', 'cool'], { ...tableware, stoveburner: 2 }),
  toothbrush: carried(['clean'], sanitary),
} as const satisfies Readonly<Record<string, ObjectTraits>>;

export type ObjectType = keyof typeof householdObjects | keyof typeof reservedObjects;

/** Every kind of object, by its word. */
export const objectTypes: Readonly<Record<ObjectType, ObjectTraits>> = {
  ...householdObjects,
  ...reservedObjects,
};

/** True where the planning domain's `canContain` holds. */
export function canContain(receptacle: ReceptacleType, object: ObjectType): boolean {
  return objectTypes[object].places[receptacle] !== undefined;
}

export function hasAbility(object: ObjectType, ability: Ability): boolean {
  return objectTypes[object].abilities.includes(ability);
}
