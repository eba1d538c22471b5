import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../../envs/core/errors.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { parseResult } from '../results/parse-result.ts';
import type { EvaluationResult } from '../results/result.ts';
import { writeFileAtomically } from '../../files/atomic-write.ts';
import type { RunFolder } from './open-run.ts';
import { readManifest } from './read-checkpoint.ts';

/** Beside the note of the best checkpoint. */
const recordName = 'final.json';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const recordSchema = z.strictObject({
  /**
   * SHA-256 over the digests of the final checkpoint's files: equal for the same weights at another time or
   * place.
   */
  checkpoint: digest,
  /** SHA-256 of each result of that checkpoint, by name. */
  results: z.record(z.string(), digest),
});

/** The digests of the results that a run wrote of its last final checkpoint, by name; none where it has not come so far, or its record cannot be read. */
export async function readRecordedResults(checkpoints: string): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries((await readRecord(checkpoints))?.results ?? {}));
}

async function readRecord(checkpoints: string): Promise<z.output<typeof recordSchema> | undefined> {
  return recordSchema.safeParse(parseJson(await readIfThere(join(checkpoints, recordName)))).data;
}

/**
 * The results of a run's final checkpoint. Held-out panels are played once, so existing results are reused,
 * even if the run was stopped between two of them. Results of another checkpoint and changed files do not
 * count.
 */
export class FinalResults {
  readonly #run: RunFolder;
  readonly #checkpoint: string;
  readonly #digests: Map<string, string>;

  private constructor(run: RunFolder, checkpoint: string, digests: Map<string, string>) {
    this.#run = run;
    this.#checkpoint = checkpoint;
    this.#digests = digests;
  }

  /** @param name of the final checkpoint, which is on the disk */
  static async open(run: RunFolder, name: string): Promise<FinalResults> {
    const { files } = await readManifest(join(run.paths.checkpoints, name));
    const checkpoint = sha256(canonicalJson(files));
    const record = await readRecord(run.paths.checkpoints);
    const known = record?.checkpoint === checkpoint ? record.results : {};
    return new FinalResults(run, checkpoint, new Map(Object.entries(known)));
  }

  async find(name: string): Promise<EvaluationResult | undefined> {
    const path = join(this.#run.paths.results, `${name}.json`);
    const content = await readIfThere(path);
    if (content === undefined || this.#digests.get(name) !== sha256(content)) return undefined;
    return parseResult(parseJson(content), path);
  }

  async save(name: string, result: EvaluationResult): Promise<void> {
    this.#digests.set(name, sha256(await this.#run.saveResult(name, result)));
    const record = { checkpoint: this.#checkpoint, results: Object.fromEntries(this.#digests) };
    await writeFileAtomically(
      join(this.#run.paths.checkpoints, recordName),
      `${JSON.stringify(record, undefined, 2)}\n`,
    );
  }
}

/** Of a result as it stands in its file, in hexadecimal digits. */
export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

async function readIfThere(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  });
}

/** Undefined where it is no JSON. */
function parseJson(content: Buffer | undefined): unknown {
  try {
    return content === undefined ? undefined : JSON.parse(content.toString());
  } catch {
    return undefined;
  }
}
