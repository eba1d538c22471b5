import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { householdGame } from '../../../cli/games/household-game.ts';
import { alfworldEnv, type AlfworldConfig } from '../../../envs/alfworld/definition.ts';
import type { EnvHost } from '../../../envs/core/env.ts';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';
import { HouseholdPanels } from '../../../envs/household/panels.ts';
import { worldPanels } from '../../../envs/household/world-panels.ts';
import { openEnv } from '../../../envs/open.ts';
import { context } from './twin-worlds.ts';

const good = householdGame(
  new HouseholdPanels('household-v1', worldPanels).task({ panel: 'train', index: 0 }),
  'current',
);
type Game = typeof good;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cairn-bad-games-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a game file into the folder and returns its path. */
function put(text: string | Uint8Array, name = 'one'): string {
  const trial = path.join(folder, 'train', name);
  mkdirSync(trial, { recursive: true });
  const file = path.join(trial, 'game.tw-pddl');
  writeFileSync(file, text);
  return file;
}

const open = (config: Partial<AlfworldConfig> = {}): Promise<EnvHost<string, string>> =>
  openEnv(alfworldEnv, { files: folder, dev: 0, ...config }, context);

/** Opens the folder, starts its first game and looks once. */
async function playFirst(): Promise<void> {
  const host = await open();
  const env = await host.create();
  await env.reset({ panel: 'train', index: 0 }, context);
  await env.step('look', context);
}

async function refusal(of: Promise<unknown>): Promise<UsageError['parts']> {
  const thrown = await of.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (UsageError.is(thrown)) return thrown.parts;
  throw new Error(`no UsageError but ${String(thrown)}`);
}

/** The fault of an episode whose game is broken: place and message. */
async function breakage(of: Promise<unknown>): Promise<{ readonly where: string; readonly message: string }> {
  const thrown = await of.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (FaultError.is(thrown) && thrown.fault.kind === 'task-broken') return thrown.fault;
  throw new Error(`no broken task but ${String(thrown)}`);
}

/** The text with one part replaced, which must occur in it. */
function change(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, () => to);
}

const domain = (from: string, to: string): string =>
  JSON.stringify({ ...good, pddl_domain: change(good.pddl_domain, from, to) });
const problem = (from: string, to: string): string =>
  JSON.stringify({ ...good, pddl_problem: change(good.pddl_problem, from, to) });
const grammar = (from: string, to: string): string =>
  JSON.stringify({ ...good, grammar: change(good.grammar, from, to) });
const withGoal = (goal: string): string => {
  const { pddl_problem: text } = good;
  return JSON.stringify({
    ...good,
    pddl_problem: `${text.slice(0, text.indexOf('(:goal'))}(:goal ${goal}))`,
    walkthrough: null,
  } satisfies Record<keyof Game, unknown>);
};
const without = (key: keyof Game): string => JSON.stringify({ ...good, [key]: undefined });
type Rules = Readonly<Record<string, readonly { readonly rhs: string }[]>>;

/** The game with these symbols instead of its own symbols of the same names. */
function rules(more: Rules): string {
  const [before = '', block = '', after = ''] = good.grammar.split('"""');
  const own = JSON.parse(block) as Rules;
  return JSON.stringify({
    ...good,
    grammar:
      [before, JSON.stringify({ ...own, ...more }, undefined, 2), after].join('"""') +
      good.grammar.split('"""').slice(3).join('"""'),
  });
}

const inRoom = (rhs: string): string => rules({ room: [{ rhs }] });

/** A chain of `length` symbols, each of which expands to the next. */
const chain = (length: number, rhs: (next: string) => string): string =>
  rules({
    room: [{ rhs: '#a0#' }],
    ...Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `a${index}`,
        [{ rhs: index === length - 1 ? 'end' : rhs(`#a${index + 1}#`) }],
      ]),
    ),
  });

/** The flaw, the text, the place after the file name, and the message. */
type Flaw = readonly [name: string, text: () => string, where: RegExp, says: RegExp];

const noGames: readonly Flaw[] = [
  ['not JSON', () => 'once upon\na time', /, line 1, column 1$|, line 2, column 7$/, /it is not JSON/],
  ['empty', () => '', /, line 1, column 1$/, /it is not JSON, or incomplete/],
  ['a list', () => '[]', /$/, /it is not a game file: .*expected object/],
  [
    'truncated in the middle',
    () => JSON.stringify(good).slice(0, 5_000),
    /, line 1, column 5001$/,
    /incomplete/,
  ],
  [
    'truncated on a later line',
    () => JSON.stringify(good, undefined, 1).slice(0, 60),
    /, line 2, column 59$/,
    /incomplete/,
  ],
  ['without grammar', () => without('grammar'), /$/, /grammar: .*expected string/],
  ['without problem', () => without('pddl_problem'), /$/, /pddl_problem: .*expected string/],
  ['without domain', () => without('pddl_domain'), /$/, /pddl_domain: .*expected string/],
  [
    'a walkthrough of numbers',
    () => JSON.stringify({ ...good, walkthrough: ['look', 7] }),
    /$/,
    /walkthrough\.\[1\]: .*expected string/,
  ],
  ['a million nested lists', () => '['.repeat(1_000_000), /, line 1, column 1000001$/, /incomplete/],
];

