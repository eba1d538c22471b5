import { z } from 'zod';
import { defineTool, Refusal } from '../../engines/tools/tool.ts';
import { fail } from '../domain.ts';
import { printModel } from '../python/print-model.ts';
import { draftOf, entryOf } from '../rows.ts';
import { asText } from '../generic-tools.ts';
import { flightOn, reservationIn, userIn, type AirlineWorld } from './look-ups.ts';
import {
  airlineTables,
  cabinClass,
  flightType,
  insurance,
  passenger,
  payment,
  reservation,
  type Cabin,
  type Flight,
  type Reservation,
  type User,
} from './models.ts';

/** What new reservations and certificates are called: the original has three names of each. */
const newReservations = ['HATHAT', 'HATHAU', 'HATHAV'];
const newCertificates = ['certificate_3221322', 'certificate_3221323', 'certificate_3221324'];
const now = '2024-05-15T15:00:00';

const reservationText = (value: z.output<typeof reservation>): string => printModel(reservation, value);
const reservationId = z.string().describe("the reservation ID, such as 'ZFA04Y'");
const paymentId = z
  .string()
  .describe(
    "the payment id stored in the user profile, such as 'credit_card_7815826', 'gift_card_7815826', 'certificate_7815826'",
  );
const flightInfo = z.object({
  flight_number: z.string().describe("flight number, such as 'HAT001'"),
  date: z.string().describe("the date of the flight in the format 'YYYY-MM-DD', such as '2024-05-01'"),
});
type FlightInfo = z.output<typeof flightInfo>;

/** A flight that can be booked: its price, and the row with fewer seats. */
interface Seats {
  readonly booked: Reservation['flights'][number];
  readonly row: Flight;
}

function seatsOn(
  world: AirlineWorld,
  { flight_number, date }: FlightInfo,
  { cabin, count }: { readonly cabin: Cabin; readonly count: number },
): Seats | Refusal {
  const found = flightOn(world, flight_number, date);
  if (found instanceof Refusal) return found;
  const { flight, on } = found;
  if (on.status !== 'available') return fail(`Flight ${flight_number} not available on date ${date}`);
  const [seats, price] = [on.available_seats[cabin], on.prices[cabin]];
  if (seats === undefined || price === undefined) return fail(`'${cabin}'`);
  if (seats < count) return fail(`Not enough seats on flight ${flight_number}`);
  const { origin, destination } = flight;
  return { booked: { flight_number, origin, destination, date, price }, row: draftOf<Flight>(flight) };
}

/** Takes seats of a flight. One flight may be in a reservation twice. */
function takeSeats(
  world: AirlineWorld,
  { booked }: Seats,
  { cabin, count }: { readonly cabin: Cabin; readonly count: number },
): void {
  const row = world.get('flights', booked.flight_number);
  if (row === undefined) return; // it was found before
  const changed = draftOf<Flight>(row);
  const on = changed.dates[booked.date];
  if (on?.status !== 'available') return;
  on.available_seats[cabin] = (on.available_seats[cabin] ?? 0) - count;
  world.put('flights', changed);
}

/** What is wrong with payments for a new reservation; undefined: nothing. */
function flawOfPayments(
  user: User,
  payments: readonly z.output<typeof payment>[],
  total: number,
): Refusal | undefined {
  for (const { payment_id, amount } of payments) {
    const method = entryOf(user.payment_methods, payment_id);
    if (method === undefined) return fail(`Payment method ${payment_id} not found`);
    if (method.source !== 'credit_card' && method.amount < amount)
      return fail(`Not enough balance in payment method ${payment_id}`);
  }
  const paid = payments.reduce((sum, { amount }) => sum + amount, 0);
  return paid === total
    ? undefined
    : fail(`Payment amount does not add up, total price is ${total}, but paid ${paid}`);
}

/** Takes the payments from gift cards, and certificates as a whole. */
function pay(user: User, payments: readonly z.output<typeof payment>[]): Refusal | undefined {
  for (const { payment_id, amount } of payments) {
    const method = entryOf(user.payment_methods, payment_id);
    if (method === undefined) return fail(`'${payment_id}'`);
    if (method.source === 'gift_card') method.amount -= amount;
    if (method.source === 'certificate') delete user.payment_methods[payment_id];
  }
  return undefined;
}

