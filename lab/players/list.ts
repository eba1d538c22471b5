import { baselineKind } from './kinds/baseline.ts';
import { expertKind } from './kinds/expert.ts';
import { modelKind } from './kinds/model.ts';
import { noisyKind } from './kinds/noisy.ts';
import { openaiKind } from './kinds/openai.ts';
import { ownKind } from './kinds/own.ts';
import { randomKind } from './kinds/random.ts';
import { runKind } from './kinds/run.ts';

/** All kinds of players. Schema, text form and help are made from this list. Where two kinds read one text, the first one wins. */
export const playerKinds = [
  randomKind,
  expertKind,
  noisyKind,
  baselineKind,
  ownKind,
  runKind,
  modelKind,
  openaiKind,
] as const;
