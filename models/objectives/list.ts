import { cispo } from './cispo.ts';
import { clipped } from './clipped.ts';

/** The built-in policy objectives. To add one, create a file beside this and add it here. */
export const objectives = [clipped, cispo] as const;
