import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** An item of a products file in WebShop's format, of our own making. */
export type RawItem = Readonly<Record<string, unknown>>;

/** A whole item, with the fields that a loader does not use as well; `change` replaces some of them. */
export function rawItem(asin: string, change: RawItem = {}): RawItem {
  return {
    name: `Lamp ${asin}`,
    product_information: { ASIN: asin, 'Customer Reviews': { ratings_count: null, stars: null } },
    brand: 'Visit the Lamp Store',
    full_description: `A lamp for the desk, number ${asin}.`,
    pricing: '$12.50',
    list_price: '',
    availability_quantity: 3,
    images: ['https://images.invalid/lamp.jpg'],
    product_category: 'Home \u203A Lighting \u203A Lamps',
    average_rating: 4.5,
    small_description: ['Bright light ', 'Long cable '],
    total_reviews: '',
    customization_options: {
      Color: [
        {
          is_selected: true,
          url: null,
          value: 'Red/Blue',
          price: 0,
          image: 'https://images.invalid/red.jpg',
        },
        { value: ' Green ' },
      ],
      Size: [{ value: 'Small' }, { value: 'Large' }, { value: 'X-Large' }],
    },
    seller_id: 'A3',
    fulfilled_by_amazon: true,
    asin,
    category: 'garden',
    query: ' Desk Lamps',
    page: 7,
    small_description_old: 'Bright light Long cable',
    ...change,
  };
}

/** The item without a field. */
export function without(item: RawItem, field: string): RawItem {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== field));
}

export interface ShopFiles {
  readonly items?: readonly unknown[];
  readonly attributes?: unknown;
  readonly instructions?: unknown;
  readonly reviews?: unknown;
}

/** Writes data files under WebShop's names; `size` goes into the names, `compressed` ends them in `.gz`. */
export async function writeShopFiles(
  folder: string,
  files: ShopFiles,
  { size, compressed = false }: { readonly size?: number; readonly compressed?: boolean } = {},
): Promise<void> {
  const stem = size === undefined ? '' : `_${size}`;
  const contents: readonly (readonly [string, unknown])[] = [
    [`items_shuffle${stem}.json`, files.items],
    [`items_ins_v2${stem}.json`, files.attributes],
    ['items_human_ins.json', files.instructions],
    ['reviews.json', files.reviews],
  ];
  for (const [name, content] of contents) {
    if (content === undefined) continue;
    const text = pythonText(content);
    await writeFile(join(folder, compressed ? `${name}.gz` : name), compressed ? gzipSync(text) : text);
  }
}

/** JSON as Python's `json.dump` writes it: ASCII only, blanks after commas and colons. */
export function pythonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, part]) => `${pythonText(name)}: ${pythonText(part)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value).replaceAll(
    /[\u0080-\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
