import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EventEmitter } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { cairn } from '../../support/command-line.ts';
import { root, spawnCairn } from '../../support/run-program.ts';
import { nextCommand, recordPlans, type RecordedPlans } from '../../support/household-player.ts';
import {
  startStub,
  type StubAnswer,
  type StubRequest,
  type StubServer,
} from '../../support/stub-chat-server.ts';
import { itInAll } from '../../support/thorough.ts';

let folder = '';
let plans: RecordedPlans = new Map();
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  plans = await recordPlans('unseen', 8);
});
afterAll(() => rm(folder, { recursive: true }));

const stubs: StubServer[] = [];
afterEach(async () => {
  for (const stub of stubs.splice(0)) await stub[Symbol.asyncDispose]();
});
async function stubOf(script: (request: StubRequest) => StubAnswer): Promise<StubServer> {
  const stub = await startStub(script);
  stubs.push(stub);
  return stub;
}

const usage = { prompt_tokens: 1_000, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 900 } };
const solver = (request: StubRequest): StubAnswer => ({
  kind: 'say',
  text: `Thought: as planned\nAction: ${nextCommand(plans, request) ?? 'look'}`,
  usage,
});
const agentOf = (stub: StubServer): string => `openai:stub-model@${stub.url}`;
const householdOf = (stub: StubServer, tasks = '8'): readonly string[] => [
  'bench',
  'household',
  '--tasks',
  tasks,
  '--agent',
  agentOf(stub),
  '--quiet',
];

