const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

const fields: Readonly<Record<string, (time: Date) => string>> = {
  Y: (time) => pad(time.getUTCFullYear(), 4),
  y: (time) => pad(time.getUTCFullYear() % 100),
  m: (time) => pad(time.getUTCMonth() + 1),
  d: (time) => pad(time.getUTCDate()),
  B: (time) => months[time.getUTCMonth()] ?? '',
  b: (time) => (months[time.getUTCMonth()] ?? '').slice(0, 3),
  A: (time) => days[time.getUTCDay()] ?? '',
  a: (time) => (days[time.getUTCDay()] ?? '').slice(0, 3),
  H: (time) => pad(time.getUTCHours()),
  I: (time) => pad(time.getUTCHours() % 12 || 12),
  p: (time) => (time.getUTCHours() < 12 ? 'AM' : 'PM'),
  M: (time) => pad(time.getUTCMinutes()),
  S: (time) => pad(time.getUTCSeconds()),
  '%': () => '%',
};

/**
 * Formats a time in UTC, in English, as Python's `strftime` does. @throws Error for an unsupported directive
 */
export function formatTime(time: Date, format: string): string {
  return format.replace(/%(.?)/gsu, (directive, letter: string) => {
    const field = fields[letter];
    if (field === undefined) throw new Error(`strftime_now does not support ${directive}`);
    return field(time);
  });
}
