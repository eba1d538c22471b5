import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { codeOf, messageOf, UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import { readUserFile } from '../core/user-file.ts';

const get =
  'Get the folder data/tau2/domains from github.com/sierra-research/tau2-bench, and name it with --set data=FOLDER.';

/** Where the folder of a domain may lie in what the user names: the repository, its data, or the domains. */
const places = ['', 'domains', 'tau2/domains', 'data/tau2/domains'];

/**
 * The folder of a domain.
 *
 * @throws UsageError where no folder is named, or it has no such domain
 */
export async function findDomainFolder(data: string, domain: string): Promise<string> {
  if (data === '')
    throw new UsageError({
      where: 'config of tau2-v1, data',
      what: 'no data folder is named, and this env has no data of its own.',
      fix: get,
    });
  for (const place of places) {
    const folder = path.join(data, place, domain);
    if (await isFolder(folder)) return folder;
  }
  if (path.basename(path.resolve(data)) === domain && (await isFolder(data))) return data;
  throw new UsageError({
    where: `config of tau2-v1, data ${JSON.stringify(data)}`,
    what: `it has no folder ${domain}.`,
    fix: get,
  });
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}

const fixFile = 'Copy the file again from data/tau2/domains of github.com/sierra-research/tau2-bench.';

/** @throws UsageError for a file that is missing or cannot be read */
export const readText = (file: string): Promise<string> => readUserFile(file, { fix: fixFile });

/**
 * Reads a file of JSON by a schema.
 *
 * @throws UsageError for a file that is missing, is no JSON, or does not match
 */
export async function readJson<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const read = schema.safeParse(parseJson(file, await readText(file)));
  if (read.success) return read.data;
  throw damaged(file, describeIssues(read.error));
}

/** The value of an optional file; undefined where there is no such file. */
export async function readJsonIfThere<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  try {
    await stat(file);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
  }
  return readJson(file, schema);
}

/** Stands before keys, so that objects keep the order of the file: JavaScript would put keys such as `12` first. */
export const keyMark = '\u0000';

/**
 * Reads the text of a database. Keys that are numbers begin with {@link keyMark}.
 *
 * @throws UsageError where it is no JSON
 */
export const parseOrdered = (file: string, text: string): unknown =>
  // a text of digits before a colon is a key: quotes within strings have a backslash
  parseJson(file, text, text.replaceAll(/(?<!\\)"(\d+)"(?=\s*:)/g, String.raw`"\u0000$1"`));

function parseJson(file: string, text: string, marked = text): unknown {
  try {
    return JSON.parse(marked);
  } catch {
    throw damaged(file, flawOfJson(text));
  }
}

/**
 * Reads the text of a TOML file. Its dates and times become texts.
 *
 * @throws UsageError where it is no TOML
 */
export async function parseToml(file: string, text: string): Promise<unknown> {
  const { parse, TomlDate, TomlError } = await import('smol-toml');
  try {
    return JSON.parse(
      JSON.stringify(parse(text), (_key, value: unknown) =>
        value instanceof TomlDate ? value.toISOString() : value,
      ),
    );
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    throw damaged(file, `line ${thrown.line}, column ${thrown.column}: it is not TOML, or incomplete`);
  }
}

/** What is wrong with a text that is no JSON. */
function flawOfJson(text: string): string {
  try {
    JSON.parse(text);
    return 'it is not JSON';
  } catch (thrown) {
    const message = messageOf(thrown);
    const at = /position (\d+)/.exec(message)?.[1];
    if (at === undefined) return `it is not JSON, or incomplete: ${message}`;
    const before = text.slice(0, Number(at)).split('\n');
    return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: it is not JSON, or incomplete`;
  }
}

/** Refuses a file, or a part of it. */
export const damaged = (where: string, what: string): UsageError =>
  new UsageError({ where, what: `${what}.`, fix: fixFile });
