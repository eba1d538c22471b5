import { generatedCatalogue } from '../../envs/shop/generate/generated-catalogue.ts';
import { readInstruction } from '../../envs/shop/instruction-parts.ts';

/** How many products WebShop has. */
export const webShopProducts = 1_181_436;

/** Of the generated products that measurements take. */
export const measuredSeed = 1;

/** So many generated products, the same every time. */
export const measuredCatalogue = (products: number): ReturnType<typeof generatedCatalogue> =>
  generatedCatalogue({ products, seed: measuredSeed });

/** What so many instructions for training wish for, all that an agent could search with; from another place on, others. */
export function wishes(
  products: number,
  { count, from = 0 }: { readonly count: number; readonly from?: number },
): readonly string[] {
  const train = measuredCatalogue(products).panels.find(({ name }) => name === 'train');
  if (train === undefined) throw new Error('the shop has no train panel');
  return Array.from(
    { length: count },
    (_, index) => readInstruction(train.goal((from + index * 37) % train.size).instruction).wish,
  );
}
