import { readFileSync } from 'node:fs';

/** The text of a file of `test/fixtures`, without the line end that closes it. */
export const readFixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8').replace(/\n$/, '');
