import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { studyName } from '../../lab/read/study-name.ts';
import type { TrainOptions } from './options.ts';

/** Whether the options ask for several trainings, or name the folder of such. */
export const wantsMany = ({
  seeds,
  sweep,
  jobs,
  resume,
}: Pick<TrainOptions, 'seeds' | 'sweep' | 'jobs' | 'resume'>): boolean =>
  seeds !== undefined ||
  sweep !== undefined ||
  (jobs !== undefined && resume === undefined) ||
  (resume !== undefined && existsSync(join(resume, studyName)));
