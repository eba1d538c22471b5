import type { Template } from '../template.ts';
import { bitTemplates } from './bits.ts';
import { dateTemplates } from './dates.ts';
import { dynamicTemplates } from './dynamic.ts';
import { graphTemplates } from './graphs.ts';
import { gridTemplates } from './grids.ts';
import { listTemplates } from './lists.ts';
import { numberTemplates } from './numbers.ts';
import { parsingTemplates } from './parsing.ts';
import { simulationTemplates } from './simulation.ts';
import { stringTemplates } from './strings.ts';

/** All templates, by subject. */
export const templates: readonly Template[] = [
  ...listTemplates,
  ...stringTemplates,
  ...numberTemplates,
  ...dateTemplates,
  ...graphTemplates,
  ...gridTemplates,
  ...simulationTemplates,
  ...parsingTemplates,
  ...bitTemplates,
  ...dynamicTemplates,
];
