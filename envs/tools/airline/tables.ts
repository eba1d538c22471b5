import { z } from 'zod';
import { createRng } from '../../core/rng.ts';
import type { TableRows } from '../../engines/tools/tables.ts';
import { cities, drawMail, firstNames, IdDrawer, lastNames } from '../names.ts';

export const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const memberLevels = ['regular', 'silver', 'gold'] as const;
export const cabins = ['economy', 'business'] as const;

export const airlineTables = {
  members: z.strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    level: z.enum(memberLevels),
    /** Vouchers, in euros. */
    vouchers: z.int(),
    hasLounge: z.boolean(),
  }),
  flights: z.strictObject({
    id: z.string(),
    origin: z.string(),
    destination: z.string(),
    day: z.enum(days),
    price: z.int(),
    seats: z.int(),
  }),
  bookings: z.strictObject({
    id: z.string(),
    member: z.string(),
    flight: z.string(),
    origin: z.string(),
    destination: z.string(),
    cabin: z.enum(cabins),
    bags: z.int(),
    insurance: z.enum(['insured', 'uninsured']),
    state: z.enum(['active', 'cancelled']),
    isPrinted: z.boolean(),
  }),
};
export type AirlineTables = typeof airlineTables;

const memberCount = 800;
const bookingsEach = 3;

/** 800 members with three bookings each, and a flight on each day of each of 120 routes. */
export function airlineRows(seed: number): TableRows<AirlineTables> {
  const rng = createRng(seed).fork('airline-rows');
  const ids = new IdDrawer(rng.fork('ids'));
  const routes = rng
    .shuffle(
      cities.flatMap((origin) => cities.filter((to) => to !== origin).map((to) => [origin, to] as const)),
    )
    .slice(0, 120);
  const flights = routes.flatMap(([origin, destination]) =>
    days.map((day) => ({
      id: ids.draw('flt'),
      origin,
      destination,
      day,
      price: 40 + rng.int(300),
      seats: rng.int(3) === 0 ? 0 : 1 + rng.int(30),
    })),
  );
  const members = Array.from({ length: memberCount }, (_, index) => {
    const [first, last] = [rng.pick(firstNames), rng.pick(lastNames)];
    return {
      id: ids.draw('mem'),
      name: `${first} ${last}`,
      email: drawMail(first, last, index),
      level: rng.pick(memberLevels),
      vouchers: 0,
      hasLounge: false,
    };
  });
  const bookings = members.flatMap((member) =>
    rng
      .shuffle(routes)
      .slice(0, bookingsEach)
      .map(([origin, destination]) => ({
        id: ids.draw('bkg'),
        member: member.id,
        flight: rng.pick(
          flights.filter((flight) => flight.origin === origin && flight.destination === destination),
        ).id,
        origin,
        destination,
        cabin: rng.pick(cabins),
        bags: rng.int(2),
        insurance: rng.pick(['insured', 'uninsured'] as const),
        state: 'active' as const,
        isPrinted: false,
      })),
  );
  return { members, flights, bookings };
}
