const pattern = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Seconds since 1970 of an HTTP date, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7); NaN for anything
 * else.
 */
export function httpDateSeconds(text: string): number {
  const [, day, month, year, hour, minute, second] = pattern.exec(text.trim()) ?? [];
  const at = months.indexOf(month ?? '');
  if (at < 0) return Number.NaN;
  return (
    86_400 * daysSince1970(Number(year), at + 1, Number(day)) +
    3_600 * Number(hour) +
    60 * Number(minute) +
    Number(second)
  );
}

/**
 * Days since 1 January 1970 in the Gregorian calendar, counting years from March (Hinnant, "chrono-compatible
 * low-level date algorithms").
 */
function daysSince1970(year: number, month: number, day: number): number {
  const fromMarch = month > 2 ? month - 3 : month + 9;
  const marchYear = month > 2 ? year : year - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return 365 * marchYear + leapDays + Math.floor((153 * fromMarch + 2) / 5) + day - 1 - 719_468;
}
