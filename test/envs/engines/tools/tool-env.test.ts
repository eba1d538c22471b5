import { describe, expect, it } from 'vitest';
import { checkEnv } from '../../../../envs/check/check-env.ts';
import { describeFinding } from '../../../../envs/check/report.ts';
import { defineToolEnv } from '../../../../envs/engines/tools/define-tool-env.ts';
import type { ToolAction } from '../../../../envs/engines/tools/action.ts';
import { describeTool, functionTool } from '../../../../envs/engines/tools/tool.ts';
import { context, fuseTool, lamps, play, switchOn, tables, tools } from './desk.ts';

const done: ToolAction = { kind: 'done' };
const [listLamps, getLamp, switchLamp] = tools;

describe('an episode', () => {
  it('pays the outcome for the gold calls', async () => {
    await using playing = await play(switchOn);
    expect(playing.turn.observation).toEqual({
      tools: ['list_lamps', 'get_lamp', 'switch_lamp'],
      results: [],
    });
    await playing.call('get_lamp', { lamp: 'lamp_a' });
    const { observation } = await playing.call('switch_lamp', { lamp: 'lamp_a', to: 'on' });
    expect(observation.results).toEqual([{ name: 'switch_lamp', text: '{"lamp":"lamp_a","state":"on"}' }]);
    expect(await playing.step(done)).toMatchObject({
      kind: 'terminated',
      outcome: 'solved',
      reward: { terms: { outcome: 1 } },
    });
  });

  it.each<[string, readonly ToolAction[], string]>([
    [
      'the right end without having looked',
      [call('switch_lamp', { lamp: 'lamp_a', to: 'on' })],
      'wrong-read',
    ],
    [
      'another end state',
      [call('get_lamp', { lamp: 'lamp_a' }), call('switch_lamp', { lamp: 'lamp_b', to: 'off' })],
      'wrong-state',
    ],
    ['nothing done', [call('get_lamp', { lamp: 'lamp_a' })], 'wrong-state'],
  ])('fails with %s', async (_, actions, lack) => {
    await using playing = await play(switchOn);
    for (const action of actions) await playing.step(action);
    expect(await playing.step(done)).toMatchObject({
      outcome: 'failed',
      reward: { total: 0 },
      metrics: { [lack]: 1 },
    });
  });

  it('does several calls of one action in order, each as a transaction of its own', async () => {
    await using playing = await play(
      { ...switchOn, start: { lamps, fuses: [{ id: 'main', state: 'out' }] } },
      {},
      {
        userTools: [fuseTool],
      },
    );
    const action: ToolAction = {
      kind: 'calls',
      calls: [
        { name: 'switch_lamp', arguments: { lamp: 'lamp_a', to: 'on' } },
        { name: 'get_lamp', arguments: { lamp: 'lamp_a' } },
      ],
    };
    const { observation, inadmissible } = await playing.step(action);
    expect(observation.results).toEqual([
      { name: 'switch_lamp', error: 'not_allowed', text: 'There is no power.' },
      { name: 'get_lamp', text: '{"lamp":"lamp_a","state":"off","watts":40}' }, // the refused change was taken back
    ]);
    expect(inadmissible).toBe(false);
    await playing.step({ kind: 'say', text: 'Please use put_fuse_in.' });
    expect((await playing.step(action)).observation.results[1]?.text).toContain('"state":"on"');
  });

  it.each<[string, object, string, string]>([
    ['swich_lamp', {}, 'unknown_tool', 'There is no tool "swich_lamp". Did you mean switch_lamp?'],
    ['get_lamp', {}, 'bad_argument', 'The argument lamp is missing.'],
    [
      'get_lamp',
      { lamp: 'lamp_a', room: 1 },
      'bad_argument',
      'There is no argument "room". The arguments are: lamp.',
    ],
    ['get_lamp', { lamp: 5 }, 'bad_argument', 'The argument lamp cannot be used'],
    ['switch_lamp', { lamp: 'lamp_a', to: 'up' }, 'bad_argument', 'The argument to cannot be used'],
    ['x'.repeat(150), {}, 'unknown_tool', 'There is no tool'],
  ])('answers the call %s %j with %s: data, counted as inadmissible', async (name, given, code, message) => {
    await using playing = await play(switchOn);
    const { observation, inadmissible } = await playing.call(name, given as Record<string, string>);
    expect(observation.results[0]).toMatchObject({
      error: code,
      text: expect.stringContaining(message) as string,
    });
    expect(inadmissible).toBe(true);
  });

  it('keeps a missing tool out of the list, and ends well with a transfer', async () => {
    const [request] = switchOn.requests;
    const task = {
      ...switchOn,
      withheld: ['switch_lamp'],
      requests: [
        {
          says: request?.says ?? '',
          gold: [{ name: 'get_lamp', arguments: { lamp: 'lamp_a' } }],
          end: 'transfer' as const,
        },
      ],
    };
    await using playing = await play(task);
    expect(playing.turn.observation.tools).toEqual(['list_lamps', 'get_lamp']);
    expect(
      (await playing.call('switch_lamp', { lamp: 'lamp_a', to: 'on' })).observation.results[0]?.error,
    ).toBe('unknown_tool');
    expect(await playing.step({ kind: 'transfer' })).toMatchObject({ outcome: 'solved' });
  });

  it('shows and counts the last words of a user who ends a request before the next one', async () => {
    const [request] = switchOn.requests;
    const wanted = [
      ...(request?.gold ?? []),
      { name: 'switch_lamp', arguments: { lamp: 'lamp_b', to: 'off' } },
    ];
    await using playing = await play(
      {
        ...switchOn,
        requests: [...switchOn.requests, { says: 'Now lamp_b off, please.', gold: wanted }],
      },
      {},
      {
        user: {
          hear: () => ({ says: 'Thanks. I sit under lamp_c.', state: 1, ends: true, isMistake: true }),
        },
      },
    );
    await playing.call('get_lamp', { lamp: 'lamp_a' });
    await playing.call('switch_lamp', { lamp: 'lamp_a', to: 'on' });
    const next = await playing.step({ kind: 'say', text: 'It is on.' });
    expect(next).toMatchObject({
      kind: 'ongoing',
      observation: { user: 'Thanks. I sit under lamp_c.\nNow lamp_b off, please.' },
      metrics: { requests: 1, messages: 1, userMistakes: 1 },
    });
    const listed = next.kind === 'ongoing' ? next.admissible : undefined;
    expect(JSON.stringify(listed)).toContain('lamp_c'); // its words count as heard
    await playing.call('switch_lamp', { lamp: 'lamp_b', to: 'off' });
    expect(await playing.step({ kind: 'say', text: 'It is off.' })).toMatchObject({
      outcome: 'solved',
      observation: { user: 'Thanks. I sit under lamp_c.' },
      metrics: { requests: 1, messages: 1, userMistakes: 1 },
    });
  });

  it('lets the first calls of a tool fail', async () => {
    await using playing = await play({ ...switchOn, failures: { get_lamp: 2 } });
    const answers = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      answers.push((await playing.call('get_lamp', { lamp: 'lamp_a' })).observation.results[0]?.error);
    expect(answers).toEqual(['unavailable', 'unavailable', undefined]);
  });

  it('checks each request of several, and fails at the first wrong one', async () => {
    const two = {
      ...switchOn,
      requests: [
        ...switchOn.requests,
        {
          says: 'How many watts has lamp_c?',
          gold: [{ name: 'get_lamp', arguments: { lamp: 'lamp_c' } }],
          tell: ['75'],
        },
      ],
    };
    await using playing = await play(two);
    await playing.call('get_lamp', { lamp: 'lamp_a' });
    await playing.call('switch_lamp', { lamp: 'lamp_a', to: 'on' });
    const second = await playing.step(done);
    expect(second).toMatchObject({ kind: 'ongoing', observation: { user: 'How many watts has lamp_c?' } });
    await playing.call('get_lamp', { lamp: 'lamp_c' });
    await playing.step({ kind: 'say', text: 'It has 75 watts.' });
    expect(await playing.step(done)).toMatchObject({ outcome: 'solved' });
    await playing.env.reset({ panel: 'train', index: 1 }, context);
    expect(await playing.step(done)).toMatchObject({ outcome: 'failed', metrics: { 'wrong-state': 1 } });
  });

  it('lets a user answer when asked, and counts mistakes of the user apart', async () => {
    const task = {
      ...switchOn,
      requests: switchOn.requests.map((request) => ({
        ...request,
        slots: { 'lamp id': { says: 'It is lamp_a.', slip: 'It is lamp_zz.' } },
      })),
    };
    await using playing = await play(task, {}, { slots: ['lamp id'] });
    const ask: ToolAction = { kind: 'say', text: 'What is the lamp id?' };
    expect(playing.turn.admissible).toContainEqual(ask);
    expect(await playing.step(ask)).toMatchObject({
      observation: { user: 'It is lamp_zz.' },
      metrics: { userMistakes: 1 },
    });
    expect(await playing.step(ask)).toMatchObject({
      observation: { user: 'It is lamp_a.' },
      metrics: { userMistakes: 0 },
    });
    expect(await playing.step({ kind: 'say', text: 'Thanks' })).toMatchObject({
      observation: { user: 'I have nothing to add.' },
    });
  });

  it('refuses by a rule of the policy only', async () => {
    const task = {
      ...switchOn,
      requests: [{ says: 'Burn it.', gold: [], end: 'refuse' as const, rule: 'no_fire' }],
    };
    await using playing = await play(task, {}, { rules: { no_fire: 'No fire.', no_water: 'No water.' } });
    expect(await playing.step({ kind: 'refuse', rule: 'no_fun' })).toMatchObject({
      kind: 'ongoing',
      inadmissible: true,
    });
    expect(await playing.step({ kind: 'refuse', rule: 'no_fire' })).toMatchObject({ outcome: 'solved' });
    await playing.env.reset({ panel: 'train', index: 1 }, context);
    expect(await playing.step({ kind: 'refuse', rule: 'no_water' })).toMatchObject({
      metrics: { 'wrong-rule': 1 },
    });
  });

  it('asks for the results of all gold calls where grading is by results, as BFCL does', async () => {
    await using playing = await play(
      {
        ...switchOn,
        requests: [{ ...switchOn.requests[0], says: 'On', gold: switchOn.requests[0]?.gold ?? [], read: [] }],
      },
      { grading: 'results' },
    );
    await playing.call('switch_lamp', { lamp: 'lamp_a', to: 'on' });
    expect(await playing.step(done)).toMatchObject({ outcome: 'failed', metrics: { 'wrong-results': 1 } });
  });
});

