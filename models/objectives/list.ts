import { cispo } from './cispo.ts';
import { clipped } from './clipped.ts';

/** The built-in policy objectives. A new one is a file beside this and a line here. */
export const objectives = [clipped, cispo] as const;
