import { readInstructions, type HumanInstruction } from '../catalogue/original/read-instructions.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Goal } from './goal.ts';
import { shuffledGoals } from './goal-order.ts';
import type { GoalSet } from './goal.ts';
import { priceCap } from './price-cap.ts';

/**
 * The goals that people wrote: one for each instruction with attributes, in the order of the catalogue's
 * products, then shuffled. Options are values without names. Instructions for products outside of the
 * catalogue are ignored.
 *
 * @throws UsageError when the file is damaged
 */
export async function humanGoals(catalogue: Catalogue, file: string, signal: AbortSignal): Promise<GoalSet> {
  const found = new Map<number, readonly HumanInstruction[]>();
  let products = 0;
  let unknown = 0;
  let repeated = 0;
  await readInstructions(file, signal, {
    wanted: (asin) => {
      products += 1;
      const isKnown = catalogue.find(asin) !== undefined;
      if (!isKnown) unknown += 1;
      return isKnown;
    },
    visit: (asin, instructions) => {
      const product = catalogue.find(asin) as number;
      if (found.has(product)) repeated += 1;
      found.set(product, instructions);
    },
  });
  const written = [...found]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([product, instructions]) =>
      instructions.map((instruction, index): WrittenInstruction => ({ product, instruction, index })),
    );
  const kept = written.filter(({ instruction }) => instruction.attributes.length > 0);
  const order = shuffledGoals(kept.length);
  return {
    size: kept.length,
    counts: {
      'products with instructions': products,
      'of them in the catalogue': found.size,
      'instructions of them': written.length,
      'passed over, of unknown products': unknown,
      'passed over, without attributes': written.length - kept.length,
      'entries given twice, of which the later one counts': repeated,
    },
    goal: (number) => {
      const entry = kept[order[number] ?? -1];
      if (entry === undefined) throw new RangeError(`there is no goal ${number}`);
      return goalOf(catalogue, entry);
    },
  };
}

interface WrittenInstruction {
  readonly product: number;
  readonly instruction: HumanInstruction;
  /** Its index among the instructions of its product. */
  readonly index: number;
}

function goalOf(catalogue: Catalogue, { product, instruction, index }: WrittenInstruction): Goal {
  const { asin, name, query, category, productCategory } = catalogue.product(product);
  const { priceUpper, text } = priceCap(catalogue.price(product), asin, index);
  return {
    asin,
    instruction: withoutDots(instruction.instruction) + text,
    attributes: instruction.attributes,
    options: instruction.options.map((value) => ({ name: undefined, value })),
    priceUpper,
    name,
    query,
    category,
    productCategory,
    weight: 1,
  };
}

/** Python's `str.strip('.')`. */
function withoutDots(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === '.') start += 1;
  while (end > start && text[end - 1] === '.') end -= 1;
  return text.slice(start, end);
}
