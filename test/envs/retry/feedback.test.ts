import { afterEach, describe, expect, it } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import type { StepResult } from '../../../envs/core/step.ts';
import { defineToolEnv } from '../../../envs/engines/tools/define-tool-env.ts';
import { callAction, type ToolAction } from '../../../envs/engines/tools/action.ts';
import type { ToolObservation } from '../../../envs/engines/tools/observation.ts';
import { openEnv } from '../../../envs/open.ts';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';
import { retryAnyEnv, retryEnv, type RetryObservation } from '../../../envs/retry/retry.ts';
import { describeWrong } from '../../../envs/sql/judge-answer.ts';
import type { SqlQuestion } from '../../../envs/sql/task.ts';
import {
  startStub,
  type StubAnswer,
  type StubRequest,
  type StubServer,
} from '../../support/stub-chat-server.ts';
import { switchOn, tables, tools } from '../engines/tools/desk.ts';

const lamps = retryEnv(
  defineToolEnv({
    id: 'test/lamps-v1',
    summary: 'lamps',
    world: { tables, tools, panels: { train: 1, dev: 1 }, task: () => switchOn },
  }),
);
const context = createContext({ seed: 0, now: () => 0, system: { FEEDBACK_KEY: 'sesame', EMPTY: '' } });
const look = callAction('get_lamp', { lamp: 'lamp_a' });
const done: ToolAction = { kind: 'done' };
const right = [look, callAction('switch_lamp', { lamp: 'lamp_a', to: 'on' }), done];

type Result = StepResult<RetryObservation<ToolObservation>, ToolAction>;

async function play(actions: readonly ToolAction[], retry: object): Promise<readonly Result[]> {
  const host = await openEnv(lamps, { retry: { discount: 1, repeatPenalty: 0, ...retry } }, context);
  try {
    const env = await host.create();
    await env.reset({ panel: 'train', index: 0 }, context);
    const results: Result[] = [];
    for (const action of actions) results.push(await env.step(action, context));
    return results;
  } finally {
    await host.close();
  }
}

let server: StubServer | undefined;
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});
const serve = async (
  script: (request: StubRequest) => StubAnswer,
): Promise<{ readonly url: string; readonly model: string }> => {
  server = await startStub(script);
  return { url: server.url, model: 'stub-model' };
};

describe('scripted feedback', () => {
  it('says after a wrong attempt what was wrong, and changes nothing else', async () => {
    const actions = [look, done, ...right];
    const [without, withIt] = [
      await play(actions, { turns: 6 }),
      await play(actions, { turns: 6, feedback: 'scripted' }),
    ];
    expect(withIt[0]?.observation.advice).toBeUndefined();
    expect(withIt[1]).toMatchObject({
      kind: 'ongoing',
      observation: {
        attempt: 2,
        turnsLeft: 4,
        advice: 'The data is not as the request wants it: a change is missing, wrong, or too much.',
      },
      metrics: { feedback: 1 },
    });
    expect(lamps.text.observation(withIt[1]?.observation as RetryObservation<ToolObservation>)).toMatch(
      /Attempt 2 of 5\.\n\nFeedback: The data .*\n\n.*\n\nTurns left: 4\.$/s,
    );
    expect(withIt.at(-1)).toMatchObject({ kind: 'terminated', outcome: 'solved', reward: { total: 1 } });
    const plain = withIt.map(({ observation: { advice: _advice, ...observation }, metrics, ...rest }) => {
      const { feedback: _given, ...counted } = metrics ?? {};
      return { ...rest, observation, metrics: counted };
    });
    expect(plain).toEqual(without.map((result) => ({ ...result, metrics: { ...result.metrics } })));
  });

  it('needs an env that declares some', async () => {
    const [answers] = findPuzzle('hanoi').envs;
    const puzzle = retryAnyEnv(answers as NonNullable<typeof answers>);
    await expect(openEnv(puzzle, { retry: { feedback: 'scripted' } }, context)).rejects.toThrow(
      /puzzle-hanoi-v1, retry\.feedback: this environment says nothing of what was wrong/,
    );
  });
});