const brokenRules: readonly Flaw[] = [
  [
    'an unknown predicate in the domain',
    () => domain('(not (opened ?r))', '(not (openned ?r))'),
    /, pddl_domain, line 67, column \d+$/,
    /no predicate "openned"\. Did you mean opened\?/,
  ],
  [
    'an unknown predicate in the problem',
    () => problem('(pickupable', '(pickupabel'),
    /, pddl_problem, line \d+, column 6$/,
    /no predicate "pickupabel"\. Did you mean pickupable\?/,
  ],
  [
    'an unknown predicate in the goal',
    () => withGoal('(exists (?o - object) (isWarm ?o))'),
    /, pddl_problem, line \d+, column \d+$/,
    /no predicate "iswarm"/,
  ],
  [
    'an empty goal',
    () => withGoal('(and)'),
    /, pddl_problem, line \d+, column \d+$/,
    /^the goal is already true at the start\. Fix the goal/,
  ],
  [
    'a goal that holds at the start',
    () => withGoal('(exists (?r - receptacle) (not (opened ?r)))'),
    /, pddl_problem, line \d+, column \d+$/,
    /^the goal is already true at the start/,
  ],
  [
    'a goal that always holds',
    () => withGoal('(exists (?r - receptacle) (openable ?r))'),
    /, pddl_problem, line \d+, column \d+$/,
    /^the goal is already true at the start/,
  ],
  [
    'an unknown predicate in the grammar',
    () => grammar('inreceptacle(o:object', 'inrecepticle(o:object'),
    /, grammar, line \d+, column \d+$/,
    /no predicate "inrecepticle" in the domain/,
  ],
  [
    'a predicate with too few arguments',
    () => problem('(atLocation agent1 ', '(atLocation '),
    /, pddl_problem, line \d+, column 6$/,
    /"atlocation" is about 2 and is given 1/,
  ],
  [
    'an unknown type in the domain',
    () => domain('?r - receptacle', '?r - recepticle'),
    /, pddl_domain, line 7, column \d+$/,
    /no type "recepticle"\. Did you mean receptacle\?/,
  ],
  [
    'an unknown type in the problem',
    () => problem('agent1 - agent', 'agent1 - agnet'),
    /, pddl_problem, line \d+, column \d+$/,
    /no type "agnet"\. Did you mean agent\?/,
  ],
  [
    'an unknown type in the grammar',
    () => grammar('| receptacleatlocation(r:receptacle, l', '| receptacleatlocation(r:recepticle, l'),
    /, grammar, line \d+, column \d+$/,
    /no type "recepticle" in the domain/,
  ],
  [
    'an unknown object',
    () => problem('(atLocation agent1', '(atLocation agent2'),
    /, pddl_problem, line \d+, column \d+$/,
    /no object "agent2"\. Did you mean agent1\?/,
  ],
  [
    'an unknown variable',
    () => domain(':effect (checked ?l)', ':effect (checked ?m)'),
    /, pddl_domain, line \d+, column \d+$/,
    /no variable "\?m" here/,
  ],
  [
    'an unsupported requirement',
    () => domain(':adl', ':adl :durative-actions'),
    /, pddl_domain, line 3, column 23$/,
    /requirement ":durative-actions" is not supported\. Supported: :strips/,
  ],
  [
    'an unsupported section',
    () => domain('(:predicates', '(:derived (x) (y)) (:predicates'),
    /, pddl_domain, line 5, column 4$/,
    /section ":derived" is not supported/,
  ],
  [
    'an effect on numbers',
    () => domain(':effect (checked ?l)', ':effect (assign (total-cost) 3)'),
    /, pddl_domain, line \d+, column \d+$/,
    /"assign" on numbers is not supported/,
  ],
  [
    'a problem of another domain',
    () => problem('(:domain alfred)', '(:domain alice)'),
    /, pddl_problem, line 2, column 12$/,
    /belongs to the domain "alice", but the given domain is "alfred"/,
  ],
  [
    'a truncated domain',
    () => JSON.stringify({ ...good, pddl_domain: good.pddl_domain.slice(0, 2_000) }),
    /, pddl_domain, line \d+, column \d+$/,
    /never closed: the text is incomplete/,
  ],
  [
    'a truncated problem',
    () => JSON.stringify({ ...good, pddl_problem: good.pddl_problem.slice(0, 2_000) }),
    /, pddl_problem, line 3, column 3$/,
    /never closed: the text is incomplete/,
  ],
  [
    'a truncated grammar',
    () => JSON.stringify({ ...good, grammar: good.grammar.slice(0, 2_000) }),
    /, grammar, line 1, column 12$/,
    /quotation that begins here is never closed/,
  ],
  [
    'a million nested parentheses in the domain',
    () => JSON.stringify({ ...good, pddl_domain: '('.repeat(1_000_000) }),
    /, pddl_domain, line 1, column 101$/,
    /more than 100 deep/,
  ],
  [
    'a word of a million characters',
    () => problem('(pickupable', `(${'p'.repeat(1_000_000)}`),
    /, pddl_problem, line \d+, column 6$/,
    /a word of 1000000 characters starts here/,
  ],

  [
    'an unknown symbol',
    () => grammar('#room#', '#roam#'),
    /, grammar, line \d+, column 3$/,
    /no symbol "roam"\. Did you mean room\?/,
  ],
  [
    'an unknown variable in a text',
    () => grammar('You close the {r.name}', 'You close the {q.name}'),
    /, grammar, line \d+, column 3$/,
    /there is no variable "q" here/,
  ],
  [
    'an expression with a method call',
    () => inRoom('{r.name.upper()}'),
    /, grammar, line \d+, column 3$/,
    /expression "r\.name\.upper\(\)" is not supported/,
  ],
  [
    'an unsupported condition',
    () => grammar('openable(r:receptacle) & opened', 'openable(r:receptacle) | opened'),
    /, grammar, line \d+, column 3$/,
    /condition .* is not supported/,
  ],
  [
    'a symbol that expands to itself',
    () => inRoom('#room#'),
    /, grammar, line \d+, column 3$/,
    /symbol "room" is recursive without end/,
  ],
  [
    'symbols that form a cycle',
    () => rules({ even: [{ rhs: 'a #odd#' }], odd: [{ rhs: 'b #even#' }], room: [{ rhs: '#even#' }] }),
    /, grammar, line \d+, column \d+$/,
    /is recursive without end/,
  ],
  [
    'an action of the domain without a command',
    () => grammar('action help', 'action halp'),
    /, grammar$/,
    /no words for the action "help" of the domain/,
  ],
  ['no opening text', () => grammar('"intro":', '"outro":'), /, grammar$/, /no symbol "intro"/],
  [
    'unclosed braces',
    () => inRoom(`{${' '.repeat(200_000)}`),
    /, grammar, line \d+, column 3$/,
    /starts no valid expression/,
  ],
  [
    'an unclosed query',
    () => inRoom(`{r.name | p(${' '.repeat(900)}}`),
    /, grammar, line \d+, column 3$/,
    /query .* is not supported/,
  ],
  [
    'hundreds of unclosed parentheses in a text',
    () => inRoom(`{${'('.repeat(900)}r.name}`),
    /, grammar, line \d+, column 3$/,
    /the expression "\(+… Fix/,
  ],
];

