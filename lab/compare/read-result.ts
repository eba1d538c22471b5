import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf, messageOf, UsageError } from '../../envs/core/errors.ts';
import { describeReadError, withoutBom } from '../../envs/core/user-file.ts';
import { parseResult } from '../../trainers/results/parse-result.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';

/** The results in a file that the user named: one of an evaluation, or those of a bench or a comparison. */
export async function readResults(file: string): Promise<readonly EvaluationResult[]> {
  try {
    const value: unknown = JSON.parse(withoutBom(await readFile(file, 'utf8')));
    const several = severalSchema.safeParse(value);
    if (!several.success) return [parseResult(value, file)];
    return several.data.results.map((result, index) => parseResult(result, `${file}, result ${index + 1}`));
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    if (codeOf(thrown) === 'EISDIR') throw folder(file);
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(thrown) ?? '')) throw missing(file, thrown);
    throw new UsageError(
      {
        where: file,
        what:
          codeOf(thrown) === undefined
            ? `it cannot be read as JSON (${messageOf(thrown)}).`
            : `${describeReadError(thrown)}.`,
        fix: 'Give the folder of a run, or a file that `cairn-gym eval` or `cairn-gym bench` wrote with --json or --out.',
      },
      { cause: thrown },
    );
  }
}

const missing = (file: string, cause: unknown): UsageError =>
  new UsageError(
    {
      where: file,
      what: 'there is no such file.',
      fix: 'Give the folder of a run, or a file that `cairn-gym eval --json` or --out wrote, as they are called from where you run the command.',
    },
    { cause },
  );

const folder = (path: string): UsageError =>
  new UsageError({
    where: path,
    what: 'it is a folder, and that of a run or the file of a result is wanted.',
    fix: 'Of episodes that --keep wrote: repeat the `cairn-gym eval` that kept them with --out FILE, which plays nothing that is there, and name that file.',
  });

/** As `cairn-gym bench` and `cairn-gym compare` write them. */
const severalSchema = z.looseObject({ results: z.array(z.unknown()).min(1) });
