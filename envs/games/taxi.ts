import { z } from 'zod';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import type { Place } from './directions.ts';
import { drawOutcome, type Outcome } from './outcomes.ts';
import { gameCatalogue, gameRecipes, nothingHidden } from './recipes.ts';
import { shortestPath } from './shortest-path.ts';

/** Gymnasium's order of actions. */
const actions = ['south', 'north', 'east', 'west', 'pickup', 'dropoff'] as const;
type Action = (typeof actions)[number];
type Heading = 'south' | 'north' | 'east' | 'west';

const steps: Readonly<Record<Heading, Place>> = {
  south: [1, 0],
  north: [-1, 0],
  east: [0, 1],
  west: [0, -1],
};
/** In the rain a taxi drifts to the left or to the right of its heading. */
const sides: Readonly<Record<Heading, readonly [left: Heading, right: Heading]>> = {
  south: ['east', 'west'],
  north: ['west', 'east'],
  east: ['north', 'south'],
  west: ['south', 'north'],
};

const map = [
  '+---------+',
  '|R: | : :G|',
  '| : | : : |',
  '| : : : : |',
  '| | : | : |',
  '|Y| : |B: |',
  '+---------+',
];
const stands = ['red', 'green', 'yellow', 'blue'] as const;
const places: readonly Place[] = [
  [0, 0],
  [0, 4],
  [4, 0],
  [4, 3],
];
const inTaxi = 4;

interface Ride {
  readonly row: number;
  readonly column: number;
  /** The index of a stand, or 4 for the taxi. */
  readonly passenger: number;
  readonly destination: number;
  /** Whether the passenger can still change the destination. */
  readonly fickle: boolean;
}

const config = z.strictObject({
  rainy: z.boolean().default(false).describe('whether the taxi can drift to either side'),
  rainyProbability: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe('probability of the intended move in the rain; the rest is shared by the two sides'),
  ficklePassenger: z
    .boolean()
    .default(false)
    .describe('whether the passenger can choose another destination on the first move after the pickup'),
  fickleProbability: z.number().min(0).max(1).default(0.3).describe('probability of another destination'),
});
type Config = z.output<typeof config>;

/** Whether a wall of the map or its edge is on this side of a square. */
function isBlocked(row: number, column: number, heading: Heading): boolean {
  if (heading === 'south') return row === 4;
  if (heading === 'north') return row === 0;
  return (map[row + 1] ?? '').charAt(2 * column + (heading === 'east' ? 2 : 0)) !== ':';
}

function moved(ride: Ride, heading: Heading): Ride {
  if (isBlocked(ride.row, ride.column, heading)) return ride;
  const [down, across] = steps[heading];
  return { ...ride, row: ride.row + down, column: ride.column + across };
}

const standAt = (row: number, column: number): number =>
  places.findIndex(([standRow, standColumn]) => standRow === row && standColumn === column);

function pickup(ride: Ride): Outcome<Ride> {
  const isHere = ride.passenger < inTaxi && standAt(ride.row, ride.column) === ride.passenger;
  const state = isHere ? { ...ride, passenger: inTaxi } : ride;
  return { probability: 1, state, reward: isHere ? -1 : -10, ends: false };
}

function dropoff(ride: Ride): Outcome<Ride> {
  const stand = standAt(ride.row, ride.column);
  if (ride.passenger !== inTaxi || stand < 0)
    return { probability: 1, state: ride, reward: -10, ends: false };
  const ends = stand === ride.destination;
  return { probability: 1, state: { ...ride, passenger: stand }, reward: ends ? 20 : -1, ends };
}

function outcomesOf(ride: Ride, action: Action, { rainy, rainyProbability }: Config): Outcome<Ride>[] {
  if (action === 'pickup') return [pickup(ride)];
  if (action === 'dropoff') return [dropoff(ride)];
  const outcome = (state: Ride, probability: number) => ({ probability, state, reward: -1, ends: false });
  if (!rainy) return [outcome(moved(ride, action), 1)];
  // A taxi that the wall stops does not drift either.
  const drift = isBlocked(ride.row, ride.column, action) ? undefined : sides[action];
  const side = (1 - rainyProbability) / 2;
  return [
    outcome(moved(ride, action), rainyProbability),
    outcome(drift === undefined ? ride : moved(ride, drift[0]), side),
    outcome(drift === undefined ? ride : moved(ride, drift[1]), side),
  ];
}

