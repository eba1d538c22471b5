// Slow: runs the snippets of the documents as programs of their own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run, spawnCairn } from '../support/run-program.ts';
import {
  commandsOf,
  documents,
  isShell,
  readDocument,
  snippetsOf,
  type Snippet,
} from '../support/snippets.ts';
import { compileSnippets, type CompiledSnippets } from './compile-snippets.ts';

const snippets = documents.flatMap(snippetsOf);

let compiled: CompiledSnippets;
beforeAll(async () => void (compiled = await compileSnippets(snippets)));
afterAll(() => compiled[Symbol.asyncDispose]());

type Step = { readonly at: string } & (
  | { readonly kind: 'program'; readonly snippet: Snippet }
  | { readonly kind: 'command'; readonly words: readonly string[] }
);

/** What a document runs, in its order: programs, and commands of blocks that say `sh run`. */
const stepsOf = (document: string): readonly Step[] => {
  const own = new Map(snippetsOf(document).map((snippet) => [snippet.at, snippet]));
  return readDocument(document).blocks.flatMap((block): readonly Step[] => {
    const at = `${document}:${block.line}`;
    const snippet = own.get(at);
    if (snippet?.use.kind === 'run') return [{ at, kind: 'program', snippet }];
    return isShell(block) && block.info === 'run'
      ? commandsOf(block.code).map((words) => ({ at, kind: 'command', words }))
      : [];
  });
};

const running = documents.filter((document) => stepsOf(document).length > 0);

it('the list of documents to run has the guides', () =>
  expect(running).toContain('docs/guides/estimator.md'));

it.each(running)('the snippets of %s run', async (document) => {
  const cwd = await compiled.folderOf(document);
  for (const step of stepsOf(document)) {
    const { code, out, err } =
      step.kind === 'program'
        ? await run(process.execPath, [compiled.programOf(step.snippet)], { cwd })
        : await spawnCairn(step.words, { cwd });
    expect(code, `${step.at}: ${out}${err}`).toBe(0);
  }
});