describe('cairn-gym bench with a language model', () => {
  it('prints the table of published papers, with text agents under a rule of their own', async () => {
    const stub = await stubOf(solver);
    const { code, out, err } = await cairn([...householdOf(stub), '--agent', 'random']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^household-v1, panel unseen\[0\.\.8\) \(sha256:[0-9a-f]{12}\), 8 tasks$/);
    const at = lines.findIndex((line) => line.startsWith('── Text agents: write their actions ──'));
    expect(lines.find((line) => line.startsWith('Text agents: '))).toMatch(
      new RegExp(
        `^Text agents: model stub-model at ${stub.host}; prompt household-react \\(sha256:[0-9a-f]{12}\\); admissible actions shown; history: all steps; decoding: greedy, else as the server is set; at most 1024 tokens a reply; seed 0; one episode a task$`,
      ),
    );
    expect(lines[at - 1]?.split(/ {2,}/)).toEqual([
      'agent',
      expect.stringMatching(/^Pick \(\d\)$/),
      expect.stringMatching(/^Look /),
      expect.stringMatching(/^Clean /),
      expect.stringMatching(/^Heat /),
      expect.stringMatching(/^Cool /),
      expect.stringMatching(/^Pick2 /),
      'All',
      'turns',
      'time',
      'tokens in',
      'tokens out',
    ]);
    expect(lines[at + 1]).toMatch(
      /^stub-model .* 100\.0 \[67\.6, 100\.0\] +\d+\.\d +\d+\.\d s +[\d,]+ +\d+$/,
    );
    expect(lines[at + 2]).toMatch(/^── Scripted agents: not trained ─+$/);
    expect(out).toMatch(
      /stub-model: ([\d,]+) prompt tokens \([\d,]+ of them from a cache\) and [\d,]+ completion tokens in [\d,]+ replies, as the server counts\./,
    );
  });

  it('prints the same at any concurrency, and counts every reply', async () => {
    const results = [];
    for (const concurrency of ['1', '8']) {
      const stub = await stubOf(solver);
      const { out } = await cairn([...householdOf(stub), '--concurrency', concurrency, '--json']);
      const [result] = (JSON.parse(out) as { readonly results: readonly unknown[] }).results;
      const parsed = parseResult(result, 'stdout');
      const replies = stub.requests.length;
      expect(parsed.tokens).toEqual({
        replies,
        uncounted: 0,
        prompt: 1_000 * replies,
        completion: 20 * replies,
        cached: 900 * replies,
        reasoningCharacters: 0,
        shortened: 0,
      });
      expect(parsed).toMatchObject({
        agent: 'stub-model',
        steps: replies,
        success: { rate: 1 },
        versions: { 'served-model': 'stub-model' },
      });
      expect([
        stub.underWay.most <= Number(concurrency),
        stub.connections.most <= Number(concurrency),
      ]).toEqual([true, true]);
      await expect.poll(() => stub.connections.now).toBe(0);
      results.push({
        ...parsed,
        seconds: 0,
        shown: { ...parsed.shown, remote: { ...parsed.shown.remote, server: '' } },
      });
    }
    expect(results[1]).toEqual(results[0]);
  });

  itInAll('gets the same scores from a server that fails often', async () => {
    const calm = await stubOf(solver);
    const failures: readonly StubAnswer[] = [
      { kind: 'json', status: 429, headers: { 'retry-after': '0.01' }, body: {} },
      { kind: 'reset' },
      { kind: 'half-body' },
      { kind: 'json', body: { choices: [] } },
      { kind: 'text', status: 503, type: 'text/html', body: '<h1>busy</h1>' },
      { kind: 'text', type: 'application/json', body: '{"choices": [' },
    ];
    const shaky = await stubOf((request) =>
      request.number % 2 === 0
        ? solver(request)
        : (failures[((request.number - 1) / 2) % failures.length] ?? { kind: 'reset' }),
    );
    const score = async (stub: StubServer): Promise<unknown> => {
      const { code, out } = await cairn([...householdOf(stub, '1'), '--concurrency', '1', '--json']);
      expect(code).toBe(0);
      const [result] = (
        JSON.parse(out) as {
          readonly results: readonly { readonly episodes: unknown; readonly faults: unknown }[];
        }
      ).results;
      return [result?.episodes, result?.faults];
    };
    expect(await score(shaky)).toEqual(await score(calm));
  });

  itInAll('reports its retries and their reason while nothing else is printed', async () => {
    const stub = await stubOf((request) =>
      request.number < 2
        ? { kind: 'text', type: 'application/json', body: '{"choices": [' }
        : solver(request),
    );
    const words = ['bench', 'household', '--tasks', '1', '--agent', agentOf(stub), '--concurrency', '1'];
    const { code, err } = await cairn(words);
    expect(code, err).toBe(0);
    expect(err.split('\n').filter((line) => line.includes('trying again'))).toEqual([
      `stub-model at ${stub.host}: trying again (2 of 8): its answer is not complete JSON (13 characters)`,
    ]);
    const quiet = await stubOf((request) => (request.number === 0 ? { kind: 'reset' } : solver(request)));
    expect(await cairn([...householdOf(quiet, '1')])).toMatchObject({ code: 0, err: '' });
  });

  it('marks an evaluation whose server failed too often, and exits with 1', async () => {
    const broken = new Set<string>();
    const stub = await stubOf((request) => {
      const task =
        request.body.messages.findLast(({ content }) => content.startsWith('Task: '))?.content ?? '';
      if (broken.size === 0 && request.number > 8) broken.add(task);
      return broken.has(task)
        ? { kind: 'json', status: 400, body: { error: { message: 'flagged' } } }
        : solver(request);
    });
    const { code, out } = await cairn([...householdOf(stub)]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /stub-model: 1 fault left \(12\.5 % of episodes\) after 0 retries; success 87\.5 % with faults as failures, 100\.0 % without them/,
    );
  });

  it('survives a stray refusal of a working server', async () => {
    const stub = await stubOf((request) =>
      request.number === 30
        ? { kind: 'json', status: 401, body: { error: { message: 'stray' } } }
        : solver(request),
    );
    const { code, out, err } = await cairn([...householdOf(stub), '--concurrency', '1']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^stub-model .* 100\.0 \[67\.6, 100\.0\]/m);
  });

  it('prints the finished rows, whatever ends it', async () => {
    const refusing = await stubOf(() => ({ kind: 'json', status: 401, body: { error: { message: 'no' } } }));
    const words = [
      'bench',
      'household',
      '--tasks',
      '2',
      '--agent',
      'random',
      '--agent',
      agentOf(refusing),
      '--agent',
      'searcher',
      '--quiet',
    ];
    const { code, out, err } = await cairn(words);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/status 401: no\. Give the right key/) as string,
    });
    expect(out).toMatch(/^random .* 0\.0 \[0\.0, 65\.8\]/m);
    const { results, unfinished } = JSON.parse((await cairn([...words, '--json'])).out) as {
      readonly results: readonly unknown[];
      readonly unfinished: readonly string[];
    };
    expect([results.map((result) => parseResult(result, 'stdout').agent), unfinished]).toEqual([
      ['random'],
      [expect.stringMatching(/^stub-model at /) as string, 'searcher'],
    ]);
    const stopping = new EventEmitter();
    const slow = await stubOf(() => {
      stopping.emit('SIGINT', 'SIGINT');
      return { kind: 'silence' };
    });
    const stopped = await cairn(
      ['bench', 'household', '--tasks', '2', '--agent', 'random', '--agent', agentOf(slow)],
      { signals: stopping },
    );
    expect(stopped.code).toBe(130);
    expect(stopped.out).toMatch(/^random .* 0\.0 \[0\.0, 65\.8\]/m);
  });

  it('reports when no tokens, or only some, were counted', async () => {
    const plain = await stubOf((request) => ({
      kind: 'say',
      text: `Action: ${nextCommand(plans, request) ?? 'look'}`,
    }));
    expect((await cairn(householdOf(plain))).out).toMatch(
      / +not counted +not counted\n[\s\S]*stub-model: the server gives no usable count of tokens for its \d+ replies\./,
    );
    const some = await stubOf(
      (request) =>
        ({
          ...solver(request),
          ...(request.number === 3 ? { usage: { prompt_tokens: 'many' } } : {}),
        }) as StubAnswer,
    );
    expect((await cairn(householdOf(some))).out).toMatch(
      / over [\d,]+ +over \d+\n[\s\S]*; 1 reply came without a usable count, so there were more\./,
    );
  });

  it('counts unreadable replies as errors of the model', async () => {
    const stub = await stubOf((request) => ({
      kind: 'say',
      text:
        request.number % 2 === 0 ? 'I would rather not.' : `Action: ${nextCommand(plans, request) ?? 'look'}`,
    }));
    const { out } = await cairn([...householdOf(stub, '1'), '--concurrency', '1', '--json']);
    const [result] = (JSON.parse(out) as { readonly results: readonly unknown[] }).results;
    const { episodes } = parseResult(result, 'stdout');
    expect(episodes[0]?.turns).toBe(stub.requests.length);
    expect(stub.requests[1]?.body.messages.at(-1)?.content).toContain(
      'That reply could not be used: it has no line that begins with "Action:".',
    );
  });

  it.each<[string, StubAnswer, RegExp, RegExp]>([
    [
      'nothing',
      { kind: 'say', text: null },
      /the first had no content \(it is empty\)\./,
      /chat template of the model and answers in the content of its messages/,
    ],
    [
      'words without an action',
      { kind: 'say', text: `I would\u001b[31m rather\nnot. ${'x'.repeat(500)}` },
      /the first began "I would rather not\. x{140,155}…": it has no line that begins with "Action:"\./,
      /The prompt was household-react\. Name a prompt/,
    ],
    [
      'calls of tools alone',
      {
        kind: 'say',
        text: null,
        finish: 'tool_calls',
        message: { tool_calls: [{ id: '1', type: 'function', function: { name: 'look', arguments: '{}' } }] },
      },
      /nothing was measured; 6 replies called tools and said nothing\./,
      /Give --prompt tools, which reads tool calls\. .*start it without a parser of tool calls/,
    ],
    [
      'reasoning alone',
      { kind: 'say', text: '', finish: 'length', message: { reasoning_content: 'Hmm.' } },
      /the first had no content, only 4 characters of reasoning apart from it\./,
      /Raise --max-tokens/,
    ],
  ])(
    'measures nothing when the model writes %s, prints a fix and exits with 1',
    async (_name, answer, note, fix) => {
      const stub = await stubOf(() => answer);
      const words = ['household', '--panel', 'unseen', '--tasks', '2', '--agent', agentOf(stub)];
      for (const command of ['bench', 'eval']) {
        const { code, out, err } = await cairn([command, ...words]);
        expect(code, err).toBe(1);
        expect(out).toMatch(/^stub-model \(!\) .* 0\.0 \[/m);
        expect(out).toContain(
          'stub-model: 6 of 6 replies (100.0 %) could not be read; 2 of 2 episodes ended by it: nothing was measured; ',
        );
        expect(out).toMatch(note);
        expect(err).toMatch(
          /^stub-model: 6 of 6 replies \(100\.0 %\) could not be read; 2 of 2 episodes ended by it; /m,
        );
        expect(err).toMatch(
          /^error: stub-model: no reply could be read, so nothing was measured: .*The prompt was household-react\./m,
        );
        expect(err).toMatch(fix);
        expect(out + err).not.toContain('\u001b');
      }
      const { code, out } = await cairn(['eval', ...words, '--json', '--quiet']);
      expect([code, parseResult(JSON.parse(out), 'stdout').reading]).toMatchObject([
        1,
        { replies: 6, unreadable: 6, episodesEnded: 2 },
      ]);
    },
  );

  it('reports how many replies could be read, and exits with 0', async () => {
    const stub = await stubOf((request) =>
      request.number === 0 ? { kind: 'say', text: 'Well.' } : solver(request),
    );
    const words = ['bench', 'household', '--tasks', '2', '--agent', agentOf(stub), '--concurrency', '1'];
    const { code, out, err } = await cairn(words);
    expect(code, err).toBe(0);
    expect(out).toMatch(
      /^stub-model: 1 of \d+ replies \(\d\.\d %\) could not be read; 0 of 2 episodes ended by it; the first began "Well\.": it has no line/m,
    );
    expect(err).not.toContain('could not be read');
    expect((await cairn(words)).out).toMatch(/^stub-model: all \d+ replies could be read\.$/m);
  });

  it('hides admissible actions, cuts history and uses a custom prompt', async () => {
    const stub = await stubOf(() => ({ kind: 'say', text: '<action>look</action>' }));
    const own = path.join(folder, 'own.json');
    const shipped = JSON.parse(
      await readFile(path.join('agents/prompt/prompts/household-tags.json'), 'utf8'),
    ) as object;
    await writeFile(own, JSON.stringify({ ...shipped, name: 'own', system: 'OWN WORDS' }));
    const words = [
      ...householdOf(stub, '1'),
      '--prompt',
      own,
      '--history',
      '2',
      '--hide-admissible',
      '--max-tokens',
      '77',
      '--max-tokens-field',
      'max_completion_tokens',
      '--temperature',
      '0.5',
    ];
    const { out } = await cairn(words);
    expect(out).toMatch(
      /prompt own \(sha256:[0-9a-f]{12}\); admissible actions not shown; history: last 2 steps; decoding: sampled at 0\.5, else as the server is set; at most 77 tokens a reply/,
    );
    expect(stub.requests).toHaveLength(50);
    const last = stub.requests.at(-1)?.body;
    expect(last).toMatchObject({ max_completion_tokens: 77, temperature: 0.5 });
    expect(last?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(last?.messages[0]?.content).toBe('OWN WORDS');
    expect(last?.messages[1]?.content).toContain('(47 earlier steps are left out here.)');
    expect(JSON.stringify(last?.messages)).not.toContain('You can now do one of these');
  });

  it('sends custom request fields, reports them, and keeps such evaluations separate', async () => {
    const stub = await stubOf(solver);
    const kept = path.join(folder, 'kept-fields');
    const words = [...householdOf(stub, '1'), '--keep', kept];
    const own = [
      '--request-field',
      'chat_template_kwargs.enable_thinking=false',
      '--request-field',
      'reasoning_effort=low',
    ];
    const { code, out } = await cairn([...words, ...own]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /; at most 1024 tokens a reply; asked with chat_template_kwargs=\{"enable_thinking":false\}, reasoning_effort=low; /,
    );
    expect(stub.requests[0]?.body).toMatchObject({
      model: 'stub-model',
      chat_template_kwargs: { enable_thinking: false },
      reasoning_effort: 'low',
    });
    const other = await cairn(words);
    expect(other.code).toBe(2);
    expect(other.err).toContain('shown.remote.fields');
    const refused = await cairn([...householdOf(stub, '1'), '--dry-run', '--request-field', 'temperature=1']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(
      '--request-field temperature: this field cannot be added to a request. Set it with --temperature.',
    );
    const proto = await cairn([...householdOf(stub, '1'), '--dry-run', '--request-field', '__proto__.x=5']);
    expect({ code: proto.code, err: proto.err }).toEqual({
      code: 2,
      err: expect.stringContaining('it has the unknown key "__proto__"') as string,
    });
    const file = path.join(folder, 'fields.json');
    await writeFile(file, JSON.stringify({ requestField: {} }));
    expect((await cairn([...householdOf(stub, '1'), '--config', file])).out).not.toContain('asked with');
    await writeFile(file, JSON.stringify({ requestField: 'x=1' }));
    expect((await cairn([...householdOf(stub, '1'), '--config', file])).err).toContain(
      'must be an object of fields',
    );
    const unheard = await cairn([
      'eval',
      'household',
      '--agent',
      'random',
      '--tasks',
      '1',
      '--request-field',
      'reasoning_effort=low',
    ]);
    expect(unheard.code).toBe(2);
    expect(unheard.err).toContain('--request-field: it applies to language models, and none plays.');
  });

  it('plans without sending a request', async () => {
    const stub = await stubOf(solver);
    const { code, out } = await cairn([...householdOf(stub), '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      dryRun: true,
      agents: [`stub-model at ${stub.host} (prompt household-react)`],
      episodes: 8,
    });
    expect(stub.requests).toHaveLength(0);
  });

  it('reports that no actions were shown when the environment lists none', async () => {
    const module = path.join(folder, 'silent-env.ts');
    await writeFile(
      module,
      `import { environments as sorting } from ${JSON.stringify(path.join(root, 'examples/sort-env.ts'))};
       const [sort] = sorting;
       const silent = (turn) => ({ ...turn, admissible: undefined });
       export const environments = [{
         ...sort,
         id: 'my-lab/silent-v1',
         open: async (config, context) => {
           const host = await sort.open(config, context);
           return { panels: host.panels, describeTask: (task) => host.describeTask(task), close: () => host.close(), create: async () => {
             const env = await host.create();
             return { close: () => env.close(), reset: async (task, scope) => silent(await env.reset(task, scope)), step: async (action, scope) => silent(await env.step(action, scope)) };
           } };
         },
       }];`,
    );
    const stub = await stubOf(() => ({ kind: 'say', text: 'front a' }));
    const { code, out, err } = await cairn([
      'eval',
      'my-lab/silent',
      '--env-module',
      module,
      '--agent',
      agentOf(stub),
      '--tasks',
      '1',
      '--quiet',
    ]);
    expect(code, err).toBe(0);
    expect(out).toContain('admissible actions not shown');
  });

  it('reports below the table how many observations the prompt cut', async () => {
    const stub = await stubOf((): StubAnswer => ({ kind: 'say', text: 'Thought: hm\nAction: look', usage }));
    const own = path.join(folder, 'narrow.json');
    const shipped = JSON.parse(
      await readFile(path.join('agents/prompt/prompts/household-react.json'), 'utf8'),
    ) as object;
    await writeFile(own, JSON.stringify({ ...shipped, name: 'narrow', observationCharacters: 100 }));
    const { out } = await cairn([...householdOf(stub, '1'), '--prompt', own]);
    const cut = stub.requests.filter(({ body }) =>
      body.messages.at(-1)?.content.includes('characters are left out here'),
    ).length;
    expect(cut).toBeGreaterThan(0);
    const were = cut === 1 ? 'observation was' : 'observations were';
    expect(out).toContain(` replies, as the server counts; ${cut} ${were} cut in the middle because `);
  });

  it('shows as many characters of an observation as requested, whatever the prompt says, and reports the number', async () => {
    const stub = await stubOf((): StubAnswer => ({ kind: 'say', text: 'Thought: hm\nAction: look', usage }));
    const { out } = await cairn([...householdOf(stub, '1'), '--observation-characters', '100']);
    expect(out).toMatch(
      /; history: all steps; observations up to 100 characters; decoding: greedy, else as the server is set;/,
    );
    const shipped = JSON.parse(
      await readFile(path.join('agents/prompt/prompts/household-react.json'), 'utf8'),
    ) as { readonly observationCharacters: number };
    expect(stub.requests[0]?.body.messages.findLast(({ role }) => role === 'user')?.content).toMatch(
      /\[\d+ of \d+ characters are left out here\]/,
    );
    expect(out).toMatch(/observations? (?:was|were) cut in the middle/);
    const usual = await cairn([
      ...householdOf(stub, '1'),
      '--observation-characters',
      String(shipped.observationCharacters),
    ]);
    expect(usual.out).toMatch(/; history: all steps; decoding: greedy, else as the server is set;/);
  });

  it('continues with a shorter page when one exceeds the model’s context', async () => {
    const tooLong = {
      kind: 'json',
      status: 400,
      body: {
        error: {
          code: 'context_length_exceeded',
          message: "This model's maximum context length is 2048 tokens.",
        },
      },
    } as const;
    const stub = await stubOf((request): StubAnswer =>
      JSON.stringify(request.body).length > 5_000
        ? tooLong
        : { kind: 'say', text: request.number === 0 ? 'search[chair]' : 'click[next >]', usage },
    );
    const { code, out, err } = await cairn([
      'bench',
      'shop',
      '--tasks',
      '1',
      '--set',
      'observationMode=html',
      '--set',
      'maxSteps=4',
      '--prompt',
      'plain',
      '--agent',
      agentOf(stub),
      '--quiet',
    ]);
    expect(code, err).toBe(0);
    expect(out).toMatch(
      /; [1-3] observations were cut in the middle because they are longer than the prompt shows or the model takes\./,
    );
  });

  const tooLong: StubAnswer = {
    kind: 'json',
    status: 400,
    body: {
      error: {
        code: 'context_length_exceeded',
        message: "This model's maximum context length is 2048 tokens.",
      },
    },
  };
  const lengthOf = ({ body }: StubRequest): number =>
    body.messages.reduce((sum, { content }) => sum + content.length, 0);

  it('faults the tasks that exceed the model’s context, at any concurrency', async () => {
    const lengths: number[] = []; // of the first prompt of each task
    const script =
      (limit: number) =>
      (request: StubRequest): StubAnswer =>
        lengthOf(request) > limit
          ? tooLong
          : { kind: 'say', text: 'Thought: hm\nAction: look', usage, delayMs: 200 };
    const words = (stub: StubServer): readonly string[] => [
      'eval',
      'household',
      '--agent',
      agentOf(stub),
      '--tasks',
      '6',
      '--set',
      'maxSteps=1',
      '--json',
      '--quiet',
    ];
    const probe = await stubOf((request) => {
      lengths.push(lengthOf(request));
      return script(Number.POSITIVE_INFINITY)(request);
    });
    await cairn(words(probe));
    const [, , third = 0, fourth = 0] = lengths.toSorted((a, b) => a - b);
    const limit = (third + fourth) / 2;
    const rows = async (concurrency: string): Promise<unknown> => {
      const stub = await stubOf(script(limit));
      const { code, out, err } = await cairn([...words(stub), '--concurrency', concurrency]);
      expect([code, err]).toEqual([1, expect.any(String)]);
      return parseResult(JSON.parse(out), 'stdout').episodes.map(({ index, outcome, cause, fault }) => [
        index,
        outcome,
        cause,
        fault,
      ]);
    };
    const alone = await rows('1');
    expect(JSON.stringify(alone)).toMatch(/"faulted","sampler-failed".*task \d of /);
    expect(JSON.stringify(alone).match(/"faulted"/g)).toHaveLength(3);
    expect(await rows('8')).toEqual(alone);
  });

  it('reports below the table a model that rejects every prompt, and counts earlier kept episodes', async () => {
    const words = (stub: StubServer): readonly string[] => [
      'eval',
      'household',
      '--agent',
      agentOf(stub),
      '--tasks',
      '2',
      '--set',
      'maxSteps=2',
      '--concurrency',
      '1',
      '--keep',
      path.join(folder, `taken-${stubs.length}`),
      '--quiet',
    ];
    const nothing = await cairn(words(await stubOf(() => tooLong)));
    expect(nothing.code).toBe(1);
    expect(nothing.out).toContain('2 faults left');
    expect(nothing.err).toMatch(
      /error: stub-model: no prompt was answered, so nothing was measured: .*task 0 of \S+: the task and one turn exceed the context of the model.*Serve the model with a longer context, lower --max-tokens \(1024\)/s,
    );
    let first = '';
    // One task is played, and the other faulted: then, and when only that is left, a row is printed.
    const mixed = await stubOf((request): StubAnswer => {
      const task =
        request.body.messages.findLast(({ content }) => content.includes('task is to'))?.content ?? '';
      first ||= task.slice(task.lastIndexOf('task is to'), task.lastIndexOf('task is to') + 40);
      return task.includes(first) ? { kind: 'say', text: 'Thought: hm\nAction: look', usage } : tooLong;
    });
    for (const { code, out, err } of [await cairn(words(mixed)), await cairn(words(mixed))]) {
      expect(code, err).toBe(1);
      expect(err).not.toContain('nothing was measured');
      expect(out).toContain('1 fault left (50.0 % of episodes)');
    }
  });

  it('plays any environment by the plain prompt', async () => {
    const stub = await stubOf(() => ({ kind: 'say', text: 'press row 1 column 1' }));
    const { code, out } = await cairn([
      'eval',
      'lights-out',
      '--agent',
      agentOf(stub),
      '--tasks',
      '2',
      '--quiet',
    ]);
    expect(code).toBe(0);
    expect(out).toContain('prompt plain (sha256:');
  });
});

describe('kept evaluation', () => {
  /** The server's address is part of what is evaluated, so each session asks the same one. */
  it('continues after an interruption with the result of an uninterrupted one', async () => {
    const keep = path.join(folder, 'kept');
    let signals = new EventEmitter();
    let stopAt = -1;
    const stub = await stubOf((request) => {
      if (request.number === stopAt) signals.emit('SIGINT', 'SIGINT');
      return solver(request);
    });
    const words = [
      'bench',
      'household',
      '--tasks',
      '8',
      '--agent',
      agentOf(stub),
      '--concurrency',
      '2',
      '--json',
    ];
    const whole = await cairn([...words, '--quiet'], { signals: new EventEmitter() });
    const alone = stub.requests.length;
    stopAt = alone + Math.floor(alone / 2);
    const first = await cairn([...words, '--keep', keep], { signals });
    expect(first.code).toBe(130);
    expect(first.err).toMatch(
      /(\d) of 8 episodes (?:is|are) kept in .*kept; the same command goes on with the rest/,
    );
    const done = Number(/(\d) of 8 episodes/.exec(first.err)?.[1]);
    expect(done).toBeGreaterThan(0);
    const before = stub.requests.length;
    signals = new EventEmitter();
    const second = await cairn([...words, '--keep', keep], { signals });
    expect(second.code).toBe(0);
    const strip = (text: string): unknown => {
      const [result] = (JSON.parse(text) as { readonly results: readonly object[] }).results;
      return { ...result, seconds: 0 };
    };
    expect(strip(second.out)).toEqual(strip(whole.out));
    expect(stub.requests.length - before).toBeLessThan(alone);
    const third = await cairn([...words, '--keep', keep, '--quiet']);
    expect(strip(third.out)).toEqual(strip(whole.out));
    expect(stub.requests.length).toBe(alone + (before - alone) + (stub.requests.length - before)); // nothing was asked the third time
    expect((await readdir(path.join(keep, 'stub-model'))).toSorted()).toEqual([
      'episodes-00001.jsonl.gz',
      'evaluation.json',
    ]);
    const seen = await cairn([
      'inspect',
      path.join(keep, 'stub-model', 'episodes-00001.jsonl.gz'),
      '--group',
      '0',
      '--member',
      '0',
    ]);
    expect(seen.out).toContain('wrote   Thought: as planned');
  });

  itInAll('includes the time of a session that was killed', async () => {
    const keep = path.join(folder, 'killed');
    let hangs = true;
    const stub = await stubOf((request) =>
      hangs && request.number >= 20 ? { kind: 'silence' } : solver(request),
    );
    const words = [
      'bench',
      'household',
      '--tasks',
      '8',
      '--agent',
      agentOf(stub),
      '--concurrency',
      '1',
      '--keep',
      keep,
      '--json',
      '--quiet',
    ];
    const secondsKept = async (): Promise<number> => {
      const text = await readFile(path.join(keep, 'stub-model', 'evaluation.json'), 'utf8').catch(
        () => '{"sessions": []}',
      );
      return (
        (JSON.parse(text) as { readonly sessions: readonly { readonly seconds: number }[] }).sessions[0]
          ?.seconds ?? 0
      );
    };
    const killed = spawnCairn(words, {
      drive: (child) =>
        void expect
          .poll(secondsKept)
          .toBeGreaterThan(1.5)
          .finally(() => child.kill('SIGKILL')),
    });
    await expect(killed).rejects.toThrow('SIGKILL');
    const kept = await secondsKept();
    expect(kept).toBeGreaterThan(1.5);
    hangs = false;
    const { code, out, err } = await spawnCairn(words);
    expect(code, err).toBe(0);
    const [result] = (JSON.parse(out) as { readonly results: readonly unknown[] }).results;
    expect(parseResult(result, 'stdout').seconds).toBeGreaterThan(kept);
  });

  it('explains an empty keep folder, and refuses another evaluation in a used one', async () => {
    const keep = path.join(folder, 'other');
    const stub = await stubOf(solver);
    const words = [
      'eval',
      'household',
      '--panel',
      'unseen',
      '--tasks',
      '1',
      '--agent',
      agentOf(stub),
      '--quiet',
      '--keep',
      keep,
    ];
    expect((await cairn(words)).code).toBe(0);
    const { code, err } = await cairn([...words, '--max-tokens', '9']);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /it belongs to another evaluation: shown\.remote\.maxTokens is 1024 there and 9 here\./,
      ) as string,
    });
    const narrower = await cairn([...words, '--observation-characters', '500']);
    expect(narrower.err).toMatch(
      /it belongs to another evaluation: shown\.remote\.observationCharacters is nothing there and 500 here\./,
    );
    const strange = await cairn([
      'eval',
      'lights-out',
      '--agent',
      'random',
      '--tasks',
      '1',
      '--keep',
      folder,
    ]);
    expect(strange.err).toMatch(/it holds .*, and no evaluation/);
  });

  it('uses a folder for each of several agents', async () => {
    const keep = path.join(folder, 'several');
    const stub = await stubOf(solver);
    const { code } = await cairn([
      'bench',
      'household',
      '--tasks',
      '2',
      '--agent',
      agentOf(stub),
      '--agent',
      'random',
      '--keep',
      keep,
      '--quiet',
    ]);
    expect(code).toBe(0);
    expect((await readdir(keep)).toSorted()).toEqual(['random', expect.stringMatching(/^stub-model$/)]);
  });
});

