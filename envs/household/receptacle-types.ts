/** The traits of a kind of receptacle. */
export interface ReceptacleTraits {
  /** It has a door and is initially closed. Its contents are visible only while it is open. */
  readonly openable: boolean;
  /** The most objects that a new room has there. Players may put any number. */
  readonly room: number;
}

const shelved = (room: number): ReceptacleTraits => ({ openable: false, room });
const doored = (room: number): ReceptacleTraits => ({ openable: true, room });

/** Every kind of receptacle, by its word in texts. */
export const receptacleTypes = {
  armchair: shelved(3),
  bathtubbasin: shelved(3),
  bed: shelved(6),
  cabinet: doored(3),
  cart: shelved(4),
  coffeemachine: shelved(1),
  coffeetable: shelved(6),
  countertop: shelved(12),
  desk: shelved(8),
  diningtable: shelved(12),
  drawer: doored(3),
  dresser: shelved(8),
  fridge: doored(8),
  garbagecan: shelved(4),
  handtowelholder: shelved(1),
  laundryhamper: shelved(3),
  microwave: doored(2),
  ottoman: shelved(3),
  safe: doored(3),
  shelf: shelved(3),
  sidetable: shelved(6),
  sinkbasin: shelved(6),
  sofa: shelved(5),
  stoveburner: shelved(1),
  toaster: shelved(1),
  toilet: shelved(3),
  toiletpaperhanger: shelved(1),
  towelholder: shelved(1),
  tvstand: shelved(5),
} as const satisfies Readonly<Record<string, ReceptacleTraits>>;

export type ReceptacleType = keyof typeof receptacleTypes;