describe('an invalid game file', () => {
  it.each(noGames)('refuses to open the folder: %s', async (_, text, where, says) => {
    const file = put(text());
    const parts = await refusal(open());
    expect(parts.where.startsWith(file), parts.where).toBe(true);
    expect(parts.where.slice(file.length)).toMatch(where);
    expect(`${parts.what} ${parts.fix}`).toMatch(says);
    expect(parts.what.length + parts.fix.length).toBeLessThan(1_000);
  });

  it.each(brokenRules)('opens, then faults its episodes: %s', async (_, text, where, says) => {
    const file = put(text());
    const fault = await breakage(playFirst());
    expect(fault.where.startsWith(file), fault.where).toBe(true);
    expect(fault.where.slice(file.length)).toMatch(where);
    expect(fault.message).toMatch(says);
    expect(fault.message.length).toBeLessThan(1_000);
  });

  it('reports the line of a goal that holds at the start', async () => {
    const text = JSON.parse(withGoal('(and)')) as Game;
    const file = put(
      JSON.stringify({ ...text, pddl_problem: change(text.pddl_problem, '(:goal', '\n\n   (:goal') }),
    );
    const before = text.pddl_problem.slice(0, text.pddl_problem.indexOf('(:goal')).split('\n').length;
    expect((await breakage(playFirst())).where).toBe(`${file}, pddl_problem, line ${before + 2}, column 4`);
  });

  it('describes its task as far as possible when its rules are broken', async () => {
    put(problem('(pickupable', '(pickupabel'));
    const { content, ...said } = (await open()).describeTask({ panel: 'train', index: 0 });
    expect(said).toEqual({ family: 'other', instruction: expect.stringMatching(/^put a /) as string }); // as its grammar states literally
    expect(content).toEqual({ game: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
  });

  it('plays an unchanged game without a fault', async () => {
    put(JSON.stringify(good));
    await playFirst();
  });

  it('refuses 100 MB in one line for their size', async () => {
    const file = put(Buffer.alloc(100_000_000, 'a'));
    expect(await refusal(open())).toMatchObject({
      where: file,
      what: 'it has 100000000 bytes, and no game has more than 8388608.',
    });
  });

  it('refuses a device, or a link to one, without reading it', async () => {
    put(JSON.stringify(good));
    expect(await refusal(open({ files: '/dev/zero' }))).toMatchObject({
      where: '/dev/zero',
      what: 'it is not a regular file.',
    });
    const link = path.join(folder, 'train', 'zero.tw-pddl');
    symlinkSync('/dev/zero', link);
    expect(await refusal(open())).toMatchObject({ where: link, what: 'it is not a regular file.' });
  });

  it('names the one bad file among many good ones', async () => {
    for (let index = 0; index < 40; index += 1) put(JSON.stringify(good), `good-${index}`);
    const file = put('{', 'good-20b');
    expect((await refusal(open())).where.startsWith(file)).toBe(true);
  });

  it('faults episodes when a file changed or vanished after opening', async () => {
    const file = put(JSON.stringify(good));
    const host = await open();
    put(grammar('You close the', 'You shut the'));
    const env = await host.create();
    expect(await breakage(env.reset({ panel: 'train', index: 0 }, context))).toMatchObject({
      where: file,
      message: expect.stringMatching(/Open the env again\.$/) as string,
    });
    rmSync(file);
    expect(await breakage(env.reset({ panel: 'train', index: 0 }, context))).toMatchObject({
      where: file,
      message: expect.stringMatching(/^it can no longer be read/) as string,
    });
  });
});

describe('a game whose text or actions never end', () => {
  it.each([
    ['texts that double at each of 60 levels', () => chain(60, (next) => `${next}${next}`)],
    ['a chain of 5,000 symbols', () => chain(5_000, (next) => next)],
  ])('faults its episodes because of %s', async (_, text) => {
    const file = put(text());
    const fault = await breakage(playFirst());
    expect(fault.where.startsWith(`${file}, grammar`)).toBe(true);
    expect(fault.message).toMatch(
      /is recursive without end, or expands to more symbols than a text can have/,
    );
  });

  it('faults its episodes because an action has too many combinations of objects', async () => {
    const free = Array.from({ length: 8 }, (_, index) => `?o${index} - object`).join(' ');
    const file = put(
      domain(
        '(:action inventory',
        `(:action anything :parameters (${free}) :precondition () :effect (and (checked ?o0) (not (opened ?o1))))\n(:action inventory`,
      ),
    );
    const fault = await breakage(playFirst());
    expect(fault.where).toBe(`${file}, the action "anything"`);
    expect(fault.message).toMatch(/choices of objects would have to be looked through/);
  });
});

describe('an unsolvable game', () => {
  const impossible =
    '(exists (?o - object ?r - receptacle ?p - receptacle) (and (inReceptacle ?o ?r) (inReceptacle ?o ?p) (not (= ?r ?p))))';

  it('leaves out a game marked unsolvable, and refuses a folder without any other', async () => {
    put(JSON.stringify({ ...good, solvable: false }));
    expect((await refusal(open())).what).toMatch(/^no playable game is left of 1/);
    put(JSON.stringify(good), 'two');
    expect((await open()).panels).toMatchObject([{ name: 'train', size: 1 }]);
    expect((await open({ skip: 'nothing' })).panels).toMatchObject([{ name: 'train', size: 2 }]);
  });

  it.each([
    ['by facts', impossible],
    ['by its own words', '(exists (?r - receptacle) (and (openable ?r) (not (openable ?r))))'],
  ])('fails at the last step, and its planner names the file: unsolvable %s', async (_, goal) => {
    const file = put(withGoal(goal));
    const host = await open({ maxSteps: 5 });
    const env = await host.create();
    await env.reset({ panel: 'train', index: 0 }, context);
    for (let step = 1; step < 5; step += 1) expect((await env.step('look', context)).kind).toBe('ongoing');
    expect(await env.step('look', context)).toMatchObject({
      kind: 'terminated',
      outcome: 'failed',
      reward: { total: 0 },
    });
    expect(() => host.experts?.planner?.({ panel: 'train', index: 0 })).toThrow(
      `${file}: no commands that solve this game were found`,
    );
  });
});
