import { z } from 'zod';
import { pageEpoch } from './clock-script.ts';

/** The expiry attributes of a cookie. */
const ends = /;\s*(expires|max-age)\s*(?:=\s*([^;]*)|(?=;|$))/gi;

const timeSchema = z.coerce
  .date()
  .transform((date) => date.getTime())
  .catch(Infinity);

/**
 * Rewrites a cookie of a server for the page's clock. The browser's clock is years ahead and does not stand
 * still. A cookie that has expired is deleted at once. Every other cookie stays for the whole episode,
 * however long that takes. For servers the time is the start of the page's clock.
 */
export function cookieByClock(cookie: string): string {
  let end = Infinity;
  let age = Infinity;
  const kept = cookie.replaceAll(ends, (_, name: string, value: string = '') => {
    if (name.toLowerCase() === 'expires') end = timeSchema.parse(value);
    else if (/^-?\d+\s*$/.test(value)) age = Number.parseInt(value, 10);
    return '';
  });
  return (age === Infinity ? end <= pageEpoch : age <= 0) ? `${kept}; max-age=0` : kept;
}

/**
 * The same for cookies that a document sets, by its clock. The text runs before its own scripts and after the
 * clock.
 */
export const cookieScript = `
  const { get: getCookie, set: setCookie } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  const { parse: parseDate } = AnyDate;
  Object.defineProperty(Document.prototype, 'cookie', { configurable: true, enumerable: true, get: getCookie, set(cookie) {
    let end = Infinity;
    let age = Infinity;
    const kept = String(cookie).replace(${String(ends)}, (_, name, value = '') => {
      if (name.toLowerCase() === 'expires') end = parseDate(value);
      else if (/^-?\\d+\\s*$/.test(value)) age = parseInt(value, 10);
      return '';
    });
    setCookie.call(this, (age === Infinity ? end <= clock.now : age <= 0) ? kept + '; max-age=0' : kept);
  } });
`;
