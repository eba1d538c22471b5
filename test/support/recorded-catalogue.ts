import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseCatalogue, type RecordedCatalogue } from '../../lab/catalogue/record.ts';
import { root } from './run-program.ts';

const file = path.join(root, 'bench', 'catalogue', 'catalogue.json');

/** What `npm run catalogue` recorded. */
export const recordedCatalogue = (): RecordedCatalogue =>
  parseCatalogue(JSON.parse(readFileSync(file, 'utf8')), file);