describe('rewards', () => {
  const weights = { outcome: 7, match: 1, errors: 1, hierarchy: 1 };

  it('follow the config', async () => {
    await using playing = await play(switchOn, { weights });
    expect(await playing.call('fly')).toMatchObject({ reward: { terms: { errors: -1 } } });
    await playing.call('get_lamp', { lamp: 'lamp_a' });
    await playing.call('switch_lamp', { lamp: 'lamp_a', to: 'on' });
    const { reward } = await playing.step(done);
    // names 2 of 3, all else right: 6 (2/3 + 5) / 6 - 3; a wrong form costs 1
    expect(reward.terms).toEqual({
      outcome: 7,
      match: expect.closeTo(2 / 3 + 5 - 3, 9) as number,
      hierarchy: -1,
    });
  });

  it('pay for several tools', async () => {
    await using playing = await play(switchOn, { weights });
    await playing.call('get_lamp', { lamp: 'lamp_a' });
    await playing.call('switch_lamp', { lamp: 'lamp_a', to: 'on' });
    expect((await playing.step(done)).reward.terms).toEqual({ outcome: 7, match: 3, hierarchy: 1.1 });
  });

  it.each([{ outcome: 0 }, { outcome: 1, match: 1 }])('refuse the weights %j', async (wrong) => {
    await expect(play(switchOn, { weights: wrong })).rejects.toThrow(/above six times match/);
  });
});

