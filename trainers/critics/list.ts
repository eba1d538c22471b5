import { linearValues } from './linear-values.ts';

/** The built-in sources of evidence. A new one is a file beside this and a line here. */
export const evidenceSources = [linearValues] as const;
