import { indexedText } from '../../../envs/shop/catalogue/indexed-text.ts';
import type { Product } from '../../../envs/shop/catalogue/product.ts';
import { describeMachine } from '../../report/machine.ts';
import { printReport } from '../../report/print-report.ts';
import { measuredCatalogue, webShopProducts } from '../measured-catalogue.ts';

// What making products and goals costs on one core, up to a catalogue of WebShop's size; how much memory streaming one takes; and
// how many words it has.

const rounds = 9;
const productsARound = 50_000;
const goalsARound = 20_000;

/** Writes out what was put together from parts, and says how many bytes it has. */
function written({ name, description, bulletPoints }: Product): number {
  let bytes = Buffer.byteLength(name) + Buffer.byteLength(description);
  for (const text of bulletPoints) bytes += Buffer.byteLength(text);
  return bytes;
}

interface Timing {
  readonly microseconds: number;
  /** Of the whole process, collection included: steadier than the clock on a machine that others use too. */
  readonly processorMicroseconds: number;
}

function timed(count: number, work: () => void): Timing {
  const processor = process.cpuUsage();
  const start = process.hrtime.bigint();
  work();
  const nanoseconds = Number(process.hrtime.bigint() - start);
  const { user, system } = process.cpuUsage(processor);
  return { microseconds: nanoseconds / 1000 / count, processorMicroseconds: (user + system) / count };
}

function summary(timings: readonly Timing[]): Record<string, number> {
  const sorted = (of: (timing: Timing) => number): readonly number[] =>
    timings.map(of).toSorted((a, b) => a - b);
  const rounded = (value: number | undefined): number => Math.round((value ?? Number.NaN) * 100) / 100;
  const wall = sorted(({ microseconds }) => microseconds);
  const processor = sorted(({ processorMicroseconds }) => processorMicroseconds);
  return {
    median: rounded(wall[rounds >> 1]),
    best: rounded(wall[0]),
    worst: rounded(wall.at(-1)),
    processorMedian: rounded(processor[rounds >> 1]),
  };
}

const machine = describeMachine();
const shop = measuredCatalogue(webShopProducts);
let bytes = 0;
const makeProducts = (round: number): void => {
  for (let index = 0; index < productsARound; index += 1)
    bytes += written(shop.product((round * productsARound + 37 * index) % webShopProducts));
};
const train = shop.panels.find(({ name }) => name === 'train');
let letters = 0;
const makeGoals = (round: number): void => {
  for (let index = 0; index < goalsARound; index += 1)
    letters += train?.goal((round * goalsARound + index) % train.size).instruction.length ?? 0;
};

for (let round = 0; round < 3; round += 1) makeProducts(round); // warms up
const products = Array.from({ length: rounds }, (_, round) =>
  timed(productsARound, () => makeProducts(round)),
);
makeGoals(0);
const goals = Array.from({ length: rounds }, (_, round) => timed(goalsARound, () => makeGoals(round)));

globalThis.gc?.();
const heapBefore = process.memoryUsage().heapUsed;
let heapMost = heapBefore;
let streamed = 0;
let streamedBytes = 0;
const stream = timed(webShopProducts, () => {
  for (const product of shop.products()) {
    streamedBytes += written(product);
    streamed += 1;
    if (streamed % 100_000 === 0) heapMost = Math.max(heapMost, process.memoryUsage().heapUsed);
  }
});

const words = new Set<string>();
let tokens = 0;
for (let number = 0; number < webShopProducts; number += 10) {
  for (const word of indexedText(shop.product(number)).split(/[^\p{L}\p{N}.']+/u)) {
    words.add(word);
    tokens += 1;
  }
}

printReport({
  what: 'making products and goals from a seed, on one core',
  ...machine,
  rounds,
  microsecondsAProduct: summary(products),
  microsecondsAGoal: summary(goals),
  stream: {
    products: streamed,
    seconds: Math.round(stream.microseconds * streamed) / 1e6,
    processorSeconds: Math.round(stream.processorMicroseconds * streamed) / 1e6,
    bytesAProduct: Math.round(streamedBytes / streamed),
    heapGrowthMiB: Math.round((heapMost - heapBefore) / 1_048_576),
  },
  'every tenth product': { words: tokens, differentWords: words.size },
  checksum: bytes + letters,
});