const bookReservation = defineTool(airlineTables, {
  name: 'book_reservation',
  description: 'Books a reservation.',
  input: z.strictObject({
    user_id: z.string().describe("the ID of the user to book the reservation for, such as 'sara_doe_496'"),
    origin: z.string().describe("the IATA code of the origin city, such as 'SFO'"),
    destination: z.string().describe("the IATA code of the destination city, such as 'JFK'"),
    flight_type: flightType.describe("the type of flight, such as 'one_way' or 'round_trip'"),
    cabin: cabinClass.describe("the cabin class, such as 'basic_economy', 'economy' or 'business'"),
    flights: z.array(flightInfo).describe('details about each piece of flight'),
    passengers: z.array(passenger).describe('details about each passenger'),
    payment_methods: z.array(payment).describe('details about each payment method'),
    total_baggages: z.int().describe('the total number of baggage items'),
    nonfree_baggages: z.int().describe('the number of non-free baggage items'),
    insurance: insurance.describe('whether the reservation has insurance'),
  }),
  output: reservation,
  run: (args, world) => {
    const row = userIn(world, args.user_id);
    if (row instanceof Refusal) return row;
    const id = newReservations.find((one) => world.get('reservations', one) === undefined);
    if (id === undefined) return fail('Too many reservations');
    const { flights, payment_methods: payments, passengers, ...rest } = args;
    const count = passengers.length;
    const seats: Seats[] = [];
    for (const info of flights) {
      const found = seatsOn(world, info, { cabin: args.cabin, count });
      if (found instanceof Refusal) return found;
      seats.push(found);
    }
    const total =
      seats.reduce((sum, { booked }) => sum + booked.price * count, 0) +
      (args.insurance === 'yes' ? 30 * count : 0) +
      50 * args.nonfree_baggages;
    const user = draftOf<User>(row);
    const flaw = flawOfPayments(user, payments, total) ?? pay(user, payments);
    if (flaw !== undefined) return flaw;
    for (const one of seats) takeSeats(world, one, { cabin: args.cabin, count });
    user.reservations.push(id);
    world.put('users', user);
    const made = world.put('reservations', {
      id,
      place: world.all('reservations').length,
      ...rest,
      reservation_id: id,
      flights: seats.map(({ booked }) => booked),
      passengers,
      payment_history: payments,
      created_at: now,
      status: null,
    });
    return reservation.parse(made);
  },
  print: reservationText,
});

const cancelReservation = defineTool(airlineTables, {
  name: 'cancel_reservation',
  description: 'Cancels the whole reservation.',
  input: z.strictObject({ reservation_id: reservationId }),
  output: reservation,
  run: ({ reservation_id }, world) => {
    const row = reservationIn(world, reservation_id);
    if (row instanceof Refusal) return row;
    const refunds = row.payment_history.map(({ payment_id, amount }) => ({ payment_id, amount: 0 - amount }));
    // as in the original, the seats stay taken
    return updated(world, row.id, {
      payment_history: [...row.payment_history, ...refunds],
      status: 'cancelled',
    });
  },
  print: reservationText,
});

const updated = (world: AirlineWorld, id: string, columns: Partial<Reservation>) =>
  reservation.parse(world.update('reservations', id, columns));

const sendCertificate = defineTool(airlineTables, {
  name: 'send_certificate',
  description: 'Sends a certificate to a user. Be careful!',
  input: z.strictObject({
    user_id: z.string().describe("the ID of the user, such as 'sara_doe_496'"),
    amount: z.number().describe('the amount of the certificate to send'),
  }),
  output: z.string(),
  run: ({ user_id, amount }, world) => {
    const row = userIn(world, user_id);
    if (row instanceof Refusal) return row;
    const id = newCertificates.find((one) => entryOf(row.payment_methods, one) === undefined);
    if (id === undefined) return fail('Too many certificates');
    world.update('users', row.id, {
      payment_methods: {
        ...draftOf<User>(row).payment_methods,
        [id]: { source: 'certificate', id, amount },
      },
    });
    return `Certificate ${id} added to user ${user_id} with amount ${amount}.`;
  },
  print: asText,
});

