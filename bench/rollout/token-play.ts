import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Environment, Interpreter, Template } from '@huggingface/jinja';
import type { TokenSampler } from '../../agents/core/token-sampler.ts';
import { createTokenAgent } from '../../agents/policy/token.ts';
import { loadPrompt } from '../../agents/prompt/load-prompt.ts';
import { loadChatFormat } from '../../agents/render/chat-format.ts';
import { loadTokenizer } from '../../agents/render/tokenizer/load-tokenizer.ts';
import type { MessageTemplate } from '../../agents/render/token-prompt.ts';
import { createContext } from '../../envs/core/context.ts';
import { householdEnv, householdSmallEnv } from '../../envs/index.ts';
import { openEnvSession, playGroups, rolloutSettingsSchema } from '../../trainers/env-session.ts';
import { median } from '../model/small-token-model.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { makeNano } from '../studies/train-run.ts';

// What a token agent's episodes take of the processor beside its model: the env, messages, the chat template, tokens, records. The model is a
// script that says the same with the same luck. The template with and without memory of its messages, and an agent that is restricted to
// admissible actions, in turn.

const tasks = 16;
const members = 8;
const rounds = 6;
const contextLength = 4_096;
const commands = [
  'look',
  'inventory',
  'go to shelf 1',
  'go to drawer 1',
  'open drawer 1',
  'go to fridge 1',
  'open fridge 1',
  'go to cabinet 1',
  'go to table 1',
  'take apple 1 from fridge 1',
];

/** Renders like the library, which renders the whole conversation each time. */
function withoutMemory({
  text,
  tokens,
}: {
  readonly text: string;
  readonly tokens: Readonly<Record<string, string>>;
}): MessageTemplate {
  const { parsed } = new Template(text);
  return {
    render: (messages, { addGenerationPrompt }) => {
      const environment = new Environment();
      const conversation = messages.map((message) => ({ role: message.role, content: message.text }));
      const values = {
        ...tokens,
        true: true,
        false: false,
        none: null,
        tools: null,
        documents: null,
        raise_exception: String,
        messages: conversation,
        add_generation_prompt: addGenerationPrompt,
      };
      for (const [name, value] of Object.entries(values)) environment.set(name, value);
      return String(new Interpreter(environment).run(parsed).value);
    },
  };
}

async function measure(env: typeof householdEnv | typeof householdSmallEnv, folder: string) {
  await makeNano(folder, { env: env.id, context: contextLength, seed: 0 });
  const { tokenizer, template, guard, stopTokens } = await loadChatFormat(folder);
  const source = (await loadTokenizer(folder)).template;
  if (source === undefined) throw new TypeError('the model has no template');
  const replies = commands.map((command) => [...tokenizer.encode(command), ...stopTokens.slice(0, 1)]);
  const sampler: TokenSampler = {
    version: 0,
    contextLength,
    begin: () => ({
      sample: async ({ allowed = replies }, { rng }) => {
        const tokens = allowed[rng.int(allowed.length)] ?? [];
        return { tokens, logprobs: tokens.map(() => -1), finish: 'stop', version: 0 };
      },
      end: () => undefined,
    }),
  };
  const context = createContext({ seed: 1, now: () => performance.now() });
  await using bench = await openEnvSession(env, rolloutSettingsSchema.parse({}), context);
  const common = {
    id: 'script',
    sampler,
    codec: tokenizer,
    guard,
    stopTokens,
    prompt: await loadPrompt('terse'),
    text: env.text,
    view: { admissible: false, history: 'all' as const },
    decoding: { temperature: 1 },
    maxTokens: 64,
  };
  const agents = {
    remembered: createTokenAgent({ ...common, template }),
    anew: createTokenAgent({ ...common, template: withoutMemory(source) }),
    restricted: createTokenAgent({ ...common, template, restricted: true }),
  };
  const times = { remembered: [] as number[], anew: [] as number[], restricted: [] as number[] };
  const stepsOf = { remembered: 0, anew: 0, restricted: 0 };
  for (let round = -1; round < rounds; round += 1) {
    for (const kind of ['remembered', 'anew', 'restricted'] as const) {
      const began = performance.now();
      const played = await playGroups(
        bench,
        {
          agent: agents[kind],
          tasks: Array.from({ length: tasks }, (_, at) => ({
            panel: 'train',
            index: at + tasks * (round + 1),
          })),
          label: `round-${round}`,
          members,
        },
        context,
      );
      const steps = played.reduce(
        (sum, { group }) => sum + group.members.reduce((all, member) => all + member.steps.length, 0),
        0,
      );
      if (round >= 0) times[kind].push((1_000 * (performance.now() - began)) / steps); // the first warms up
      stepsOf[kind] += steps;
    }
  }
  if (stepsOf.remembered !== stepsOf.anew)
    throw new Error(`${stepsOf.remembered} and ${stepsOf.anew} steps were played, which would be as many`);
  const [remembered, anew, restricted] = [
    median(times.remembered),
    median(times.anew),
    median(times.restricted),
  ];
  return {
    env: env.id,
    stepsARound: Math.round(stepsOf.anew / (rounds + 1)),
    microsecondsAStep: {
      remembered: Math.round(remembered),
      anew: Math.round(anew),
      restricted: Math.round(restricted),
    },
    ratio: Math.round((1_000 * remembered) / anew) / 1_000,
  };
}

const machine = describeMachine();
const folder = await mkdtemp(path.join(tmpdir(), 'cairn-token-play-'));
try {
  const results = [
    await measure(householdSmallEnv, path.join(folder, 'small')),
    await measure(householdEnv, path.join(folder, 'full')),
  ];
  printReport({
    what: 'microseconds of the processor that a step of a token agent takes beside its model, medians',
    ...machine,
    episodes: tasks * members,
    rounds,
    results,
  });
} finally {
  await rm(folder, { recursive: true });
}
