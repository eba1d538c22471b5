import { passes } from './passes.ts';
import { unsolved } from './unsolved.ts';

/** The built-in curricula. To add one, create a file beside this and add it here. */
export const curricula = [passes, unsolved] as const;