describe('--agent', () => {
  it.each<[readonly string[], RegExp]>([
    [
      ['--agent', 'openai:gpt'],
      /cairn-gym eval, --agent: it does not say where gpt is served\. Write it like openai:Qwen/,
    ],
    [['--agent', 'openai:@http://localhost:1'], /it names no model/],
    [
      ['--agent', 'openai:gpt@localhost:8000/v1'],
      /the server is no URL .* Did you mean openai:gpt@http:\/\/localhost:8000\/v1\?/,
    ],
    [['--agent', 'openai:gpt@http://me:hunter2secret@host/v1'], /the URL contains a user name or a password/],
    [
      ['--agent', 'opnai:gpt@http://localhost:1'],
      /there are no agents of kind "opnai:"\. Did you mean openai\?/,
    ],
    [['--agent', 'expret'], /"expret" is no agent\. Did you mean expert\?/],
    [['--agent', './nowhere'], /there is no run here/],
    [
      ['--agent', 'openai:gpt@http://127.0.0.1:1', '--prompt', 'household-raect'],
      /no prompt has that name\. Did you mean household-react or/,
    ],
    [
      ['--agent', 'openai:gpt@http://127.0.0.1:1', '--key-env', 'NO_SUCH_KEY'],
      /--key-env NO_SUCH_KEY: the environment variable is not set/,
    ],
    [
      ['--agent', 'openai:gpt@http://127.0.0.1:1', '--history', 'some'],
      /--history: must be "all", an integer, or chunks/,
    ],
    [
      ['--agent', 'openai:gpt@http://127.0.0.1:1', '--temperature', '3'],
      /--temperature: 3 is above the limit of servers/,
    ],
    [
      ['--agent', 'openai:gpt@http://127.0.0.1:1', '--observation-characters', '99'],
      /--observation-characters: /,
    ],
    [
      ['--agent', 'random', '--observation-characters', '700'],
      /--observation-characters: it applies to language models, and none plays/,
    ],
    [
      ['--agent', 'random', '--max-tokens', '7'],
      /--max-tokens: it applies to language models, and none plays/,
    ],
    [
      ['--agent', 'random', '--restricted'],
      /--restricted: it applies to language models in a folder, and none plays/,
    ],
    [['--agent', 'random', '--hide-admissible'], /--hide-admissible: it applies to language models/],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await cairn(['eval', 'household', '--tasks', '1', '--quiet', ...words]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
    expect(err).not.toContain('hunter2secret');
  });

  it('fails at once when the server cannot be reached', async () => {
    const { code, err } = await cairn([
      'eval',
      'household',
      '--tasks',
      '1',
      '--quiet',
      '--agent',
      'openai:gpt@http://127.0.0.1:1/v1',
    ]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /gpt at 127\.0\.0\.1:1: it cannot be reached \(.*\)\. Check that the server runs there/,
      ) as string,
    });
  });
});

