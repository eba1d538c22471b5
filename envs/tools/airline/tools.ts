import { z } from 'zod';
import { from } from '../../engines/tools/argument.ts';
import { defineTool, refuse, type Refusal } from '../../engines/tools/tool.ts';
import { emailPattern, idPattern } from '../names.ts';
import { airlineTables, cabins, days, memberLevels } from './tables.ts';

const memberId = from('members.id', z.string().regex(idPattern('mem')).describe('id of a member'));
const bookingId = from('bookings.id', z.string().regex(idPattern('bkg')).describe('id of a booking'));
const flightId = from('flights.id', z.string().regex(idPattern('flt')).describe('id of a flight'));

const noMember = (id: string): Refusal => refuse('not_found', `There is no member ${id}.`);
const noBooking = (id: string): Refusal => refuse('not_found', `There is no booking ${id}.`);
const noFlight = (id: string): Refusal => refuse('not_found', `There is no flight ${id}.`);

const lookUps = [
  defineTool(airlineTables, {
    name: 'find_member',
    description: 'finds the member with an email address',
    input: z.strictObject({ email: z.string().regex(emailPattern).describe('email address') }),
    output: z.strictObject({ member: memberId, name: z.string() }),
    run: ({ email }, world) => {
      const [found] = world.where('members', 'email', email);
      return found === undefined ? noMember(email) : { member: found.id, name: found.name };
    },
  }),
  defineTool(airlineTables, {
    name: 'get_member',
    description: 'shows level and vouchers of a member',
    input: z.strictObject({ member: memberId }),
    output: z.strictObject({
      member: memberId,
      email: z.string(),
      level: z.enum(memberLevels),
      vouchers: z.int(),
    }),
    run: ({ member }, world) => {
      const row = world.get('members', member);
      if (row === undefined) return noMember(member);
      return { member, email: row.email, level: row.level, vouchers: row.vouchers };
    },
  }),
  defineTool(airlineTables, {
    name: 'list_bookings',
    description: 'lists the bookings of a member',
    input: z.strictObject({ member: memberId }),
    output: z.strictObject({ bookings: z.array(bookingId) }),
    run: ({ member }, world) =>
      world.get('members', member) === undefined
        ? noMember(member)
        : { bookings: world.where('bookings', 'member', member).map(({ id }) => id) },
  }),
  defineTool(airlineTables, {
    name: 'get_booking',
    description: 'shows flight, route, cabin, bags and insurance of a booking',
    input: z.strictObject({ booking: bookingId }),
    output: z.strictObject({
      booking: bookingId,
      flight: flightId,
      origin: z.string(),
      destination: z.string(),
      cabin: z.enum(cabins),
      bags: z.int(),
      insurance: z.enum(['insured', 'uninsured']),
      state: z.enum(['active', 'cancelled']),
    }),
    run: ({ booking }, world) => {
      const row = world.get('bookings', booking);
      if (row === undefined) return noBooking(booking);
      const { flight, origin, destination, cabin, bags, insurance, state } = row;
      return { booking, flight, origin, destination, cabin, bags, insurance, state };
    },
  }),
  defineTool(airlineTables, {
    name: 'search_flights',
    description: 'lists the flights from a city to another',
    input: z.strictObject({ origin: z.string().describe('city'), destination: z.string().describe('city') }),
    output: z.strictObject({ flights: z.array(flightId) }),
    run: ({ origin, destination }, world) => {
      const flights = world
        .where('flights', 'origin', origin)
        .filter((flight) => flight.destination === destination);
      if (flights.length === 0)
        return refuse('not_found', `No flight goes from ${origin} to ${destination}.`);
      return { flights: flights.map(({ id }) => id) };
    },
  }),
  defineTool(airlineTables, {
    name: 'get_flight',
    description: 'shows day, price and free seats of a flight',
    input: z.strictObject({ flight: flightId }),
    output: z.strictObject({
      flight: flightId,
      day: z.enum(days),
      price: z.int(),
      seats: z.int(),
      space: z.enum(['free', 'full']),
    }),
    run: ({ flight }, world) => {
      const row = world.get('flights', flight);
      if (row === undefined) return noFlight(flight);
      const { day, price, seats } = row;
      return { flight, day, price, seats, space: seats > 0 ? 'free' : 'full' } as const;
    },
  }),
];

