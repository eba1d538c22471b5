import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a given text is the token, in a time that does not depend on where they differ. */
export const isSameToken = (given: string, token: string): boolean =>
  timingSafeEqual(digest(given), digest(token));
