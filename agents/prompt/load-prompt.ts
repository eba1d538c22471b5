import { messageOf, UsageError } from '../../envs/core/errors.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';
import { readUserFile } from '../../envs/core/user-file.ts';
import { parsePrompt, type Prompt } from './prompt.ts';

/** The prompts that come with the package. */
export const promptNames = [
  'household-react',
  'household-react-classic',
  'household-tags',
  'household-tags-classic',
  'shop-react',
  'shop-react-text-rich',
  'shop-react-html',
  'shop-react-url',
  'shop-tags',
  'plain',
  'terse',
] as const;
export type PromptName = (typeof promptNames)[number];

const longestFile = 2 ** 20;

/** A prompt by its name, or from a JSON file: what has a slash, a backslash or a dot in it is a file. */
export async function loadPrompt(nameOrFile: string): Promise<Prompt> {
  const isName = promptNames.some((name) => name === nameOrFile);
  if (isName)
    return readPrompt(
      new URL(`./prompts/${nameOrFile}.json`, import.meta.url),
      `prompt ${nameOrFile}`,
      fixBuild,
    );
  if (/[/\\.]/.test(nameOrFile)) return readPrompt(nameOrFile, `prompt file ${nameOrFile}`);
  throw new UsageError({
    where: `prompt ${nameOrFile}`,
    what: 'there is no prompt of that name.',
    fix: `${didYouMean(nearest(nameOrFile, promptNames))}There are ${promptNames.join(', ')}; a file of your own is named by its path, such as ./my-prompt.json.`,
  });
}

/** The compiler alone leaves data files behind; `npm run build` and an installed package have them. */
const fixBuild =
  'It comes with cairn-gym: install the package again, or in a clone run `npm run build`, which copies it beside the compiled code.';

async function readPrompt(
  file: URL | string,
  where: string,
  fix = 'Give a JSON file such as docs/guides/language-model.md shows.',
): Promise<Prompt> {
  let value: unknown;
  try {
    value = JSON.parse(await readUserFile(file, { where, fix, maxBytes: longestFile }));
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    throw new UsageError(
      { where, what: `it cannot be read as JSON (${messageOf(thrown)}).`, fix },
      { cause: thrown },
    );
  }
  return parsePrompt(value, where);
}