describe('API key of a language model', () => {
  const key = 'canary-7d1e4b';

  it('goes to the server only: not into the environment, the output or any file', async () => {
    const echo = (request: StubRequest): StubAnswer =>
      request.number % 5 === 2
        ? { kind: 'json', status: 500, body: { error: { message: `key ${key} overloaded` } } }
        : {
            kind: 'say',
            text: `Thought: my key is ${key}\nAction: ${nextCommand(plans, request) ?? 'look'}`,
            model: key,
          };
    const stub = await stubOf(echo);
    const environment = { OPENAI_API_KEY: `${key}\n`, CAIRN_DEBUG: '1' };
    const keep = path.join(folder, 'secret');
    const { code, out, err } = await cairn(
      [
        'eval',
        'household',
        '--panel',
        'unseen',
        '--tasks',
        '2',
        '--agent',
        agentOf(stub),
        '--keep',
        keep,
        '--json',
      ],
      { environment },
    );
    expect(code).toBe(0);
    expect(stub.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
    expect(environment).not.toHaveProperty('OPENAI_API_KEY');
    const { gunzipSync } = await import('node:zlib');
    const written = await Promise.all(
      (await readdir(path.join(keep, 'stub-model'))).map(async (name) =>
        readFile(path.join(keep, 'stub-model', name)),
      ),
    );
    const texts = [
      out,
      err,
      ...written.map((bytes) => (bytes[0] === 0x1f ? gunzipSync(bytes).toString() : bytes.toString())),
    ];
    expect(texts.join('\n')).not.toContain(key);
    expect(texts.join('\n')).toContain('my key is [secret]');
    const refused = await stubOf(() => ({
      kind: 'json',
      status: 401,
      body: { error: { message: `wrong key ${key}` } },
    }));
    const error = await cairn(['eval', 'household', '--tasks', '1', '--agent', agentOf(refused)], {
      environment: { OWN_KEY: key, CAIRN_DEBUG: '1' },
    });
    const own = await cairn(
      ['eval', 'household', '--tasks', '1', '--agent', agentOf(refused), '--key-env', 'OWN_KEY'],
      { environment: { OWN_KEY: key, CAIRN_DEBUG: '1' } },
    );
    expect([error.code, own.code]).toEqual([2, 2]);
    expect(error.err).toContain('None was sent: OPENAI_API_KEY is not set');
    expect(own.err).toContain('wrong key [secret]. Give the right key. The key that was sent is OWN_KEY.');
    expect(own.out + own.err).not.toContain(key);
  });

  it('goes unencrypted to another machine only when its variable is named', async () => {
    const words = [
      'eval',
      'household',
      '--tasks',
      '1',
      '--agent',
      'openai:gpt@http://no-such-host.invalid/v1',
    ];
    const kept = await cairn(words, { environment: { OPENAI_API_KEY: key } });
    expect(kept.err).toMatch(
      /the key of OPENAI_API_KEY is not sent to no-such-host\.invalid, because on the way anybody could read it/,
    );
    const sent = await cairn([...words, '--key-env', 'OPENAI_API_KEY'], {
      environment: { OPENAI_API_KEY: key },
    });
    expect(sent.err).not.toContain('is not sent');
  });

  it('causes an error when it contains blanks, which does not show it', async () => {
    const { code, err } = await cairn(
      ['eval', 'household', '--tasks', '1', '--agent', 'openai:gpt@http://127.0.0.1:1'],
      { environment: { OPENAI_API_KEY: `${key} ${key}` } },
    );
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/environment variable OPENAI_API_KEY: the key contains blanks/) as string,
    });
    expect(err).not.toContain(key);
  });
});
