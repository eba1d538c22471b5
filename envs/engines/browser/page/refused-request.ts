import { plainAnswer } from './page-handler.ts';

/** Whether a handler can have a request of the method: `Request` refuses these, as the Fetch standard has it. */
export const isServable = (method = 'GET'): boolean =>
  !['TRACE', 'TRACK', 'CONNECT'].includes(method.toUpperCase());

/** For a request that is not {@link isServable}. */
export function methodRefusal(method = 'GET'): Response {
  const answer = plainAnswer(405, `${method} is not served.`);
  answer.headers.set('allow', 'GET, HEAD, POST');
  return answer;
}

/**
 * Whether a request names its host twice, as HTTP/1.1 forbids: who reads the first may decide otherwise than who reads the last.
 * @param rawHeaders names and values in turn
 */
export const hasTwoHosts = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((header, place) => place % 2 === 0 && header.toLowerCase() === 'host').length > 1;
