import { afterEach, describe, expect, it } from 'vitest';
import { cairn } from '../../support/command-line.ts';
import { startStub, type StubRequest, type StubServer } from '../../support/stub-chat-server.ts';

let stub: StubServer | undefined;
afterEach(async () => {
  await stub?.[Symbol.asyncDispose]();
  stub = undefined;
});

/** What `cairn-gym bench` does with a model that searches and then clicks what it likes. */
async function bench(words: readonly string[]): Promise<{
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly requests: readonly StubRequest[];
}> {
  stub = await startStub(({ number }) => ({
    kind: 'say',
    text: `Thought: as ever\nAction: ${number === 0 ? 'search[shoes]' : 'click[next >]'}`,
  }));
  const { code, out, err } = await cairn([
    'bench',
    ...words,
    '--tasks',
    '1',
    '--quiet',
    '--agent',
    `openai:m@${stub.url}`,
  ]);
  return { code, out, err, requests: stub.requests };
}

describe('language model in the shop', () => {
  it.each([
    ['text', 'shop-react', 'Parts of a page are divided by [SEP]', 'Back to Search [SEP] Page 1'],
    [
      'text_rich',
      'shop-react-text-rich',
      'between [button] and [button_]',
      '[button] Back to Search [button_]',
    ],
    ['html', 'shop-react-html', 'You see the HTML of the page', '<ol class="products">'],
    ['url', 'shop-react-url', 'you see only its address', '/search_results/'],
  ])('gets a prompt that describes pages of its mode: %s', async (mode, prompt, words, page) => {
    const { code, out, err, requests } = await bench(['shop', '--set', `observationMode=${mode}`]);
    expect(code, err).toBe(0);
    expect(out).toContain(`; prompt ${prompt} (sha256:`);
    const [system, ...told] = requests[1]?.body.messages.map(({ content }) => content) ?? [];
    expect(system).toContain(words);
    expect(told.at(-1)).toContain(page);
    expect(/You can now do one of these:\n- click\[back to search\]/.test(told.at(-1) ?? '')).toBe(
      mode === 'url',
    );
  });

  it.each<[string, readonly string[], RegExp]>([
    [
      'of another mode',
      ['shop', '--set', 'observationMode=url', '--prompt', 'shop-react'],
      /prompt shop-react: it requires observationMode "text", and shop-v1 reports "url"\. Take shop-react-url, or leave --prompt out; plain goes with any\./,
    ],
    [
      'one that needs the actions hidden by --hide-admissible',
      ['shop', '--set', 'observationMode=url', '--hide-admissible'],
      /--hide-admissible: as shop-v1 is played here, without the admissible actions.*Leave it out/,
    ],
    [
      'any, in a mode that shows only the hidden actions',
      ['shop', '--set', 'observationMode=url', '--prompt', 'plain', '--hide-admissible', '--dry-run'],
      /--hide-admissible: as shop-v1 is played here, without the admissible actions/,
    ],
    [
      'of the household',
      ['shop', '--prompt', 'household-tags'],
      /prompt household-tags: it is for household-v1 .*, and this is shop-v1\. Take shop-react or shop-tags/,
    ],
    [
      'of the shop, for the household',
      ['household', '--prompt', 'shop-react'],
      /prompt shop-react: it is for shop-v1 or shop-browser-v1, and this is household-v1\. Take household-react or household-tags/,
    ],
  ])('gets no request when the prompt is %s', async (_, words, message) => {
    const { code, out, err, requests } = await bench(words);
    expect({ code, out, err, asked: requests.length }).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(message) as string,
      asked: 0,
    });
  });
});
