import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../envs/core/errors.ts';
import type { Decision } from '../../../../agents/core/agent.ts';
import { ByteWriter } from '../../../../agents/rollout/format/byte-writer.ts';
import { decodeGroup, encodeGroup } from '../../../../agents/rollout/format/codec.ts';
import { nestingDepth } from '../../../../agents/rollout/format/nesting-depth.ts';
import { packValue, StringTable, unpackValue } from '../../../../agents/rollout/format/packed-value.ts';
import { defaultReadLimits } from '../../../../agents/rollout/format/read-limits.ts';
import { writeLineV2 } from '../../../../agents/rollout/format/versions/write-v2.ts';
import type { TrajectoryGroup, TrajectoryStep } from '../../../../agents/rollout/trajectory.ts';
import { sampleGroup, storable, trajectoryGroup } from '../../../support/trajectory-arbitrary.ts';
import { runs } from '../../../support/thorough.ts';

const origin = { file: 'some.jsonl.gz', firstLine: 10 };
const decode = (bytes: Buffer | string, limits = defaultReadLimits): TrajectoryGroup =>
  decodeGroup(Buffer.from(bytes), origin, limits).group;

describe('packed values', () => {
  it('round-trip unchanged', () => {
    fc.assert(
      fc.property(storable, (value) => {
        const table = new StringTable();
        const written = JSON.stringify(packValue(value, table));
        expect(unpackValue(JSON.parse(written), table.strings)).toStrictEqual(value);
      }),
    );
  });

  it('store each long text once, and mark values that JSON lacks', () => {
    const table = new StringTable();
    const packed = packValue(
      { here: 'a long sentence', again: ['a long sentence', 'short'], nothing: undefined, $: 1, $x: null },
      table,
    );
    expect(packed).toEqual({
      here: { $: 0 },
      again: [{ $: 0 }, 'short'],
      nothing: { $: 'undefined' },
      $$: 1,
      $$x: null,
    });
    expect(table.strings).toEqual(['a long sentence']);
  });

  it('keep a key called __proto__ as an own key', () => {
    const value: unknown = JSON.parse('{"__proto__": {"admin": true}}');
    const back = unpackValue(packValue(value, new StringTable()), []);
    expect(Object.keys(back as object)).toEqual(['__proto__']);
    expect((back as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    [{ at: Number.NaN }],
    [[Number.POSITIVE_INFINITY]],
    [new Map()],
    [{ f: () => 1 }],
    [[1n]],
    [new Date(0)],
  ])('refuse %o', (value) => {
    expect(() => packValue(value, new StringTable(), { at: 'observation', depth: 3 })).toThrow(
      /^observation.* is .*, which cannot be stored$/,
    );
  });
});

describe('group codec', () => {
  it('round-trips every group unchanged', () => {
    fc.assert(
      fc.property(trajectoryGroup, (group) => {
        const back = decode(encodeGroup(group));
        expect(back).toStrictEqual(group);
        expect(bitsOfEvidence(back)).toStrictEqual(bitsOfEvidence(group)); // NaNs of all bits are equal above
      }),
    );
  });

  it('writes version 2 as before: golden lines', () => {
    const [member] = sampleGroup(3, 4).members;
    if (member === undefined) throw new Error('the sample has a member');
    const observation = { room: 'the green room', open: undefined };
    const group: TrajectoryGroup = {
      task: member.task,
      members: [
        {
          ...member,
          instruction: 'Find "it".',
          steps: [
            {
              observation,
              seat: 0,
              stateKey: undefined,
              anchorKey: 'green|1',
              stepsLeft: 2,
              reply: { kind: 'action', action: 'open the chest' },
              decision: { kind: 'choice', candidates: ['open the chest', 'go'], index: 0, logprob: -0.5 },
              policyVersion: 7,
              verdict: 'inadmissible',
              reward: { total: 1, terms: { goal: 1 } },
              penalty: 0.25,
            },
          ],
          finalStateKey: 'the last world',
          finalAnchorKey: 'green|1',
          evidence: { values: Float64Array.of(0.5, -0, Number.NaN), none: new Float64Array(0) },
        },
      ],
    };
    expect(encodeGroup(group).toString()).toBe(
      '{"kind":"group","schema":2,"task":{"panel":"train","index":3},"members":1}\n' +
        '{"kind":"trajectory","path":"train/3/sample/member-0","env":{"id":"sample-v1","config":{}},"task":{"panel":"train","index":3},' +
        '"family":"sample","agent":"sampled","instruction":"Find \\"it\\".","steps":[{"observation":{"room":{"$":0},"open":{"$":"undefined"}},"seat":0,' +
        '"anchorKey":1,"stepsLeft":2,"reply":{"kind":"action","action":{"$":2}},"decision":{"kind":"choice","candidates":[2,3],"index":0,"logprob":-0.5},' +
        '"policyVersion":7,"verdict":"inadmissible","reward":{"total":1,"terms":{"goal":1}},"penalty":0.25}],"finalObservation":{"room":{"$":0}},' +
        '"stop":{"kind":"terminated","outcome":"solved"},"strings":["the green room","green|1","open the chest","go","the last world"],' +
        '"finalStateKey":4,"finalAnchorKey":1,"evidence":{"values":"AAAAAAAA4D8AAAAAAAAAgAAAAAAAAPh/","none":""}}\n',
    );
    expect(decode(encodeGroup(group))).toStrictEqual(group);
  });

  it('refuses to write a value that it could not read, and names the place', () => {
    const [member] = sampleGroup(1).members;
    if (member === undefined) throw new Error('the sample has a member');
    const write = (over: Partial<typeof member>): Buffer =>
      encodeGroup({ task: member.task, members: [{ ...member, ...over }] });
    expect(() => write({ finalObservation: { seen: [Number.NaN] } })).toThrow(
      'finalObservation.seen[0] is NaN',
    );
    expect(() => write({ finalObservation: new Set() })).toThrow(UsageError);
    let deep: unknown = 1;
    for (let level = 0; level < 80; level += 1) deep = [deep];
    expect(() => write({ finalObservation: deep })).toThrow('it nests 81 deep');
    const step = {
      observation: 0,
      seat: 0,
      stateKey: undefined,
      anchorKey: undefined,
      stepsLeft: undefined,
      reply: { kind: 'action', action: 0 },
    } as const;
    const scored = {
      ...step,
      decision: undefined,
      policyVersion: undefined,
      verdict: 'admissible',
      reward: { total: Number.NaN, terms: {} },
      penalty: undefined,
    } as const;
    expect(() => write({ steps: [scored] })).toThrow(
      /train\/1\/sample\/member-0: it cannot be stored: steps\[0\]\.reward\.total is NaN, which cannot be stored\./,
    );
  });

  const decisions = {
    choice: { kind: 'choice', candidates: ['go', 'stay'], index: 0, logprob: -0.5 },
    tokens: {
      kind: 'tokens',
      spans: [{ kept: 2, appended: [3], sampled: [4], logprobs: [-0.5] }],
      allowed: [[4], [5]],
      leftOut: 1,
      charactersCut: 2,
      actionsLeftOut: 4,
    },
    text: {
      kind: 'text',
      text: 'go',
      usage: { prompt: 9, completion: 2, cached: 4, reasoning: 1 },
      reasoningCharacters: 3,
      leftOut: 1,
      charactersCut: 2,
      actionsLeftOut: 4,
    },
  } as const satisfies Readonly<Record<string, Decision>>;
  const fieldsOf = {
    choice: ['decision.kind', 'decision.candidates', 'decision.index', 'decision.logprob'],
    tokens: [
      'decision.kind',
      'decision.spans',
      'decision.spans.0',
      'decision.spans.0.kept',
      'decision.spans.0.appended',
      'decision.spans.0.sampled',
      'decision.spans.0.logprobs',
      'decision.spans.0.logprobs.0',
      'decision.allowed',
      'decision.allowed.0',
      'decision.leftOut',
    ],
    text: [
      'decision.kind',
      'decision.text',
      'decision.usage',
      'decision.usage.prompt',
      'decision.usage.cached',
      'decision.reasoningCharacters',
      'decision.leftOut',
      'decision.charactersCut',
      'decision.actionsLeftOut',
    ],
  };
  it.each(['choice', 'tokens', 'text'] as const)(
    'refuses or round-trips rubbish in any field of a step with a %s decision',
    (kind) => {
      const odd = fc.constantFrom<unknown>(
        undefined,
        null,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        0.5,
        -1,
        2 ** 60,
        '',
        'text',
        true,
        [],
        {},
        [undefined],
        { kind: 'odd' },
        [0.5, 'x'],
        new Map(),
        Symbol('s'),
      );
      const paths = [
        'observation',
        'seat',
        'stateKey',
        'anchorKey',
        'stepsLeft',
        'reply',
        'reply.kind',
        'reply.action',
        'decision',
        ...fieldsOf[kind],
        'policyVersion',
        'verdict',
        'reward',
        'reward.total',
        'reward.terms',
        'reward.terms.goal',
        'penalty',
        'otherRewards',
        'otherRewards.1',
        'metrics',
        'metrics.speed',
      ];
      const step: TrajectoryStep = {
        observation: 'a room',
        seat: 0,
        stateKey: 's',
        anchorKey: 'a',
        stepsLeft: 3,
        reply: { kind: 'action', action: 'go' },
        decision: decisions[kind],
        policyVersion: 1,
        verdict: 'admissible',
        reward: { total: 1, terms: { goal: 1 } },
        penalty: 0.25,
        otherRewards: { 1: { total: 0, terms: {} } },
        metrics: { speed: 2 },
      };
      const [member] = sampleGroup(1).members;
      if (member === undefined) throw new Error('the sample has a member');
      let [refused, back] = [0, 0];
      fc.assert(
        fc.property(fc.constantFrom(...paths), odd, (path, value) => {
          const changed = {
            task: member.task,
            members: [{ ...member, steps: [withValue(step, path.split('.'), value)] }],
          };
          let bytes: Buffer;
          try {
            bytes = encodeGroup(changed);
          } catch (thrown) {
            refused += 1;
            expect(UsageError.is(thrown), String(thrown)).toBe(true);
            return;
          }
          back += 1;
          expect(decode(bytes)).toEqual(changed);
        }),
        { numRuns: runs(2_000) },
      );
      expect(Math.min(refused, back)).toBeGreaterThan(runs(2_000) / 20);
    },
  );

  it('refuses to write unreadable evidence, final keys and penalties', () => {
    const [member] = sampleGroup(1).members;
    if (member === undefined) throw new Error('the sample has a member');
    const write = (over: object): Buffer =>
      encodeGroup({ task: member.task, members: [{ ...member, ...over }] });
    expect(() => write({ evidence: { values: [1, 2] } })).toThrow('evidence.values is not a Float64Array');
    expect(() => write({ evidence: new Map([['values', Float64Array.of(1)]]) })).toThrow('evidence is a');
    expect(() => write({ evidence: { 'The values': Float64Array.of(1) } })).toThrow(
      'evidence.The values: Invalid key',
    );
    expect(() => write({ finalStateKey: 3 })).toThrow('finalStateKey is 3');
    expect(() => write({ finalAnchorKey: null })).toThrow('finalAnchorKey is null');
  });

  it.each(['AAAAAAAA4D8', 'AAAA', 'AAAAAAAA4D8=AAAA', 'not base64!!'])(
    'refuses evidence that is not the base64 text of floats: %s',
    (packed) => {
      const lines = encodeGroup(sampleGroup(1)).toString();
      const bad = lines.replace('"strings":', `"evidence":{"values":"${packed}"},"strings":`);
      expect(() => decode(bad)).toThrow('line 11: evidence.values is not the base64 text of 64-bit floats');
    },
  );

  it('refuses files of a newer schema, and says so', () => {
    const lines = encodeGroup(sampleGroup(1)).toString();
    const future = lines.replace('"schema":2', '"schema":3,"more":true');
    expect(() => decode(future)).toThrow(UsageError);
    expect(() => decode(future)).toThrow(
      'some.jsonl.gz, line 10: it has format 3, and this version reads formats up to 2.',
    );
    expect(() => decode(lines.replace('"schema":2', '"schema":0'))).toThrow('format 0 does not exist');
  });

  it.each([
    [
      'a line that is no JSON',
      (lines: string) => lines.replace('{"kind":"trajectory"', '{kind:'),
      /line 11: /,
    ],
    [
      'a field of the wrong type',
      (lines: string) => lines.replace('"family":"sample"', '"family":3'),
      /line 11: family: /,
    ],
    [
      'an unknown field',
      (lines: string) => lines.replace('"family"', '"fame":1,"family"'),
      /line 11: .*fame/,
    ],
    [
      'a missing member',
      (lines: string) => lines.replace('"members":1', '"members":2'),
      /line 10: the group says 2 members and 1 follow/,
    ],
    [
      'a reference to a missing string',
      (lines: string) => lines.replace('{"$":0}', '{"$":9}'),
      /line 11: there is no string 9/,
    ],
    [
      'an unknown mark',
      (lines: string) => lines.replace('{"$":0}', '{"$":"null"}'),
      /line 11: there is no mark "null"/,
    ],
    ['a line that does not end', (lines: string) => lines.slice(0, -1), /line 11: the line does not end/],
    ['no line', () => '', /line 10: the group is empty/],
    ['a malformed head', (lines: string) => lines.replace('"kind":"group"', '"kind":"set"'), /line 10: kind/],
  ])('names the place of %s', (_, harm, where) => {
    const lines = harm(encodeGroup(sampleGroup(1)).toString());
    expect(() => decode(lines)).toThrow(where);
    expect(() => decode(lines)).toThrow(UsageError);
  });

  it('refuses bytes that are not UTF-8', () => {
    const bytes = encodeGroup(sampleGroup(1));
    bytes[bytes.indexOf('sampled')] = 0xff;
    expect(() => decode(bytes)).toThrow('line 11: it is not UTF-8');
  });

  it('refuses lines that are too long or too deep before it parses them', () => {
    const bytes = encodeGroup(sampleGroup(1));
    expect(() => decode(bytes, { ...defaultReadLimits, maxLineBytes: 100 })).toThrow(
      /line 11: the line has \d+ bytes, and the limit is 100\. .*raise `maxLineBytes`/,
    );
    const bomb = `${'['.repeat(5_000_000)}\n`;
    expect(() => decode(bomb)).toThrow(/line 10: it nests 5000000 deep/);
  });
});

/** The evidence of each member as 64-bit integers, so that every NaN is itself. */
const bitsOfEvidence = ({ members }: TrajectoryGroup): readonly unknown[] =>
  members.map(({ evidence = {} }) =>
    Object.entries(evidence).map(([name, floats]) => [name, [...new BigUint64Array(floats.slice().buffer)]]),
  );

/** The value with what is at `path` replaced. */
function withValue<T>(value: T, [key = '', ...deeper]: readonly string[], put: unknown): T {
  const inner = (value as Readonly<Record<string, unknown>>)[key];
  const changed = deeper.length === 0 ? put : withValue(inner, deeper, put);
  return Array.isArray(value) ? (value.with(Number(key), changed) as T) : { ...value, [key]: changed };
}

describe('nesting depth of a written line', () => {
  it('depends on its values, and can be computed before the line is written', () => {
    const ownDepth = 7; // line, steps, step, decision, spans, span, its tokens
    fc.assert(
      fc.property(trajectoryGroup, fc.nat(9), (group, levels) => {
        let deep: unknown = 'at the bottom';
        for (let level = 0; level < levels; level += 1) deep = level % 2 === 0 ? [deep, undefined] : { deep };
        for (const member of group.members) {
          for (const nested of [
            { ...member, finalObservation: deep },
            { ...member, steps: member.steps.map((step) => ({ ...step, observation: deep })) },
          ]) {
            const writer = new ByteWriter(1);
            const depth = writeLineV2(nested, writer);
            expect(Math.max(ownDepth, depth)).toBe(Math.max(ownDepth, nestingDepth(writer.written)));
          }
        }
      }),
    );
  });
});

describe('nestingDepth', () => {
  it('returns the depth of the parsed value, whatever its strings contain', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(nestingDepth(Buffer.from(JSON.stringify(value)))).toBe(depthOf(value));
      }),
    );
    expect(nestingDepth(Buffer.from('"[[\\"[["'))).toBe(0);
  });
});
