import { z } from 'zod';
import { pageEpoch } from './clock-script.ts';

/** What a cookie says of its end. */
const ends = /;\s*(expires|max-age)\s*(?:=\s*([^;]*)|(?=;|$))/gi;

const timeSchema = z.coerce
  .date()
  .transform((date) => date.getTime())
  .catch(Infinity);

/**
 * A cookie of a server, by the page's clock and not by the browser's, which is years ahead and does not stand still: one whose end has come goes at once, and every other stays as long as the episode,
 * whatever time that takes. A server has the time at which the page's clock begins.
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

/** The same for cookies that a document sets, by its clock, as text that runs before its own scripts and after that. */
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