/** Pays for an update. Returns the payment to note; undefined: there is nothing to pay. */
function payForUpdate(
  world: AirlineWorld,
  of: { readonly userId: string; readonly paymentId: string; readonly total: number },
): z.output<typeof payment> | Refusal | undefined {
  const { userId, paymentId: payment_id, total } = of;
  const row = userIn(world, userId);
  if (row instanceof Refusal) return row;
  const user = draftOf<User>(row);
  const method = entryOf(user.payment_methods, payment_id);
  if (method === undefined) return fail('Payment method not found');
  if (method.source === 'certificate') return fail('Certificate cannot be used to update reservation');
  if (method.source === 'gift_card') {
    if (method.amount < total) return fail('Gift card balance is not enough');
    method.amount -= total;
    world.put('users', user);
  }
  return total === 0 ? undefined : { payment_id, amount: total };
}

const updateBaggages = defineTool(airlineTables, {
  name: 'update_reservation_baggages',
  description: 'Updates the baggage information of a reservation.',
  input: z.strictObject({
    reservation_id: reservationId,
    total_baggages: z.int().describe('the updated total number of baggage items in the reservation'),
    nonfree_baggages: z.int().describe('the updated number of non-free baggage items in the reservation'),
    payment_id: paymentId,
  }),
  output: reservation,
  run: ({ reservation_id, total_baggages, nonfree_baggages, payment_id }, world) => {
    const row = reservationIn(world, reservation_id);
    if (row instanceof Refusal) return row;
    const total = 50 * Math.max(0, nonfree_baggages - row.nonfree_baggages);
    const paid = payForUpdate(world, { userId: row.user_id, paymentId: payment_id, total });
    if (paid instanceof Refusal) return paid;
    return updated(world, row.id, {
      total_baggages,
      nonfree_baggages,
      payment_history: [...row.payment_history, ...(paid === undefined ? [] : [paid])],
    });
  },
  print: reservationText,
});

const updateFlights = defineTool(airlineTables, {
  name: 'update_reservation_flights',
  description: 'Updates the flight information of a reservation.',
  input: z.strictObject({
    reservation_id: reservationId,
    cabin: cabinClass.describe('the cabin class of the reservation'),
    flights: z
      .array(flightInfo)
      .describe(
        'details about each piece of flight in the ENTIRE new reservation. A flight segment that does not change must be included too.',
      ),
    payment_id: paymentId,
  }),
  output: reservation,
  run: ({ reservation_id, cabin, flights, payment_id }, world) => {
    const found = reservationIn(world, reservation_id);
    if (found instanceof Refusal) return found;
    const row = draftOf<Reservation>(found);
    const user = userIn(world, row.user_id);
    if (user instanceof Refusal) return user;
    const count = row.passengers.length;
    const next: Reservation['flights'] = [];
    for (const info of flights) {
      const same = row.flights.find(
        ({ flight_number, date }) =>
          flight_number === info.flight_number && date === info.date && cabin === row.cabin,
      );
      if (same !== undefined) {
        next.push(same);
        continue;
      }
      const seats = seatsOn(world, info, { cabin, count });
      if (seats instanceof Refusal) return seats;
      next.push(seats.booked);
    }
    const priceOf = (list: Reservation['flights']): number =>
      list.reduce((sum, { price }) => sum + price, 0) * count;
    const total = priceOf(next) - priceOf(row.flights);
    const paid = payForUpdate(world, { userId: row.user_id, paymentId: payment_id, total });
    if (paid instanceof Refusal) return paid;
    // as in the original, the seats of flights do not change
    return updated(world, row.id, {
      flights: next,
      cabin,
      payment_history: [...row.payment_history, ...(paid === undefined ? [] : [paid])],
    });
  },
  print: reservationText,
});

const updatePassengers = defineTool(airlineTables, {
  name: 'update_reservation_passengers',
  description: 'Updates the passenger information of a reservation.',
  input: z.strictObject({
    reservation_id: reservationId,
    passengers: z.array(passenger).describe('details about each passenger'),
  }),
  output: reservation,
  run: ({ reservation_id, passengers }, world) => {
    const row = reservationIn(world, reservation_id);
    if (row instanceof Refusal) return row;
    return passengers.length === row.passengers.length
      ? updated(world, row.id, { passengers })
      : fail('Number of passengers does not match');
  },
  print: reservationText,
});

export const changes = [
  bookReservation,
  cancelReservation,
  sendCertificate,
  updateBaggages,
  updateFlights,
  updatePassengers,
];
