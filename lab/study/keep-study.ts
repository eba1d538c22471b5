import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { writeFileAtomically } from '../../files/atomic-write.ts';
import type { StudyPlan } from './study-file.ts';
import { studyName } from '../read/study-name.ts';

/** Writes the plan into the folder of its runs, once. @throws UsageError where the folder has another one */
export async function writeStudy(folder: string, plan: StudyPlan): Promise<void> {
  const file = join(folder, studyName);
  const before = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  const text = `${JSON.stringify(plan, undefined, 2)}\n`;
  if (before === undefined) {
    await mkdir(folder, { recursive: true });
    return await writeFileAtomically(file, text);
  }
  if (canonicalJson(JSON.parse(before)) === canonicalJson(JSON.parse(text))) return;
  throw new UsageError({
    where: file,
    what: 'the folder was started with other settings, variants or seeds.',
    fix: 'Name another folder with --run, or resume this one with --resume.',
  });
}
