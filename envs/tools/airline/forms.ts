import type { Rng } from '../../core/rng.ts';
import type { RowOf, TableRows } from '../../engines/tools/tables.ts';
import { gold, inShare, type Form, type Share } from '../form.ts';
import { wrongId } from '../names.ts';
import { act, call, done, findAmong, forbidden, listIn, lookUp, tell, type Asked } from '../procedure.ts';
import { days, type AirlineTables } from './tables.ts';

type Rows = TableRows<AirlineTables>;
type Booking = RowOf<AirlineTables, 'bookings'>;

export const airlineRules = {
  not_insured: 'No cancelling of a booking that is uninsured.',
  no_seats: 'No change to a flight that is full.',
  economy_bags: 'At most 2 bags in economy.',
  regular_member: 'No voucher for regular members.',
};

const economyBags = 2;

const bookingSlot = { name: 'booking', label: 'booking id', wrong: (rng: Rng) => wrongId(rng, 'bkg') };
const emailSlot = { name: 'email', label: 'email address', wrong: () => 'no.body@mail.example' };

const drawBooking = (rng: Rng, rows: Rows, share: Share, fits: (booking: Booking) => boolean): Booking =>
  rng.pick(inShare(rows.bookings, share).filter(fits));

const emailOf = (rows: Rows, { member }: Booking): string =>
  rows.members.find(({ id }) => id === member)?.email ?? '';

/** Finds the booking to a city by the email address of its member. */
function* findBooking(asked: Asked) {
  const { found } = yield* lookUp(asked, emailSlot, { tool: 'find_member', argument: 'email' });
  const bookings = listIn(yield* call('list_bookings', { member: found['member'] ?? '' }), 'bookings');
  const booking = yield* findAmong(
    asked,
    bookings,
    { tool: 'get_booking', argument: 'booking' },
    ({ origin, destination }) =>
      origin === asked.values['origin'] && destination === asked.values['destination'],
  );
  return booking ?? { id: '', found: {} };
}

const byEmail = (rows: Rows, booking: Booking) => [
  gold('find_member', { email: emailOf(rows, booking) }),
  gold('list_bookings', { member: booking.member }),
  gold('get_booking', { booking: booking.id }),
];

const cancel: Form<AirlineTables> = {
  name: 'cancel',
  kind: 'act',
  wordings: [
    'Please cancel my booking[ {booking}].',
    'I cannot fly, so cancel a booking for me[, {booking}].',
    'Could you call off a trip[: {booking}]?',
  ],
  slot: bookingSlot,
  needs: 'cancel_booking',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const { id } = drawBooking(
      rng,
      rows,
      share,
      ({ insurance }) => (insurance === 'uninsured') === isForbidden,
    );
    return {
      values: { booking: id },
      lookUps: [gold('get_booking', { booking: id })],
      acts: [gold('cancel_booking', { booking: id })],
      read: [`bookings/${id}`],
      ...(isForbidden ? { rule: 'not_insured' } : {}),
    };
  },
  *solve(asked) {
    const { value, found } = yield* lookUp(asked, bookingSlot, { tool: 'get_booking', argument: 'booking' });
    if (found['insurance'] === 'uninsured') return forbidden('not_insured');
    yield* act(asked, 'cancel_booking', { booking: value });
    return done;
  },
};

const change: Form<AirlineTables> = {
  name: 'change',
  kind: 'act',
  wordings: [
    'Please move my trip from "{origin}" to "{destination}" to {day}.[ My email address is {email}.]',
    '[I am {email}. ]I booked from "{origin}" to "{destination}", and want to fly on {day} instead.',
    '[This is {email}. ]Can I go on {day} when I fly from "{origin}" to "{destination}"?',
  ],
  slot: emailSlot,
  needs: 'change_flight',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const fits = ({ origin, destination, flight }: Booking) =>
      rows.flights.filter(
        (one) =>
          one.origin === origin &&
          one.destination === destination &&
          one.id !== flight &&
          (one.seats === 0) === isForbidden,
      );
    const booking = drawBooking(rng, rows, share, (one) => fits(one).length > 0);
    const wanted = rng.pick(fits(booking));
    const { origin, destination } = booking;
    return {
      values: { origin, destination, day: wanted.day, email: emailOf(rows, booking) },
      lookUps: [
        ...byEmail(rows, booking),
        gold('search_flights', { origin, destination }),
        gold('get_flight', { flight: wanted.id }),
      ],
      acts: [gold('change_flight', { booking: booking.id, flight: wanted.id })],
      read: [`bookings/${booking.id}`, `flights/${wanted.id}`],
      ...(isForbidden ? { rule: 'no_seats' } : {}),
    };
  },
  *solve(asked) {
    const { origin = '', destination = '', day } = asked.values;
    const { id } = yield* findBooking(asked);
    const flights = listIn(yield* call('search_flights', { origin, destination }), 'flights');
    const flight = yield* findAmong(
      asked,
      flights,
      { tool: 'get_flight', argument: 'flight' },
      (found) => found['day'] === day,
    );
    if (flight?.found['space'] === 'full') return forbidden('no_seats');
    yield* act(asked, 'change_flight', { booking: id, flight: flight?.id ?? '' });
    return done;
  },
};

