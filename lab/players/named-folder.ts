import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the bare name is that of a folder here that holds a run, a checkpoint, a model or an adapter. */
export const holdsWeights = (name: string): boolean =>
  name !== '' &&
  ['config.json', 'checkpoint.json', 'adapter_config.json'].some((file) => existsSync(join(name, file)));

/** The word before the colon of `openai:MODEL@URL`. A single letter is the drive of a path. */
export function schemeOf(text: string): string | undefined {
  const scheme = /^([a-z][\w-]*):./i.exec(text)?.[1];
  return scheme === undefined || scheme.length === 1 ? undefined : scheme;
}

/** The folder that the text names: as a path, or as the name of a folder here that holds weights. */
export function folderIn(text: string): string | undefined {
  if (schemeOf(text) !== undefined) return undefined;
  return /[/\\]/.test(text) || text.startsWith('.') || holdsWeights(text) ? text : undefined;
}

/** Whether the folder holds a language model: the config of a run has no type of model. */
export function isModelFolder(folder: string): boolean {
  try {
    return /"model_type"\s*:/.test(readFileSync(join(folder, 'config.json'), 'utf8'));
  } catch {
    return false; // the reader of the folder says what is missing
  }
}
