import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openEnv } from '../../envs/open.ts';
import type { Product } from '../../envs/shop/catalogue/product.ts';
import { shopEnv } from '../../envs/shop/definition.ts';
import { describeMachine, peakMemoryMiB } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { inTemporaryFolder } from '../report/temporary-folder.ts';
import { benchContext } from '../stepping/step-speed.ts';
import { measuredCatalogue, webShopProducts } from './measured-catalogue.ts';

// Files of WebShop's form and size, with generated products in them: what opening the shop on them takes the first time, and again, with the
// goals that people write and with those that the attributes make. Takes some ten minutes and 10 GB of disk. usage: … [products]

/** How many instructions people wrote for WebShop, about; one a product here. */
const instructions = 12_000;

/** A product as the published files have it, with the fields that nobody reads left out. */
const itemOf = ({
  asin,
  name,
  query,
  category,
  productCategory,
  description,
  bulletPoints,
  options,
  priceText,
}: Product): unknown => ({
  asin,
  name,
  query,
  category,
  product_category: productCategory,
  full_description: description,
  small_description: bulletPoints,
  pricing: priceText.replace(' to ', ' - '),
  customization_options: Object.fromEntries(
    options.map((option) => [option.name, option.values.map((value) => ({ value, price: 0, image: null }))]),
  ),
});

const notesOf = ({ query, attributes }: Product): unknown => ({
  attributes,
  instruction: `Find me ${attributes.join(', ')} ${query}`,
  instruction_attributes: attributes.slice(0, 2),
});

const wishOf = ({ query, attributes }: Product): unknown => [
  {
    instruction: `i need a ${query} that is ${attributes.join(' and ')}`,
    instruction_attributes: attributes.slice(0, 2),
    instruction_options: [],
  },
];

async function write(folder: string, products: number): Promise<Record<string, unknown>> {
  const wishes: Record<string, unknown> = {};
  const items = createWriteStream(path.join(folder, 'items_shuffle.json'));
  const notes = createWriteStream(path.join(folder, 'items_ins_v2.json'));
  let count = 0;
  for (const product of measuredCatalogue(products).products()) {
    const hasRoom = items.write(`${count === 0 ? '[' : ', '}${JSON.stringify(itemOf(product))}`);
    const hasRoomToo = notes.write(
      `${count === 0 ? '{' : ', '}${JSON.stringify(product.asin)}: ${JSON.stringify(notesOf(product))}`,
    );
    if (!hasRoom) await once(items, 'drain');
    if (!hasRoomToo) await once(notes, 'drain');
    if (count < instructions) wishes[product.asin] = wishOf(product);
    count += 1;
  }
  items.end(']');
  notes.end('}');
  await Promise.all([once(items, 'close'), once(notes, 'close')]);
  await writeFile(path.join(folder, 'items_human_ins.json'), JSON.stringify(wishes));
  const sizes = await Promise.all(
    ['items_shuffle.json', 'items_ins_v2.json', 'items_human_ins.json'].map(
      async (name) => [name, (await stat(path.join(folder, name))).size] as const,
    ),
  );
  return { products: count, fileBytes: Object.fromEntries(sizes) };
}

/** Opens the shop on the files in a process of its own. */
async function open(folder: string, goals: 'human' | 'synthetic'): Promise<Record<string, unknown>> {
  const start = performance.now();
  const host = await openEnv(
    shopEnv,
    { catalogue: { kind: 'original', folder, goals }, cacheFolder: path.join(folder, 'cache') },
    benchContext,
  );
  const openSeconds = Number(((performance.now() - start) / 1_000).toFixed(2));
  const tasks = host.panels.reduce((sum, { size }) => sum + size, 0);
  await host.close();
  return { openSeconds, tasks, peakMiB: peakMemoryMiB() };
}

async function inProcess(job: string, ...words: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    job,
    ...words,
  ]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const [job = '', ...words] = process.argv.slice(2);
if (job === 'write' || job === 'open') {
  const [folder = '', what = ''] = words;
  process.stdout.write(
    JSON.stringify(
      job === 'write'
        ? await write(folder, Number(what))
        : await open(folder, what === 'human' ? what : 'synthetic'),
    ),
  );
} else {
  const products = job === '' ? webShopProducts : Number(job);
  const machine = describeMachine();
  const figures = await inTemporaryFolder('bench-original', async (folder) => ({
    files: await inProcess('write', folder, String(products)),
    human: {
      first: await inProcess('open', folder, 'human'),
      again: await inProcess('open', folder, 'human'),
    },
    synthetic: {
      first: await inProcess('open', folder, 'synthetic'),
      again: await inProcess('open', folder, 'synthetic'),
    },
  }));
  printReport({
    what: `the shop on files of WebShop's form with ${products} products: opening`,
    ...machine,
    ...figures,
  });
}
