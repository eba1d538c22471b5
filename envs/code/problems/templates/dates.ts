import { number, numbers } from '../inputs.ts';
import { each, every, template } from '../template.ts';

const leap = `
def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)

def month_days(year, month):
    if month == 2:
        if is_leap(year):
            return 29
        return 28
    if month == 4 or month == 6 or month == 9 or month == 11:
        return 30
    return 31
`;

const anyYear = () => number(1890, 2110, [1900, 1904, 2000, 2100]);

export const dateTemplates = [
  template({
    name: 'count_leap_years',
    category: 'dates',
    difficulty: 2,
    result: 'number',
    variants: every(
      [
        { which: 'leap years', want: 'True' },
        { which: 'common years', want: 'False' },
      ],
      [
        { last: 'included', plus: 1 },
        { last: 'not included', plus: 0 },
      ],
    ).flatMap((variant) => [
      { ...variant, start: 'first', m: 1 },
      { ...variant, start: 'even', m: 2 },
    ]),
    parameters: () => ({ first: anyYear(), last: anyYear() }),
    statement: ({ which, last, m }) =>
      `Count the ${which}${m === 2 ? ' with an even number' : ''} from the first year to the last, the last ${last}. Leap years are the multiples of 4, but of those of 100 only the multiples of 400. There are none where the last comes before the first.`,
    program: ({ want, plus, m }) => `
def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)

def count_leap_years(first, last):
    count = 0
    for year in range(first, last + ${plus}):
        if is_leap(year) == ${want} and year % ${m} == 0:
            count += 1
    return count`,
  }),
  template({
    name: 'day_of_year',
    category: 'dates',
    difficulty: 3,
    result: 'number',
    variants: every([{ way: 'passed' }], each('k', [0, 1, 7, 30])).map(({ k }) => ({ k })),
    parameters: () => ({ year: anyYear(), month: number(1, 12, [2]), day: number(1, 28) }),
    statement: ({ k }) =>
      `Give which day of its year the date is, counted from ${k} (so that the first of January is ${k}). Mind leap years: the multiples of 4, but of those of 100 only the multiples of 400.`,
    program: ({ k }) => `${leap}
def day_of_year(year, month, day):
    total = ${k}
    for m in range(1, month):
        total += month_days(year, m)
    return total + day - 1`,
  }),
  template({
    name: 'clock_after',
    category: 'dates',
    difficulty: 2,
    result: 'text',
    variants: every(
      [
        { way: 'after', sign: '+' },
        { way: 'before', sign: '-' },
      ],
      each('k', [5, 45, 90, 125, 600]),
    ),
    parameters: () => ({ hour: number(0, 23), minute: number(0, 59) }),
    statement: ({ way, k }) =>
      `Give the time of day ${k} minutes ${way} the given one as "HH:MM", with two digits each, such as "07:05".`,
    program: ({ sign, k }) => `
def two_digits(n):
    if n < 10:
        return cat("0", str(n))
    return str(n)

def clock_after(hour, minute):
    total = (hour * 60 + minute ${sign} ${k}) % 1440
    return cat(cat(two_digits(total // 60), ":"), two_digits(total % 60))`,
  }),
  template({
    name: 'weekday_count',
    category: 'dates',
    difficulty: 2,
    result: 'number',
    variants: every(each('day', [0, 2, 4, 6]), each('step', [1, 2, 3])).map((variant) => ({
      ...variant,
      name: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'][
        variant.day
      ] as string,
    })),
    parameters: () => ({ first: number(0, 6), days: number(0, 60) }),
    statement: ({ name, step }) =>
      `Days of the week are numbered from 0, Monday, to 6, Sunday. A shop is open on the first day, which is given by its number, and then every ${step === 1 ? 'day' : `${step} days`}, as long as fewer than \`days\` days have passed. Count how often it is open on a ${name}.`,
    program: ({ day, step }) => `
def weekday_count(first, days):
    count = 0
    for passed in range(0, days, ${step}):
        if (first + passed) % 7 == ${day}:
            count += 1
    return count`,
  }),
  template({
    name: 'overlap_minutes',
    category: 'dates',
    difficulty: 3,
    result: 'number',
    variants: every(each('open', [8, 9, 10]), each('close', [12, 17, 18])),
    parameters: ({ open, close }) => ({
      start: number(0, 1440, [open * 60]),
      end: number(0, 1440, [close * 60]),
    }),
    statement: ({ open, close }) =>
      `A desk is staffed from ${open}:00 to ${close}:00. Give how many minutes of a visit from minute \`start\` to minute \`end\` of the day fall into that time; 0 where none do, or the visit ends before it starts.`,
    program: ({ open, close }) => `
def overlap_minutes(start, end):
    shared = min(end, ${close * 60}) - max(start, ${open * 60})
    if shared < 0:
        return 0
    return shared`,
  }),
  template({
    name: 'days_between',
    category: 'dates',
    difficulty: 4,
    result: 'number',
    heldOut: true,
    variants: every(each('epoch', [1900, 1960, 1970, 2000]), each('k', [0, 1])),
    parameters: ({ epoch }) => ({
      year: number(epoch, epoch + 120, [epoch + 4, 2000]),
      month: number(1, 12, [2]),
      day: number(1, 28),
    }),
    statement: ({ epoch, k }) =>
      `Give the number of days from the first of January ${epoch} to the date, ${k === 1 ? 'both days included' : 'so that the day itself is 0'}. Mind leap years: the multiples of 4, but of those of 100 only the multiples of 400.`,
    program: ({ epoch, k }) => `${leap}
def days_between(year, month, day):
    total = ${k}
    for y in range(${epoch}, year):
        total += 365
        if is_leap(y):
            total += 1
    for m in range(1, month):
        total += month_days(year, m)
    return total + day - 1`,
  }),
  template({
    name: 'late_fee',
    category: 'dates',
    difficulty: 2,
    result: 'number',
    variants: every(each('grace', [0, 2, 5]), each('fee', [3, 10])).flatMap((variant) => [
      { ...variant, most: 30 },
      { ...variant, most: 100 },
    ]),
    parameters: ({ grace }) => ({
      due: number(1, 40),
      returned: number(1, 80),
      past: numbers({ low: 0, high: 5, most: 4, near: [grace] }),
    }),
    statement: ({ grace, fee, most }) =>
      `A book is due on a day and returned on a day. The first ${grace} days of lateness are free; each further one costs ${fee}, but never more than ${most} in all. What was paid in the past (a list) counts towards that most. Give what is left to pay, never less than 0.`,
    program: ({ grace, fee, most }) => `
def late_fee(due, returned, past):
    late = returned - due - ${grace}
    if late <= 0:
        return 0
    cost = min(late * ${fee}, ${most} - sum(past))
    return max(cost, 0)`,
  }),
];