const bags: Form<AirlineTables> = {
  name: 'bags',
  kind: 'act',
  wordings: [
    'I will bring {bags} bags. Please write that into my booking[ {booking}].',
    'Set my bags to {bags} for a booking[, {booking}].',
    'I travel with {bags} bags now[, on {booking}].',
  ],
  slot: bookingSlot,
  needs: 'set_bags',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const isMany = isForbidden || rng.int(2) === 0;
    const booking = drawBooking(
      rng,
      rows,
      share,
      ({ cabin }) => !isMany || (cabin === 'economy') === isForbidden,
    );
    const count = isMany ? economyBags + 1 + rng.int(3) : economyBags;
    return {
      values: { booking: booking.id, bags: String(count) },
      lookUps: [gold('get_booking', { booking: booking.id })],
      acts: [gold('set_bags', { booking: booking.id, bags: count })],
      read: [`bookings/${booking.id}`],
      ...(isForbidden ? { rule: 'economy_bags' } : {}),
    };
  },
  *solve(asked) {
    const { value, found } = yield* lookUp(asked, bookingSlot, { tool: 'get_booking', argument: 'booking' });
    const count = Number(asked.values['bags']);
    if (found['cabin'] === 'economy' && count > economyBags) return forbidden('economy_bags');
    yield* act(asked, 'set_bags', { booking: value, bags: count });
    return done;
  },
};

const voucher: Form<AirlineTables> = {
  name: 'voucher',
  kind: 'act',
  wordings: [
    'My flight was late. I ask for a voucher of {amount} euros.[ My email address is {email}.]',
    '[I am {email}. ]Send me a voucher of {amount} euros for the delay.',
    '[This is {email}. ]For the hours that I waited I want {amount} euros.',
  ],
  slot: emailSlot,
  needs: 'send_voucher',
  isRuled: true,
  draw: (rng, { share, isForbidden, rows }) => {
    const member = rng.pick(
      inShare(rows.members, share).filter(({ level }) => (level === 'regular') === isForbidden),
    );
    const amount = 10 * (2 + rng.int(9));
    return {
      values: { amount: String(amount), email: member.email },
      lookUps: [gold('find_member', { email: member.email }), gold('get_member', { member: member.id })],
      acts: [gold('send_voucher', { member: member.id, amount })],
      read: [`members/${member.id}`],
      ...(isForbidden ? { rule: 'regular_member' } : {}),
    };
  },
  *solve(asked) {
    const { found } = yield* lookUp(asked, emailSlot, { tool: 'find_member', argument: 'email' });
    const member = found['member'] ?? '';
    const about = yield* call('get_member', { member });
    if (about?.['level'] === 'regular') return forbidden('regular_member');
    yield* act(asked, 'send_voucher', { member, amount: Number(asked.values['amount']) });
    return done;
  },
};

const dayOf: Form<AirlineTables> = {
  name: 'day',
  kind: 'tell',
  wordings: [
    'On which day do I fly with my booking[ {booking}]?',
    'Tell me the day of a booking[, {booking}].',
    'I forgot the day of my trip[: {booking}].',
  ],
  slot: bookingSlot,
  needs: 'get_flight',
  isRuled: false,
  draw: (rng, { share, rows }) => {
    const booking = drawBooking(rng, rows, share, () => true);
    const day = rows.flights.find(({ id }) => id === booking.flight)?.day ?? days[0];
    return {
      values: { booking: booking.id },
      lookUps: [gold('get_booking', { booking: booking.id }), gold('get_flight', { flight: booking.flight })],
      acts: [],
      tell: [day],
      read: [`flights/${booking.flight}`],
    };
  },
  *solve(asked) {
    const { found } = yield* lookUp(asked, bookingSlot, { tool: 'get_booking', argument: 'booking' });
    const flight = yield* call('get_flight', { flight: found['flight'] ?? '' });
    yield* tell('day', flight?.['day']);
    return done;
  },
};

const cabin: Form<AirlineTables> = {
  name: 'cabin',
  kind: 'tell',
  wordings: [
    'In which cabin do I fly from "{origin}" to "{destination}"?[ My email address is {email}.]',
    '[I am {email}. ]Tell me the cabin of my trip from "{origin}" to "{destination}".',
    '[This is {email}. ]From "{origin}" to "{destination}", which cabin is mine?',
  ],
  slot: emailSlot,
  needs: 'get_booking',
  isRuled: false,
  draw: (rng, { share, rows }) => {
    const booking = drawBooking(rng, rows, share, () => true);
    const { origin, destination } = booking;
    return {
      values: { origin, destination, email: emailOf(rows, booking) },
      lookUps: byEmail(rows, booking),
      acts: [],
      tell: [booking.cabin],
      read: [`bookings/${booking.id}`],
    };
  },
  *solve(asked) {
    const { found } = yield* findBooking(asked);
    yield* tell('cabin', found['cabin']);
    return done;
  },
};

export const airlineForms = [cancel, change, bags, voucher, dayOf, cabin];
