// Writes the lists of words in `envs/games/tables`. Run it in a folder where these two packages are installed; Cairn itself does not depend
// on them:
//   npm install an-array-of-english-words@2.0.0 popular-english-words@1.0.2
//   node PATH/scripts/make-word-lists.mjs
// A word is taken where the first package (MIT, from the Letterpress word list) has it. The second (ISC, counts of Wikipedia) gives the order.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.cwd(), 'words.js'));
const all = /** @type {readonly string[]} */ (require('an-array-of-english-words'));
const english = new Set(all);
const { words } = /** @type {{ readonly words: { getAll(): readonly string[] } }} */ (
  await import(require.resolve('popular-english-words'))
);

/** Words that no one should have to guess. */
const refused =
  /^(?:nigg|fagg|spic|kike|cunt|fuck|shit|whore|sluts?$|rape|rapi|bitch|darkie|negro|tranny|dykes?$|coons?$|gooks?$|homos?$|semen|penis|vagin|anal$|boobs|pussy|nazi|jihad)/;
const popular = [...new Set(words.getAll())].filter(
  (word) => /^[a-z]{5,9}$/.test(word) && english.has(word) && !refused.test(word),
);
const five = popular.filter((word) => word.length === 5);
const long = popular.filter((word) => word.length > 5);

const source =
  '// Made by `scripts/make-word-lists.mjs` from an-array-of-english-words 2.0.0 (MIT), in the order of popular-english-words 1.0.2 (ISC).\n';

/**
 * @param {string} name
 * @param {string} says
 * @param {readonly string[]} list
 */
function declared(name, says, list) {
  const lines = (
    list
      .toSorted()
      .join(' ')
      .match(/.{1,105}(?: |$)/g) ?? []
  ).map((line) => line.trim());
  return `\n/** ${says} */\nexport const ${name}: readonly string[] = \`\n${lines.join('\n')}\n\`\n  .trim()\n  .split(/\\s+/);\n`;
}

const folder = new URL('../envs/games/tables/', import.meta.url);
const answers = 'The 2,400 most frequent words of five letters, which Wordle hides.';
const others = '2,600 more words of five letters, which can be guessed.';
writeFileSync(
  new URL('five-letter-words.ts', folder),
  source +
    declared('answerWords', answers, five.slice(0, 2_400)) +
    declared('otherWords', others, five.slice(2_400, 5_000)),
);
writeFileSync(
  new URL('long-words.ts', folder),
  source +
    declared(
      'longWords',
      'The 3,000 most frequent words of six to nine letters, which Hangman hides.',
      long.slice(0, 3_000),
    ),
);
