import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { UsageError } from '../../core/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { fileError } from '../catalogue/original/file-error.ts';
import { AttributesFile, type AttributeNotes } from '../catalogue/original/read-attributes.ts';
import type { OpeningReport } from '../catalogue/opening-report.ts';
import type { Product, ProductOption } from '../catalogue/product.ts';
import { goalCountsFile, readGoalCounts, storeGoalCounts, type GoalCounts } from './goal-counts.ts';
import type { Goal, GoalOption } from './goal.ts';
import { shuffledGoals } from './goal-order.ts';
import type { GoalSet } from './goal.ts';
import { priceCap } from './price-cap.ts';

/** The most goals. Their order alone would take half a gigabyte. */
const mostGoals = 1 << 27;

/** Products that are examined before the event loop gets a turn. */
const productsAtOnce = 4096;

export interface SyntheticGoalsOptions {
  /** The attributes file, and the SHA-256 of its content. */
  readonly file: string;
  readonly digest: string;
  /** Throws where the file no longer has this digest. It is called once the file has been read. */
  assertUnchanged(): Promise<void>;
  /** The folder of cached goal counts, because counting requires a look at every product. */
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  readonly report?: OpeningReport | undefined;
}

/**
 * The goals of the attributes file: for each product with an instruction, one per combination of its options,
 * in the order of the catalogue's products, then shuffled. Only their numbers are stored. A goal is created
 * on demand.
 *
 * @throws UsageError when the file is damaged, lacks a product of the catalogue, or has an instruction
 * without attributes. All of these stop the original too
 */
export async function syntheticGoals(catalogue: Catalogue, options: SyntheticGoalsOptions): Promise<GoalSet> {
  const { file, digest, cacheFolder, signal } = options;
  const notes = await AttributesFile.read(file, signal);
  await options.assertUnchanged();
  const counted = { catalogue: catalogue.fingerprint, attributes: digest };
  const stored = join(cacheFolder, goalCountsFile(counted));
  const known = await readGoalCounts(stored, counted);
  const { products, starts, goalsWith } = known ?? (await countGoals(catalogue, notes, options));
  const isKept =
    known !== undefined || (await storeGoalCounts(stored, counted, { products, starts, goalsWith }));
  const order = shuffledGoals(starts.at(-1) as number);
  return {
    size: order.length,
    counts: {
      'products with goals': products.length,
      ...(isKept
        ? {}
        : { 'counted again at each opening, because the cache is not writable': catalogue.size }),
    },
    goal: (number) => {
      const unshuffled = order[number];
      if (unshuffled === undefined) throw new RangeError(`there is no goal ${number}`);
      const at = lastAtMost(starts, unshuffled);
      const product = catalogue.product(products[at] as number);
      const instruction = instructionOf(product, notes, file) as Instruction;
      return goalOf(product, instruction, {
        options: combination(product.options, unshuffled - (starts[at] as number)),
        price: catalogue.price(products[at] as number),
        goalsWith,
      });
    },
  };
}

async function countGoals(
  catalogue: Catalogue,
  notes: AttributesFile,
  { file, signal, report }: SyntheticGoalsOptions,
): Promise<GoalCounts> {
  const products: number[] = [];
  const starts = [0];
  const goalsWith = new Map<string, number>();
  let size = 0;
  for (let number = 0; number < catalogue.size; number += 1) {
    if (number % productsAtOnce === 0) {
      await setImmediate();
      signal.throwIfAborted();
      report?.('goals', number, catalogue.size);
    }
    const product = catalogue.product(number);
    const instruction = instructionOf(product, notes, file);
    if (instruction === undefined) continue;
    const goals = combinationsOf(product.options);
    for (const attribute of instruction.attributes)
      goalsWith.set(attribute, (goalsWith.get(attribute) ?? 0) + goals);
    size += goals;
    if (size > mostGoals) throw tooManyGoals(file, product.asin, goals);
    products.push(number);
    starts.push(size);
  }
  return { products: Uint32Array.from(products), starts: Uint32Array.from(starts), goalsWith };
}

function tooManyGoals(file: string, asin: string, goals: number): UsageError {
  const what = `it makes more than ${mostGoals.toLocaleString('en')} goals, one for each combination of a product's options; the product ${asin}, with which they are too many, has ${goals.toLocaleString('en')}.`;
  return fileError(
    { file },
    what,
    'Take fewer products, leave that one out, or take the goals that people wrote.',
  );
}

interface Instruction {
  readonly text: string;
  readonly attributes: readonly string[];
}

function instructionOf({ asin }: Product, notes: AttributesFile, file: string): Instruction | undefined {
  const found: AttributeNotes | undefined = notes.find(asin);
  if (found === undefined)
    throw fileError(
      { file },
      `it has no entry for the product ${asin}.`,
      'Take the attributes file that belongs to the products file, or the goals that people wrote.',
    );
  if (found.instruction === undefined) return undefined;
  const attributes = found.instructionAttributes ?? [];
  if (attributes.length === 0)
    throw fileError(found.place, 'it has an instruction without instruction_attributes.');
  return { text: found.instruction, attributes };
}

function goalOf(
  { asin, name, query, category, productCategory }: Product,
  { text, attributes }: Instruction,
  {
    options,
    price,
    goalsWith,
  }: {
    readonly options: readonly GoalOption[];
    readonly price: number;
    readonly goalsWith: ReadonlyMap<string, number>;
  },
): Goal {
  const cap = priceCap(price, asin, 0);
  const optionText = options.map((option) => `${option.name}: ${option.value}`).join(', and ');
  return {
    asin,
    instruction: `${text}${optionText === '' ? '' : ` with ${optionText}`}${cap.text}`,
    attributes,
    options,
    priceUpper: cap.priceUpper,
    name,
    query,
    category,
    productCategory,
    weight:
      attributes.reduce((sum, attribute) => sum + 1 / (goalsWith.get(attribute) ?? 1), 0) / attributes.length,
  };
}

const combinationsOf = (options: readonly ProductOption[]): number =>
  options.reduce((product, { values }) => product * values.length, 1);

/**
 * One value per option, by the option's name in order. Of all combinations, the one of that number; the last
 * option changes first.
 */
function combination(options: readonly ProductOption[], number: number): readonly GoalOption[] {
  // by code points, as Python sorts
  const sorted = options.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  let left = number;
  return sorted
    .toReversed()
    .map(({ name, values }): GoalOption => {
      const value = values[left % values.length] as string;
      left = Math.floor(left / values.length);
      return { name, value };
    })
    .toReversed();
}

/** The index of the last of the ascending numbers that is not above `value`; the last of equal ones. */
function lastAtMost(rising: Uint32Array, value: number): number {
  let low = 0;
  let high = rising.length - 1;
  while (low < high) {
    const between = (low + high + 1) >>> 1;
    if ((rising[between] as number) <= value) low = between;
    else high = between - 1;
  }
  return low;
}