describe('listed actions', () => {
  it('take their arguments from what was said and shown, and from nothing else', async () => {
    await using playing = await play(switchOn);
    const words = (turn: typeof playing.turn): readonly string[] =>
      (turn.admissible ?? []).map((one) => playing.text.action(one));
    expect(words(playing.turn)).toEqual([
      'get_lamp lamp=lamp_a',
      'switch_lamp lamp=lamp_a; to=on',
      'switch_lamp lamp=lamp_a; to=off',
      'switch_lamp lamp=lamp_a; to=on; slow=true',
      'switch_lamp lamp=lamp_a; to=off; slow=true',
      'switch_lamp lamp=lamp_a; to=on; slow=false',
      'switch_lamp lamp=lamp_a; to=off; slow=false',
      'done',
      'transfer',
    ]);
    const turn = await playing.call('list_lamps', { room: 'attic' });
    expect(turn.admissible).toContainEqual(call('get_lamp', { lamp: 'lamp_c' }));
    expect(turn.admissible).not.toContainEqual(call('get_lamp', { lamp: 'lamp_b' }));
  });

  it('stay out where the config says so', async () => {
    await using playing = await play(switchOn, { listed: false });
    expect(playing.turn.admissible).toBeUndefined();
  });

  it('communicate values of the fields that the request names', async () => {
    const task = { ...switchOn, requests: [{ says: 'How many watts has lamp_c?', gold: [], tell: ['75'] }] };
    await using playing = await play(task);
    const { admissible } = await playing.call('get_lamp', { lamp: 'lamp_c' });
    expect(admissible).toContainEqual({ kind: 'say', text: 'watts: 75' });
    expect(admissible).not.toContainEqual({ kind: 'say', text: 'state: off' });
  });
});

