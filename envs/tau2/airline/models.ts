import { z } from 'zod';
import { from } from '../../engines/tools/argument.ts';
import { rowOf } from '../rows.ts';

// The fields and their order are those of τ²-bench's models. `z.number()` stands for a float of Python, `z.int()` for an integer.

export const cabins = ['business', 'economy', 'basic_economy'] as const;
export const cabinClass = z.enum(cabins);
export const flightType = z.enum(['round_trip', 'one_way']);
export const insurance = z.enum(['yes', 'no']);

const byCabin = z.partialRecord(cabinClass, z.int());

export const payment = z.object({ payment_id: z.string(), amount: z.int() });

const methodId = from('payment_id', z.string());
const paymentMethod = z.discriminatedUnion('source', [
  z.object({ source: z.literal('credit_card'), id: methodId, brand: z.string(), last_four: z.string() }),
  z.object({ source: z.literal('gift_card'), id: methodId, amount: z.number() }),
  z.object({ source: z.literal('certificate'), id: methodId, amount: z.number() }),
]);

export const passenger = z.object({ first_name: z.string(), last_name: z.string(), dob: z.string() });

const flightDate = z.discriminatedUnion('status', [
  z.object({ status: z.literal('available'), available_seats: byCabin, prices: byCabin }),
  z.object({
    status: z.literal('landed'),
    actual_departure_time_est: z.string(),
    actual_arrival_time_est: z.string(),
  }),
  z.object({ status: z.literal('cancelled') }),
  z.object({
    status: z.literal('delayed'),
    estimated_departure_time_est: z.string(),
    estimated_arrival_time_est: z.string(),
  }),
  z.object({
    status: z.literal('flying'),
    actual_departure_time_est: z.string(),
    estimated_arrival_time_est: z.string(),
  }),
  z.object({
    status: z.literal('on time'),
    estimated_departure_time_est: z.string(),
    estimated_arrival_time_est: z.string(),
  }),
]);

const places = { flight_number: z.string(), origin: z.string(), destination: z.string() };

const flight = z.object({
  ...places,
  scheduled_departure_time_est: z.string(),
  scheduled_arrival_time_est: z.string(),
  dates: z.record(z.string(), flightDate),
});

/** A flight as searches show it. */
export const directFlight = z.object({
  ...places,
  status: z.literal('available'),
  scheduled_departure_time_est: z.string(),
  scheduled_arrival_time_est: z.string(),
  date: z.string().nullable().default(null),
  available_seats: byCabin,
  prices: byCabin,
});

export const reservationFlight = z.object({ ...places, date: z.string(), price: z.int() });

export const user = z.object({
  user_id: z.string(),
  name: z.object({ first_name: z.string(), last_name: z.string() }),
  address: z.object({
    address1: z.string(),
    address2: z.string().nullable().default(null),
    city: z.string(),
    country: z.string(),
    state: z.string(),
    zip: z.string(),
  }),
  email: z.string(),
  dob: z.string(),
  payment_methods: z.record(z.string(), paymentMethod),
  saved_passengers: z.array(passenger),
  membership: z.enum(['gold', 'silver', 'regular']),
  reservations: z.array(from('reservation_id', z.string())),
});

export const reservation = z.object({
  reservation_id: z.string(),
  user_id: z.string(),
  origin: z.string(),
  destination: z.string(),
  flight_type: flightType,
  cabin: cabinClass,
  flights: z.array(reservationFlight),
  passengers: z.array(passenger),
  payment_history: z.array(payment),
  created_at: z.string(),
  total_baggages: z.int(),
  nonfree_baggages: z.int(),
  insurance,
  status: z.literal('cancelled').nullable().default(null),
});

export const airlineTables = {
  flights: rowOf(flight),
  users: rowOf(user),
  reservations: rowOf(reservation),
};
export type AirlineTables = typeof airlineTables;
export type Cabin = (typeof cabins)[number];
export type Flight = z.output<AirlineTables['flights']>;
export type User = z.output<AirlineTables['users']>;
export type Reservation = z.output<AirlineTables['reservations']>;
export type DirectFlight = z.output<typeof directFlight>;
