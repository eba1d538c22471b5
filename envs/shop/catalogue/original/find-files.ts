import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../../../core/errors.ts';
import { describePathError } from '../../../core/user-file.ts';

/** The data files of WebShop for a catalogue and its goals. */
export interface OriginalFiles {
  /** `items_shuffle*.json`: the products. */
  readonly products: string;
  /** The number of items according to its name, such as 1,000; infinite for the complete file. */
  readonly productsSize: number;
  /** `items_ins_v2*.json`: attributes and synthetic instructions. */
  readonly attributes: string;
  /** `items_human_ins.json`; undefined where the folder does not have it. */
  readonly instructions: string | undefined;
  /** `reviews.json`, which the published version does not read. */
  readonly reviews: string | undefined;
  /** Other suitable files of the folder. */
  readonly leftOut: {
    readonly products: readonly string[];
    readonly attributes: readonly string[];
    readonly instructions: readonly string[];
  };
}

/**
 * Finds the data files in a folder, plain or as `.gz`. The plain file is used where both exist. Files of a
 * part of the catalogue have its size in their name, such as `items_shuffle_1000.json`. With `products`, the
 * smallest file that is large enough is used, else the complete one, or the only one.
 *
 * @throws UsageError when a file is missing or the choice is ambiguous
 */
export async function findOriginalFiles(
  folder: string,
  products: number | undefined,
): Promise<OriginalFiles> {
  const names = await namesIn(folder);
  const items = sized(names, 'items_shuffle');
  const chosen = chooseItems(items, products, folder);
  const notes = sized(names, 'items_ins_v2');
  const beside =
    notes.find(({ size }) => size === chosen.size) ?? notes.find(({ size }) => size === Infinity);
  if (beside === undefined)
    throw missing(
      folder,
      `items_ins_v2${chosen.size === Infinity ? '' : `_${chosen.size}`}.json`,
      `beside ${chosen.name}`,
    );
  const optional = (name: string): readonly string[] =>
    [name, `${name}.gz`].filter((candidate) => names.includes(candidate));
  const people = optional('items_human_ins.json');
  const inFolder = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : join(folder, name);
  return {
    products: join(folder, chosen.name),
    productsSize: chosen.size,
    attributes: join(folder, beside.name),
    instructions: inFolder(people[0]),
    reviews: inFolder(optional('reviews.json')[0]),
    leftOut: {
      products: othersOf(items, chosen),
      attributes: othersOf(notes, beside),
      instructions: people.slice(1),
    },
  };
}

/** What to report where other files are suitable too, and how many. */
export function tellLeftOut(taken: string, others: readonly string[]): Readonly<Record<string, number>> {
  return others.length === 0
    ? {}
    : { [`left out beside ${basename(taken)}, which is taken (${others.join(', ')})`]: others.length };
}

interface SizedFile {
  readonly name: string;
  /** The number of products; infinite for all. */
  readonly size: number;
}

/** Files of that name, the smallest first, plain before compressed. */
function sized(names: readonly string[], stem: string): readonly SizedFile[] {
  const pattern = new RegExp(`^${stem}(?:_([1-9][0-9]{0,8}))?\\.json(?:\\.gz)?$`);
  return names
    .flatMap((name) => {
      const match = pattern.exec(name);
      return match === null ? [] : [{ name, size: match[1] === undefined ? Infinity : Number(match[1]) }];
    })
    .toSorted((a, b) => (a.size === b.size ? a.name.length - b.name.length : a.size - b.size));
}

const othersOf = (files: readonly SizedFile[], taken: SizedFile): readonly string[] =>
  files.flatMap(({ name }) => (name === taken.name ? [] : [name]));

function chooseItems(items: readonly SizedFile[], products: number | undefined, folder: string): SizedFile {
  if (products !== undefined) {
    const enough = items.find(({ size }) => size >= products);
    if (enough !== undefined) return enough;
    const largest = items.at(-1);
    if (largest === undefined) throw missing(folder, 'items_shuffle.json');
    throw new UsageError({
      where: folder,
      what: `${largest.name} has fewer than ${products} products, and no other file has more.`,
      fix: `Ask for at most ${largest.size}.`,
    });
  }
  const sizes = new Set(items.map(({ size }) => size));
  const chosen = items.find(({ size }) => size === Infinity) ?? items[0];
  if (chosen === undefined) throw missing(folder, 'items_shuffle.json');
  if (sizes.size > 1 && chosen.size !== Infinity) {
    const all = items.map(({ name }) => name).join(', ');
    throw new UsageError({
      where: folder,
      what: `the catalogue may be any of ${all}.`,
      fix: 'Set the number of products of the catalogue.',
    });
  }
  return chosen;
}

function missing(folder: string, file: string, beside = 'there'): UsageError {
  return new UsageError({
    where: folder,
    what: `there is no ${file} ${beside === 'there' ? '' : `${beside} `}(nor ${file}.gz).`.replace('  ', ' '),
    fix: 'Give the folder that holds the data files of WebShop, which is named data in its repository.',
  });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    throw new UsageError(
      {
        where: folder,
        what: `the folder cannot be read: ${describePathError(thrown)}.`,
        fix: 'Give the folder that holds the data files of WebShop.',
      },
      { cause: thrown },
    );
  }
}
