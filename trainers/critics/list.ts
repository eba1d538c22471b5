import { linearValues } from './linear-values.ts';

/** The built-in sources of evidence. To add one, create a file beside this and add it here. */
export const evidenceSources = [linearValues] as const;
