// Writes `envs/games/tables/words.ts`. Run it in a folder where these two packages are installed; Cairn itself does not depend on them:
//   npm install an-array-of-english-words@2.0.0 popular-english-words@1.0.2
//   node PATH/scripts/make-word-lists.mjs > PATH/envs/games/tables/words.ts
// A word is taken where the first package (MIT, from the Letterpress word list) has it. The second (ISC, counts of Wikipedia) gives the order.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.cwd(), 'words.js'));
const english = new Set(require('an-array-of-english-words'));
const { words } = await import(require.resolve('popular-english-words'));

/** Words that no one should have to guess. */
const refused =
  /^(?:nigg|fagg|spic|kike|cunt|fuck|shit|whore|sluts?$|rape|rapi|bitch|darkie|negro|tranny|dykes?$|coons?$|gooks?$|homos?$|semen|penis|vagin|anal$|boobs|pussy|nazi|jihad)/;
const popular = [...new Set(words.getAll())].filter(
  (word) => /^[a-z]{5,9}$/.test(word) && english.has(word) && !refused.test(word),
);

const five = popular.filter((word) => word.length === 5);
const lists = [
  {
    name: 'answerWords',
    says: 'The 2,400 most frequent words of five letters, which Wordle hides.',
    list: five.slice(0, 2_400),
  },
  {
    name: 'otherWords',
    says: '2,600 more words of five letters, which can be guessed.',
    list: five.slice(2_400, 5_000),
  },
  {
    name: 'longWords',
    says: 'The 3,000 most frequent words of six to nine letters, which Hangman hides.',
    list: popular.filter((word) => word.length > 5).slice(0, 3_000),
  },
];
/** @param {readonly string[]} list */
const lines = (list) =>
  (
    list
      .toSorted()
      .join(' ')
      .match(/.{1,105}(?: |$)/g) ?? []
  ).map((line) => line.trim());
process.stdout.write(
  '// Made by `scripts/make-word-lists.mjs` from an-array-of-english-words 2.0.0 (MIT), in the order of popular-english-words 1.0.2 (ISC).\n',
);
for (const { name, says, list } of lists)
  process.stdout.write(
    `\n/** ${says} */\nexport const ${name}: readonly string[] = \`\n${lines(list).join('\n')}\n\`\n  .trim()\n  .split(/\\s+/);\n`,
  );
