import { generatedCatalogue, type GeneratedOptions } from './generate/generated-catalogue.ts';
import { createCatalogue } from './catalogue/memory-catalogue.ts';
import { openCatalogue } from './catalogue/store/open-catalogue.ts';
import { storeReport, type Assortment, type OpeningPlace } from './open-original.ts';

/**
 * Catalogues up to this size are created in memory, in about the time of reading them. Larger ones are stored
 * on disk.
 */
const mostInMemory = 10_000;

/** Opens generated products and goals. The panels are `train`, `dev` and `test`, disjoint by product. */
export async function openGenerated(options: GeneratedOptions, at: OpeningPlace): Promise<Assortment> {
  const recipe = generatedCatalogue(options);
  const catalogue =
    recipe.size <= mostInMemory
      ? createCatalogue(recipe.source, recipe.products())
      : await openCatalogue(recipe, { ...at, report: storeReport(at) });
  return { catalogue, panels: recipe.panels, identity: { kind: 'generated', ...recipe.identity } };
}
