import { z } from 'zod';
import { defineTool, Refusal } from '../../engines/tools/tool.ts';
import type { RowOf } from '../../engines/tools/tables.ts';
import type { World } from '../../engines/tools/world.ts';
import { fail } from '../domain.ts';
import { printModel } from '../python/print-model.ts';
import { entryOf, inFileOrder } from '../rows.ts';
import { asText } from '../generic-tools.ts';
import {
  airlineTables,
  directFlight,
  reservation,
  user,
  type AirlineTables,
  type DirectFlight,
} from './models.ts';

export type AirlineWorld = World<AirlineTables>;
export type FlightDate = RowOf<AirlineTables, 'flights'>['dates'][string];

export const userIn = (world: AirlineWorld, id: string): RowOf<AirlineTables, 'users'> | Refusal =>
  world.get('users', id) ?? fail(`User ${id} not found`);

export const reservationIn = (
  world: AirlineWorld,
  id: string,
): RowOf<AirlineTables, 'reservations'> | Refusal =>
  world.get('reservations', id) ?? fail(`Reservation ${id} not found`);

/** A flight with its state on a date. */
export function flightOn(
  world: AirlineWorld,
  number: string,
  date: string,
): { readonly flight: RowOf<AirlineTables, 'flights'>; readonly on: FlightDate } | Refusal {
  const flight = world.get('flights', number);
  if (flight === undefined) return fail(`Flight ${number} not found`);
  const on = entryOf(flight.dates, date);
  return on === undefined ? fail(`Flight ${number} not found on date ${date}`) : { flight, on };
}

/** The airports of the original, which no file has. */
const airports: readonly (readonly [iata: string, city: string])[] = [
  ['SFO', 'San Francisco'],
  ['JFK', 'New York'],
  ['LAX', 'Los Angeles'],
  ['ORD', 'Chicago'],
  ['DFW', 'Dallas'],
  ['DEN', 'Denver'],
  ['SEA', 'Seattle'],
  ['ATL', 'Atlanta'],
  ['MIA', 'Miami'],
  ['BOS', 'Boston'],
  ['PHX', 'Phoenix'],
  ['IAH', 'Houston'],
  ['LAS', 'Las Vegas'],
  ['MCO', 'Orlando'],
  ['EWR', 'Newark'],
  ['CLT', 'Charlotte'],
  ['MSP', 'Minneapolis'],
  ['DTW', 'Detroit'],
  ['PHL', 'Philadelphia'],
  ['LGA', 'LaGuardia'],
];
const airportList = z.array(z.object({ iata: z.string(), city: z.string() }));

/** Python compares texts by code points; times are ASCII. */
const isFrom = (time: string, earliest: string | undefined): boolean =>
  earliest === undefined || time >= earliest;

function searchDirect(
  world: AirlineWorld,
  of: {
    readonly date: string;
    readonly origin: string;
    readonly destination?: string;
    readonly leaveAfter?: string;
  },
): readonly DirectFlight[] {
  return inFileOrder(world.all('flights')).flatMap((row) => {
    const on = entryOf(row.dates, of.date);
    const fits =
      row.origin === of.origin &&
      (of.destination === undefined || row.destination === of.destination) &&
      isFrom(row.scheduled_departure_time_est, of.leaveAfter);
    return fits && on?.status === 'available'
      ? [
          directFlight.parse({
            ...row,
            status: on.status,
            available_seats: on.available_seats,
            prices: on.prices,
          }),
        ]
      : [];
  });
}

/** The date on which a second flight leaves, as the original writes it: without a leading zero. */
function nextDate(date: string): string | Refusal {
  const day = date.slice(-2);
  return /^\s*[+-]?\d+\s*$/.test(day)
    ? `2024-05-${Number(day) + 1}`
    : fail(`invalid literal for int() with base 10: '${day}'`);
}

function searchOneStop(
  world: AirlineWorld,
  {
    origin,
    destination,
    date,
  }: { readonly origin: string; readonly destination: string; readonly date: string },
): DirectFlight[][] | Refusal {
  const pairs: DirectFlight[][] = [];
  for (const first of searchDirect(world, { date, origin })) {
    const leaveAfter = first.scheduled_arrival_time_est;
    const second = leaveAfter.includes('+1') ? nextDate(date) : date;
    if (second instanceof Refusal) return second;
    const found = searchDirect(world, { date: second, origin: first.destination, destination, leaveAfter });
    for (const one of found)
      pairs.push([
        { ...first, date },
        { ...one, date: second },
      ]);
  }
  return pairs;
}

const searchInput = z.strictObject({
  origin: z.string().describe("the origin city airport in three letters, such as 'JFK'"),
  destination: z.string().describe("the destination city airport in three letters, such as 'LAX'"),
  date: z.string().describe("the date of the flight in the format 'YYYY-MM-DD', such as '2024-05-01'"),
});
const directFlights = z.array(directFlight);
const flightPairs = z.array(z.array(directFlight));

export const lookUps = [
  defineTool(airlineTables, {
    name: 'get_reservation_details',
    description: 'Gets the details of a reservation.',
    input: z.strictObject({ reservation_id: z.string().describe("the reservation ID, such as '8JX2WO'") }),
    output: reservation,
    run: ({ reservation_id }, world) => {
      const row = reservationIn(world, reservation_id);
      return row instanceof Refusal ? row : reservation.parse(row);
    },
    print: (value) => printModel(reservation, value),
  }),
  defineTool(airlineTables, {
    name: 'get_user_details',
    description: 'Gets the details of a user, including their reservations.',
    input: z.strictObject({ user_id: z.string().describe("the user ID, such as 'sara_doe_496'") }),
    output: user,
    run: ({ user_id }, world) => {
      const row = userIn(world, user_id);
      return row instanceof Refusal ? row : user.parse(row);
    },
    print: (value) => printModel(user, value),
  }),
  defineTool(airlineTables, {
    name: 'list_all_airports',
    description: 'Returns a list of all available airports.',
    input: z.strictObject({}),
    output: airportList,
    run: () => airports.map(([iata, city]) => ({ iata, city })),
    print: (value) => printModel(airportList, value),
  }),
  defineTool(airlineTables, {
    name: 'search_direct_flight',
    description: 'Searches for direct flights between two cities on a specific date.',
    input: searchInput,
    output: directFlights,
    run: (args, world) => [...searchDirect(world, args)],
    print: (value) => printModel(directFlights, value),
  }),
  defineTool(airlineTables, {
    name: 'search_onestop_flight',
    description: 'Searches for one-stop flights between two cities on a specific date.',
    input: searchInput,
    output: flightPairs,
    run: (args, world) => searchOneStop(world, args),
    print: (value) => printModel(flightPairs, value),
  }),
  defineTool(airlineTables, {
    name: 'get_flight_status',
    description: 'Gets the status of a flight.',
    input: z.strictObject({
      flight_number: z.string().describe('the flight number'),
      date: z.string().describe('the date of the flight'),
    }),
    output: z.string(),
    run: ({ flight_number, date }, world) => {
      const found = flightOn(world, flight_number, date);
      return found instanceof Refusal ? found : found.on.status;
    },
    print: asText,
  }),
];