const changes = [
  defineTool(airlineTables, {
    name: 'cancel_booking',
    description: 'cancels a booking and gives its seat free',
    input: z.strictObject({ booking: bookingId }),
    output: z.strictObject({ booking: bookingId, state: z.literal('cancelled') }),
    run: ({ booking }, world) => {
      const row = world.get('bookings', booking);
      if (row === undefined) return noBooking(booking);
      if (row.state === 'cancelled') return refuse('not_allowed', 'The booking is cancelled already.');
      const seats = world.get('flights', row.flight)?.seats ?? 0;
      world.update('flights', row.flight, { seats: seats + 1 });
      world.update('bookings', booking, { state: 'cancelled' });
      return { booking, state: 'cancelled' } as const;
    },
  }),
  defineTool(airlineTables, {
    name: 'change_flight',
    description: 'moves a booking to another flight',
    input: z.strictObject({ booking: bookingId, flight: flightId }),
    output: z.strictObject({ booking: bookingId, flight: flightId }),
    run: ({ booking, flight }, world) => {
      const [row, wanted] = [world.get('bookings', booking), world.get('flights', flight)];
      if (row === undefined) return noBooking(booking);
      if (wanted === undefined) return noFlight(flight);
      if (wanted.seats === 0) return refuse('not_allowed', 'The flight has no free seat.');
      const seats = world.get('flights', row.flight)?.seats ?? 0;
      world.update('flights', row.flight, { seats: seats + 1 });
      world.update('flights', flight, { seats: (world.get('flights', flight)?.seats ?? 0) - 1 });
      world.update('bookings', booking, { flight, origin: wanted.origin, destination: wanted.destination });
      return { booking, flight };
    },
  }),
  defineTool(airlineTables, {
    name: 'set_bags',
    description: 'sets the number of bags of a booking',
    input: z.strictObject({ booking: bookingId, bags: from('said', z.int().min(0).max(9)) }),
    output: z.strictObject({ booking: bookingId, bags: z.int() }),
    run: ({ booking, bags }, world) => {
      if (world.get('bookings', booking) === undefined) return noBooking(booking);
      return { booking, bags: world.update('bookings', booking, { bags }).bags };
    },
  }),
  defineTool(airlineTables, {
    name: 'send_voucher',
    description: 'sends a member a voucher',
    input: z.strictObject({ member: memberId, amount: z.int().min(10).max(1_000).describe('euros') }),
    output: z.strictObject({ member: memberId, vouchers: z.int() }),
    run: ({ member, amount }, world) => {
      const row = world.get('members', member);
      if (row === undefined) return noMember(member);
      const { vouchers } = world.update('members', member, { vouchers: row.vouchers + amount });
      return { member, vouchers };
    },
  }),
];

/** Tools that no request needs. Each of them changes something. */
const distractors = [
  defineTool(airlineTables, {
    name: 'open_lounge',
    description: 'lets a member into the lounge',
    input: z.strictObject({ member: memberId }),
    output: z.strictObject({ member: memberId }),
    run: ({ member }, world) => {
      if (world.get('members', member) === undefined) return noMember(member);
      world.update('members', member, { hasLounge: true });
      return { member };
    },
  }),
  defineTool(airlineTables, {
    name: 'print_ticket',
    description: 'prints the ticket of a booking',
    input: z.strictObject({ booking: bookingId }),
    output: z.strictObject({ booking: bookingId }),
    run: ({ booking }, world) => {
      if (world.get('bookings', booking) === undefined) return noBooking(booking);
      world.update('bookings', booking, { isPrinted: true });
      return { booking };
    },
  }),
];

export const airlineTools = [...lookUps, ...changes, ...distractors];
