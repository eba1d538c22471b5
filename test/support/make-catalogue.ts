import { setTimeout } from 'node:timers/promises';
import type { CatalogueRecipe } from '../../envs/shop/catalogue/recipe.ts';
import { openCatalogue } from '../../envs/shop/catalogue/store/open-catalogue.ts';
import { plainProduct } from './product-arbitrary.ts';

// A process of its own that opens a catalogue of 3,000 products in the cache of its first argument, a little slowly, and says
// what it found. Run it with jiti.

const [cacheFolder = ''] = process.argv.slice(2);

const recipe: CatalogueRecipe = {
  source: 'generated',
  identity: 'make-catalogue',
  async *products() {
    for (let number = 0; number < 3_000; number += 1) {
      if (number % 100 === 0) await setTimeout(20);
      if (number === 100) process.stdout.write('started\n');
      yield plainProduct(`B${number}`, {
        name: `${number % 7 === 0 ? 'desk' : 'floor'} lamp ${number}`,
        description: 'x'.repeat(5_000),
      });
    }
  },
};

const catalogue = await openCatalogue(recipe, { cacheFolder, signal: new AbortController().signal });
const { fingerprint, size } = catalogue;
process.stdout.write(
  `${JSON.stringify({ fingerprint, size, last: catalogue.product(size - 1).name, desks: catalogue.search('desk').length })}\n`,
);
await catalogue.close();
