import { messageOf, UsageError } from '../../envs/core/errors.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';
import { readUserFile } from '../../envs/core/user-file.ts';
import { parsePrompt, type Prompt } from './prompt.ts';

/** The built-in prompts. */
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
  'react',
  'tools',
  'plain',
  'think-tags',
  'terse',
] as const;
export type PromptName = (typeof promptNames)[number];

const longestFile = 2 ** 20;

/** Whether the text is the path of a prompt file: it has a slash, a backslash or a dot, and names no built-in prompt. */
export const isPromptFile = (nameOrFile: string): boolean =>
  /[/\\.]/.test(nameOrFile) && promptNames.every((name) => name !== nameOrFile);

/**
 * Loads a built-in prompt by name, or a prompt from a JSON file. Text with a slash, a backslash or a dot is a
 * path.
 */
export async function loadPrompt(nameOrFile: string): Promise<Prompt> {
  const isName = promptNames.some((name) => name === nameOrFile);
  if (isName)
    return readPrompt(
      new URL(`./prompts/${nameOrFile}.json`, import.meta.url),
      `prompt ${nameOrFile}`,
      fixBuild,
    );
  if (isPromptFile(nameOrFile)) return readPrompt(nameOrFile, `prompt file ${nameOrFile}`);
  throw new UsageError({
    where: `prompt ${nameOrFile}`,
    what: 'no prompt has that name.',
    fix: `${didYouMean(nearest(nameOrFile, promptNames))}The built-in prompts are ${promptNames.join(', ')}. Name a file of your own by its path, such as ./my-prompt.json.`,
  });
}

/** The compiler does not copy data files; `npm run build` and the installed package have them. */
const fixBuild =
  'It is part of cairn-gym: reinstall the package, or in a clone run `npm run build`, which copies the file beside the compiled code.';

async function readPrompt(
  file: URL | string,
  where: string,
  fix = 'Give a JSON file as described in docs/guides/language-model.md.',
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
