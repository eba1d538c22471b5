import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseResult } from '../../trainers/results/parse-result.ts';
import { cairn } from '../support/command-line.ts';
import { useFolder } from '../support/own-folder.ts';
import { root } from '../support/run-program.ts';

const inFolder = useFolder();

/** Puts a package beside the example that answers in place of the real one, which is not installed here. */
async function addPackage(name: string, text: string): Promise<void> {
  const folder = inFolder('node_modules', name);
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ name, type: 'module', main: 'index.js' }),
  );
  await writeFile(path.join(folder, 'index.js'), text);
}

const requestSchema = z.looseObject({
  model: z.string(),
  seed: z.int(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

test('the agent of the AI SDK keeps its conversation, and plays by the last line of its reply', async () => {
  const log = inFolder('requests.jsonl');
  await addPackage(
    '@ai-sdk/openai-compatible',
    'export const createOpenAICompatible = ({ baseURL }) => (model) => `${model} at ${baseURL}`;\n',
  );
  await addPackage(
    'ai',
    `import { appendFileSync } from 'node:fs';
export const generateText = async ({ abortSignal, ...request }) => {
  abortSignal.throwIfAborted();
  appendFileSync(${JSON.stringify(log)}, JSON.stringify(request) + '\\n');
  return { text: 'Action: is my word.\\nAction: press row 1 column 1', usage: { inputTokens: 7, outputTokens: undefined } };
};
`,
  );
  const agent = inFolder('ai-sdk-agent.ts');
  await cp(path.join(root, 'examples/ai-sdk-agent.ts'), agent);
  const words = ['eval', 'lights-out', '--set', 'size=3', '--tasks', '1', '--agent', agent];
  const { code, out, err } = await cairn([...words, '--agent-option', 'model=small', '--json', '--quiet']);
  expect(code, err).toBe(0);
  const { tokens, reading, steps } = parseResult(JSON.parse(out), 'stdout');
  expect(reading?.unreadable).toBe(0);
  expect(tokens).toMatchObject({ prompt: 7 * steps, completion: 0 });
  const requests = (await readFile(log, 'utf8')).trim().split('\n');
  expect(requests).toHaveLength(steps);
  const [first, second] = requests.map((line) => requestSchema.parse(JSON.parse(line)));
  expect(first?.model).toBe('small at http://localhost:8000/v1');
  expect(first?.messages).toEqual([
    { role: 'user', content: expect.stringMatching(/^Task: Put all/) as string },
  ]);
  expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(second?.messages[2]?.content).not.toContain('Task:');
  expect(second?.seed).not.toBe(first?.seed);
});
