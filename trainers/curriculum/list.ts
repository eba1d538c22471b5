import { adcl } from './adcl.ts';
import { dump } from './dump.ts';
import { passes } from './passes.ts';
import { sec } from './sec.ts';
import { unsolved } from './unsolved.ts';

/** The built-in curricula. To add one, create a file beside this and add it here. */
export const curricula = [passes, unsolved, sec, dump, adcl] as const;
