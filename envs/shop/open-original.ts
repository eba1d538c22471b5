import { UsageError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { PanelInfo } from '../core/task.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { tellCounts, type OpeningReport, type OpeningTally } from './catalogue/opening-report.ts';
import { tellLeftOut, type OriginalFiles } from './catalogue/original/find-files.ts';
import { passedOverForPrice, type OddPriceHandling } from './catalogue/original/odd-prices.ts';
import { originalRecipe } from './catalogue/original/original-recipe.ts';
import { assertInstructions } from './catalogue/original/read-instructions.ts';
import { takenAsOriginal } from './catalogue/original/read-pricing.ts';
import { openCatalogue } from './catalogue/store/open-catalogue.ts';
import { reasonWords, type StoreEvent } from './catalogue/store/store-events.ts';
import { goalSplits, type GoalSplit } from './goals/goal-order.ts';
import type { GoalPanel } from './goals/goal.ts';
import type { GoalSet } from './goals/goal.ts';
import { humanGoals } from './goals/human-goals.ts';
import { syntheticGoals } from './goals/synthetic-goals.ts';

/** Products and the goals made for them. */
export interface Assortment {
  readonly catalogue: Catalogue;
  readonly panels: readonly GoalPanel[];
  /** Its sources, without paths of the machine. */
  readonly identity: Json;
}

export interface OriginalChoice {
  readonly folder: string;
  readonly products?: number | undefined;
  readonly goals: 'human' | 'synthetic';
  readonly oddPrices: OddPriceHandling;
}

export interface OpeningPlace {
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  /** Receives the progress of reading, indexing and counting. */
  readonly report?: OpeningReport | undefined;
  /** Receives, once everything is read, what was skipped. */
  readonly tell?: OpeningTally | undefined;
}

/** Reports the build of a catalogue to the opening of the shop. */
export const storeReport =
  ({ report, tell }: Pick<OpeningPlace, 'report' | 'tell'>, unit?: 'MiB') =>
  (event: StoreEvent): void => {
    if (event.kind === 'build-advance') report?.('products', event.done, event.total, unit);
    if (event.kind === 'build-start' && event.reason.kind !== 'absent')
      tell?.('products', `catalogues built again: ${reasonWords(event.reason)}`, 1);
  };

/**
 * Opens WebShop's own files. `test` has the goals 0 to 499 of the shuffled list, `dev` is its eval split, 500
 * to 1,499, and `train` has the rest. Empty panels are omitted.
 *
 * @throws UsageError when a file is missing or wrong, or there is no goal for the products
 */
export async function openOriginal(choice: OriginalChoice, at: OpeningPlace): Promise<Assortment> {
  const { folder, products, goals: kind, oddPrices } = choice;
  const { cacheFolder, signal, report } = at;
  const recipe = await originalRecipe({
    folder,
    products,
    oddPrices,
    memoFolder: cacheFolder,
    signal,
    report,
  });
  const instructions = kind === 'human' ? await instructionsOf(recipe.files, { folder, signal }) : undefined;
  const catalogue = await openCatalogue(recipe, { cacheFolder, signal, report: storeReport(at, 'MiB') });
  try {
    const goals =
      instructions !== undefined
        ? await humanGoals(catalogue, instructions, signal)
        : await syntheticGoals(catalogue, {
            file: recipe.files.attributes,
            digest: recipe.attributesDigest,
            assertUnchanged: () => recipe.assertUnchanged(),
            cacheFolder,
            signal,
            report,
          });
    const panels = panelsOf(goals, kind);
    if (at.tell !== undefined) {
      tellCounts('files', recipe.counts, at.tell);
      if (instructions !== undefined)
        tellCounts('files', tellLeftOut(instructions, recipe.files.leftOut.instructions), at.tell);
      tellCounts('products', catalogue.counts, at.tell);
      tellCounts('goals', goals.counts, at.tell);
    }
    if (panels.length === 0) throw noGoals(folder, catalogue.size, kind);
    const identity = {
      kind: 'original',
      products: catalogue.size,
      part: partOf(recipe.files, products),
      ...oddPricesIn(catalogue.counts),
      goals: { kind, count: goals.size },
      catalogue: catalogue.fingerprint,
    };
    return { catalogue, panels, identity };
  } catch (thrown) {
    await catalogue.close();
    throw thrown;
  }
}

/**
 * How odd prices were handled. It is part of the identity, so that results on a changed catalogue are not
 * confused with those on the original one.
 */
function oddPricesIn(counts: Readonly<Record<string, number>>): { readonly oddPrices?: Json } {
  const { [passedOverForPrice]: passedOver = 0, [takenAsOriginal]: asOriginal = 0 } = counts;
  if (passedOver > 0) return { oddPrices: { passedOver } };
  return asOriginal > 0 ? { oddPrices: { asOriginal } } : {};
}

/**
 * The part of the published products that was read, so that results on a part are not confused with those on
 * the whole.
 */
function partOf({ productsSize }: OriginalFiles, limit: number | undefined): string {
  if (limit !== undefined) return `the first ${limit} items`;
  return productsSize === Infinity ? 'all items' : `all items of a file of the first ${productsSize}`;
}

const splits: Readonly<
  Record<GoalSplit, { readonly purpose: PanelInfo['purpose']; readonly summary: string }>
> = {
  train: { purpose: 'train', summary: 'the goals from 1,500 on' },
  dev: { purpose: 'dev', summary: 'the eval split: goals 500 to 1,499' },
  test: { purpose: 'held-out', summary: 'the test split: goals 0 to 499' },
};

function panelsOf(goals: GoalSet, kind: OriginalChoice['goals']): readonly GoalPanel[] {
  const ranges = goalSplits(goals.size);
  return (Object.keys(splits) as GoalSplit[])
    .map((name): GoalPanel => {
      const { start, end } = ranges[name];
      const { purpose, summary } = splits[name];
      return {
        name,
        purpose,
        summary: `${summary} of the ${goals.size} ${kind} ones`,
        size: end - start,
        first: start,
        goal: (index) => goals.goal(start + index),
      };
    })
    .filter(({ size }) => size > 0);
}

/**
 * The file with the goals that people wrote. It is checked before the catalogue is built, which takes
 * minutes.
 */
async function instructionsOf(
  { instructions }: OriginalFiles,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<string> {
  if (instructions !== undefined) {
    await assertInstructions(instructions, signal);
    return instructions;
  }
  throw new UsageError({
    where: folder,
    what: 'there is no items_human_ins.json (nor items_human_ins.json.gz), which has the goals that people wrote.',
    fix: 'Add it, or set catalogue.goals to "synthetic".',
  });
}

function noGoals(folder: string, products: number, kind: OriginalChoice['goals']): UsageError {
  return new UsageError({
    where: folder,
    what: `there is no ${kind} goal for any of the ${products} products.`,
    fix: `Use more products, or set catalogue.goals to "${kind === 'human' ? 'synthetic' : 'human'}".`,
  });
}
