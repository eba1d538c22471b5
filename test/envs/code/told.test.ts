import { expect, test } from 'vitest';
import { loadPrompt } from '../../../agents/prompt/load-prompt.ts';
import type { ChatModel, ChatRequest } from '../../../agents/prompt/chat-model.ts';
import { createTextAgent } from '../../../agents/prompt/text-agent.ts';
import type { ActingTurn } from '../../../envs/core/step.ts';
import type { Answer } from '../../../agents/core/agent.ts';
import type { ProgramAction } from '../../../envs/code/action.ts';
import { codeConfig } from '../../../envs/code/config.ts';
import { codeEnv } from '../../../envs/code/definition.ts';
import { openCode } from '../../../envs/code/open-code.ts';
import type { ProgramObservation } from '../../../envs/code/observation.ts';
import { createContext } from '../../../envs/core/context.ts';
import { reward } from '../../../envs/core/step.ts';
import { createFakeProvider } from '../../../sandbox/fake/provider.ts';

const context = createContext({ seed: 0, now: () => 0 });
const task = { panel: 'dev', index: 0 };

/** The requests that a model gets on its first turns, and the answers read from its replies. */
async function talk(
  config: object,
  replies: readonly string[],
): Promise<{ readonly asked: readonly ChatRequest[]; readonly answers: readonly Answer<ProgramAction>[] }> {
  const host = await openCode(
    codeConfig.parse(config),
    {
      provider: createFakeProvider(({ stdin }) => ({
        stdout: `${/"mark":"([^"]+)"/.exec(stdin)?.[1] ?? ''}\n`,
      })),
      needs: {},
    },
    context,
  );
  const opening = await (await host.create()).reset(task, context);
  await host.close();
  const asked: ChatRequest[] = [];
  const model: ChatModel = {
    complete: async (request) => {
      asked.push(request);
      return {
        kind: 'said',
        text: replies[asked.length - 1] ?? '',
        cut: false,
        usage: undefined,
        reasoningCharacters: 0,
      };
    },
  };
  const agent = createTextAgent({
    id: 'writer',
    model,
    prompt: await loadPrompt('plain'),
    text: codeEnv.text,
    view: { admissible: true, history: 'all' },
  });
  const player = agent.begin({ task, instruction: opening.instruction }, context);
  const answers: Answer<ProgramAction>[] = [];
  for (const [at] of replies.entries()) {
    const turn: ActingTurn<ProgramObservation, ProgramAction> =
      at === 0 ? opening : { ...opening, kind: 'ongoing', reward: reward({}), inadmissible: false };
    answers.push(await player.act(turn, context));
  }
  return { asked, answers };
}

const program = 'def add(a, b):\n    return a + b';

test('the prompt explains how to write and try a program, and lists no simple programs', async () => {
  const { asked } = await talk({}, ['finish']);
  const told = asked[0]?.messages.map(({ text }) => text).join('\n') ?? '';
  for (const word of ['submit: ', 'test: ', 'run: ', 'finish']) expect(told).toContain(word);
  expect(told).not.toContain('*given');
  expect(told).not.toContain('You can now do one of these');
});

test('the prompt lists the pieces when a program is assembled', async () => {
  const told =
    (await talk({ pieces: 3 }, ['finish'])).asked[0]?.messages.map(({ text }) => text).join('\n') ?? '';
  expect(told).toMatch(/You can now do one of these:\n- put 1\.\d/);
  expect(told).not.toContain('submit: ');
});

test.each([
  '```',
  '```python',
  '```python3',
  '```Python',
  '```py',
  '```js',
  '```node',
  '```javascript',
  '~~~',
  '``` python',
  '```python title="x"',
])('a program alone in a fence %s is submitted, and shown again unchanged', async (fence) => {
  for (const text of [program, 'print(1)']) {
    const fenced = `${fence}\n${text}\n${fence.slice(0, 3)}`;
    for (const reply of [fenced, ` ${fenced}\n`, `Here it is:\n${fenced}\nIt works.`, `submit\n${fenced}`]) {
      const { asked, answers } = await talk({}, [reply, 'finish']);
      expect(answers[0]?.reply).toEqual({ kind: 'action', action: { kind: 'submit', program: text } });
      expect(asked[1]?.messages.find(({ role }) => role === 'assistant')?.text).toBe(reply.trim());
    }
  }
});

test.each([
  ['```\nfinish\n```', { kind: 'finish' }],
  ['`finish`', { kind: 'finish' }],
  ['```js\n{ let x = 1; }\n```', { kind: 'submit', program: '{ let x = 1; }' }],
  ['```json\n{"kind":"finish"}\n```', { kind: 'finish' }],
  ['```\n{"kind":"test","program":"x"}\n```', { kind: 'test', program: 'x' }],
  [`test\n\`\`\`py\n${program}\n\`\`\``, { kind: 'test', program }],
  [`\`\`\`input\n[1]\n\`\`\``, undefined],
])('other fenced content is read as its kind: %j', async (reply, action) => {
  const { answers } = await talk({}, [reply]);
  expect(answers[0]?.reply).toMatchObject(
    action === undefined ? { kind: 'malformed' } : { kind: 'action', action },
  );
});