describe('keys', () => {
  const look = (lamp: string): ToolAction => call('get_lamp', { lamp });
  const turnAfter = async (actions: readonly ToolAction[]) => {
    await using playing = await play(switchOn);
    let turn: { readonly anchorKey: string | undefined; readonly stateKey: string | undefined } =
      playing.turn;
    for (const action of actions) {
      const result = await playing.step(action);
      if (result.kind !== 'ongoing') throw new Error('over');
      turn = result;
    }
    return turn;
  };

  it('do not depend on the order of look-ups, nor on repeats', async () => {
    const [one, other] = [
      await turnAfter([look('lamp_a'), look('lamp_b')]),
      await turnAfter([look('lamp_b'), look('lamp_a'), look('lamp_b')]),
    ];
    expect(one.anchorKey).toBe(other.anchorKey);
    expect(one.stateKey).toBe(other.stateKey);
  });

  it('separate changes from what was shown', async () => {
    const [nothing, looked, changed] = [
      await turnAfter([]),
      await turnAfter([look('lamp_b')]),
      await turnAfter([call('switch_lamp', { lamp: 'lamp_b', to: 'off' })]),
    ];
    expect(nothing.stateKey).toBe(looked.stateKey);
    expect(new Set([nothing.anchorKey, looked.anchorKey, changed.anchorKey]).size).toBe(3);
    expect(changed.stateKey).not.toBe(nothing.stateKey);
  });
});

it('an env of the kit keeps the laws, with all rewards', async () => {
  const definition = defineToolEnv({
    id: 'test/lamps-v1',
    summary: 'lamps',
    world: {
      tables,
      tools,
      userTools: [fuseTool],
      panels: { train: 3, dev: 1 },
      slots: ['lamp id'],
      rules: { no_fire: 'No fire.' },
      task: ({ panel, index }) => ({
        ...switchOn,
        facts: {
          lamps: [{ id: `lamp_${panel}${'x'.repeat(index)}`, room: 'hall', state: 'off' as const, watts: 5 }],
        },
      }),
    },
  });
  const config = {
    grading: 'results',
    weights: { outcome: 8, match: 1, errors: 0.1, hierarchy: 1 },
  } as const;
  const report = await checkEnv(definition, {
    config,
    tasksPerPanel: 2,
    points: 8,
    pairs: 10,
    leastSteps: 100,
  });
  expect(report.findings.map(describeFinding)).toEqual([]);
});

it('tools have the form of OpenAI, and a line for people', () => {
  expect(functionTool(switchLamp as (typeof tools)[number])).toEqual({
    type: 'function',
    function: {
      name: 'switch_lamp',
      description: 'switches a lamp',
      parameters: {
        type: 'object',
        properties: {
          lamp: { type: 'string', pattern: '^lamp_[a-z]+$', description: 'id of a lamp' },
          to: { type: 'string', enum: ['on', 'off'] },
          slow: { type: 'boolean' },
        },
        required: ['lamp', 'to'],
        additionalProperties: false,
      },
    },
  });
  expect(describeTool(switchLamp as (typeof tools)[number])).toBe(
    '- switch_lamp: switches a lamp; takes lamp (string, id of a lamp), to ("on" or "off"), slow (boolean, optional)',
  );
  expect([listLamps, getLamp].map((tool) => tool?.name)).toEqual(['list_lamps', 'get_lamp']);
});

function call(name: string, given: Readonly<Record<string, string>>): ToolAction {
  return { kind: 'calls', calls: [{ name, arguments: given }] };
}
