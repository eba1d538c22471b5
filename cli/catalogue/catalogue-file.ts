import { readFile } from 'node:fs/promises';
import { codeOf } from '../../envs/core/errors.ts';
import { parseCatalogue, type CatalogueRecord } from '../../lab/catalogue/record.ts';
import { readPackage } from '../program/package-root.ts';

/** What was measured of the built-in envs, by their ids. Empty where the package lacks the file. */
export async function readCatalogue(): Promise<Readonly<Record<string, CatalogueRecord>>> {
  const file = new URL('bench/catalogue/catalogue.json', readPackage().root);
  try {
    return parseCatalogue(JSON.parse(await readFile(file, 'utf8')), file.pathname).envs;
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return {};
    throw thrown;
  }
}