const where = (passenger: number): string =>
  passenger === inTaxi ? 'in the taxi' : `at the ${stands[passenger]} stand`;

const describe = ({ row, column, passenger, destination }: Ride): string =>
  `${map.join('\n')}\nThe taxi is at row ${row + 1}, column ${column + 1}. The passenger is ${where(passenger)} and wants to go to the ${stands[destination]} stand.`;

function readRide(observation: string): Ride {
  const [, row = 1, column = 1, passenger = '', destination = ''] =
    /row (\d), column (\d)\. The passenger is (?:in the|at the) (\w+)(?: stand)? and wants to go to the (\w+) stand/.exec(
      observation,
    ) ?? [];
  const stand = (name: string): number => stands.findIndex((known) => known === name);
  return {
    row: Number(row) - 1,
    column: Number(column) - 1,
    passenger: passenger === 'taxi' ? inTaxi : stand(passenger),
    destination: stand(destination),
    fickle: false,
  };
}

/** The fewest actions that bring the passenger to the destination, without rain. */
const wayOf = (start: Ride): readonly Action[] =>
  shortestPath<Ride, Action>(start, {
    key: ({ row, column, passenger }) => (row * 5 + column) * 5 + passenger,
    next: (ride) =>
      actions
        .map((action) => [action, outcomesOf(ride, action, config.parse({}))[0]] as const)
        .flatMap(([action, outcome]) =>
          outcome === undefined || outcome.reward === -10 ? [] : [[action, outcome.state] as const],
        ),
    isGoal: ({ passenger, destination }) => passenger === destination,
  }) ?? [];

/**
 * Taxi of Gymnasium 1.4 (Dietterich 2000): map, rewards, rain, the fickle passenger and the limit of 200 steps are those of Taxi-v4. The
 * 300 starts are divided into panels.
 */
export const taxiEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-taxi-v1',
    config,
    instruction:
      'Drive the taxi to the passenger, pick the passenger up, and drop the passenger off at the wanted stand. R, G, Y and B are the red, green, yellow and blue stand. A taxi drives through ":" but not through "|".',
    draw: (rng, { ficklePassenger }): Ride => {
      const [row, column, passenger] = [rng.int(5), rng.int(5), rng.int(4)];
      const destination = rng.pick([0, 1, 2, 3].filter((stand) => stand !== passenger));
      return { row, column, passenger, destination, fickle: ficklePassenger };
    },
    apart: ({ row, column, passenger, destination }) => [row, column, passenger, destination],
  }),
  summary: 'Taxi as in Gymnasium: fetch a passenger and bring the passenger to a stand',
  deterministic: false,
  turnLimit: 200,
  unchecked: nothingHidden,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['grid', 'navigation']),
  observe: describe,
  actions: () => actions,
  refuse: () => ({ reward: { refused: -10 } }), // as an illegal pickup
  step: (ride, action, { rng }, settings) => {
    const { state, reward, ends } = drawOutcome(outcomesOf(ride, action as Action, settings), rng);
    if (ends) return { state, outcome: 'solved', reward: { delivered: reward } };
    const earned = reward === -10 ? { refused: reward } : { step: reward };
    const isFirstMove =
      ride.fickle && ride.passenger === inTaxi && (state.row !== ride.row || state.column !== ride.column);
    if (!isFirstMove) return { state, reward: earned };
    const luck = rng.fork('fickle');
    const destination =
      luck.uniform() < settings.fickleProbability
        ? luck.pick([0, 1, 2, 3].filter((stand) => stand !== ride.destination))
        : state.destination;
    return { state: { ...state, destination, fickle: false }, reward: earned };
  },
  features: (observation) => {
    const { row, column, passenger, destination } = readRide(observation);
    const [goalRow, goalColumn] = places[passenger === inTaxi ? destination : passenger] ?? [0, 0];
    return {
      grid: { rows: map.map((line) => line), focus: [row + 1, 2 * column + 1] },
      fields: {
        carries: passenger === inTaxi,
        down: goalRow - row,
        across: goalColumn - column,
        row,
        column,
      },
    };
  },
  target: (action) => {
    const step = steps[action as Heading] as Place | undefined;
    return step === undefined ? { verb: action } : { verb: 'drive', direction: step };
  },
  experts: {
    searcher: () => ({ act: ({ observation }) => wayOf(readRide(observation))[0] ?? 'dropoff' }),
  },
});