describe('turns', () => {
  it('end the episode as failed when none is left, whatever the attempt', async () => {
    expect((await play([look, look], { turns: 2 })).at(-1)).toMatchObject({
      kind: 'terminated',
      outcome: 'failed',
      limit: 'turn-limit',
    });
    const wrong = (await play([look, done], { turns: 2, feedback: 'scripted' })).at(-1);
    expect(wrong).toMatchObject({ kind: 'terminated', outcome: 'failed', metrics: { attempts: 1 } });
    expect(wrong?.observation.advice).toBeUndefined(); // nobody would read it
  });

  it('stand in a snapshot', async () => {
    const host = await openEnv(lamps, { retry: { turns: 3, feedback: 'scripted' } }, context);
    const env = await host.create();
    await env.reset({ panel: 'train', index: 0 }, context);
    await env.step(done, context);
    const snapshot = env.snapshots?.take();
    const other = await host.create();
    const turn = snapshot === undefined ? undefined : other.snapshots?.restore(snapshot);
    expect(turn?.observation).toMatchObject({
      attempt: 2,
      turnsLeft: 2,
      advice: expect.any(String) as string,
    });
    const next = await env.step(look, context);
    expect(await other.step(look, context)).toEqual(next);
    await host.close();
  });
});

describe('feedback of a model', () => {
  it('follows every turn of an episode that goes on, and sees what the agent saw', async () => {
    const seen: string[] = [];
    const model = await serve(({ body: { messages }, headers }) => {
      expect(headers.authorization).toBe('Bearer sesame');
      seen.push(messages.map(({ content }) => content).join('\n'));
      return { kind: 'say', text: ` Good ${seen.length}. ` };
    });
    const results = await play(right, { turns: 9, feedback: { ...model, keyName: 'FEEDBACK_KEY' } });
    expect(results.map(({ observation }) => observation.advice)).toEqual(['Good 1.', 'Good 2.', undefined]);
    expect(seen).toHaveLength(2); // none after the end
    expect(seen[1]).toMatch(/Switch lamp_a on.*get_lamp.*"state":"off".*switch_lamp.*"state":"on"/s);
  });

  it('counts as a fault of the world where it is empty', async () => {
    const empty = await serve(() => ({ kind: 'say', text: '' }));
    await expect(play([look], { feedback: empty })).rejects.toThrow(/the model answered with nothing/);
  });

  it('needs the key that it names', async () => {
    const model = { url: 'http://localhost:9', model: 'm' };
    for (const keyName of ['EMPTY', 'MISSING'])
      await expect(play([look], { feedback: { ...model, keyName } })).rejects.toThrow(keyName);
    await expect(play([look], { feedback: 'a friend' })).rejects.toThrow(/retry\.feedback/);
  });
});

it('feedback on a wrong query names its size, and no value of the answer', () => {
  const question = {
    gold: 'SELECT name FROM cities',
    goldRows: [['Oslo'], ['Rome']],
  } as unknown as SqlQuestion;
  const rows = (...list: string[][]) =>
    ({ kind: 'rows', columns: list[0] ?? [], rows: list, isCut: false }) as never;
  expect(describeWrong({ kind: 'error', message: 'no such table: x' } as never, question)).toBe(
    'The query could not be run: no such table: x',
  );
  expect(describeWrong(rows(['a', 'b']), question)).toContain('number of columns: 2, and the answer has 1');
  expect(describeWrong(rows(['a']), question)).toContain('number of rows: 1, and the answer has 2');
  const values = describeWrong(rows(['a'], ['b']), question);
  expect(values).toContain('values');
  expect(values).not.toMatch(/Oslo|Rome/);
});
