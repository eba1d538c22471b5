import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import { writeGames } from '../../support/alfworld-games.ts';
import { cairn } from '../../support/command-line.ts';
import { root } from '../../support/run-program.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));

const resultsOf = (out: string): readonly EvaluationResult[] =>
  (JSON.parse(out) as { readonly results: readonly unknown[] }).results.map((result) =>
    parseResult(result, 'stdout'),
  );

describe('cairn-gym bench', () => {
  it('plays by default only the agents that the environment has', async () => {
    const module = path.join(folder, 'lonely-env.ts');
    await writeFile(
      module,
      `import { environments as sorting } from ${JSON.stringify(path.join(root, 'examples/sort-env.ts'))};
       const [sort] = sorting;
       export const environments = [{ ...sort, id: 'my-lab/lonely-v1', open: async (...words) => {
         const host = await sort.open(...words);
         return { panels: host.panels, describeTask: (task) => host.describeTask(task), create: () => host.create(), close: () => host.close() };
       } }];`,
    );
    const words = ['bench', 'my-lab/lonely', '--env-module', module, '--tasks', '2', '--json'];
    const { code, out, err } = await cairn(words);
    expect(code, err).toBe(0);
    expect(resultsOf(out).map(({ agent }) => agent)).toEqual(['random']);
    expect(
      err.match(/my-lab\/lonely-v1 has no expert, so there is no ceiling to read the others beside/g),
    ).toHaveLength(1);
    expect((await cairn([...words, '--agent', 'expert'])).code).toBe(2);
  });

  it.each<[readonly string[], RegExp]>([
    [
      ['random', 'random'],
      /the agents that are to play: random is named twice\. Name each agent once; --episodes plays its tasks more often\./,
    ],
    [['random', 'searcher', 'expert'], /searcher and expert name one agent, the searcher\./],
    [
      ['openai:m@http://127.0.0.1:1', 'openai:m@http://127.0.0.1:1/v1/'],
      /openai:m@http:\/\/127\.0\.0\.1:1\/v1\/chat\/completions is named twice\./,
    ],
  ])('refuses agents given twice: %j', async (agents, message) => {
    const { code, err, out } = await cairn([
      'bench',
      'lights-out',
      '--tasks',
      '1',
      '--quiet',
      ...agents.flatMap((agent) => ['--agent', agent]),
    ]);
    expect({ code, err, out }).toEqual({ code: 2, err: expect.stringMatching(message) as string, out: '' });
  });

  it('prints the table of published papers for the household', async () => {
    const { code, out } = await cairn(['bench', 'household', '--tasks', '12', '--quiet']);
    expect(code).toBe(0);
    expect(out).toContain(
      'count as failures. Turns are means per episode without a fault; time is that of the whole row, by the clock.\n',
    );
    const head = out.split('\n').find((line) => line.startsWith('agent'));
    expect(head?.split(/ {2,}/).map((word) => word.replace(/ \(\d+\)$/, ''))).toEqual([
      'agent',
      'Pick',
      'Look',
      'Clean',
      'Heat',
      'Cool',
      'Pick2',
      'All',
      'turns',
      'time',
    ]);
    expect(out).toMatch(/^random .* 0\.0 \[0\.0, 24\.2\] +50\.0 +\d+\.\d s$/m);
    expect(out).toMatch(/^searcher .* 100\.0 \[75\.8, 100\.0\] +\d+\.\d +\d+\.\d s$/m);
  });

  it('prints the table of any environment, with scores between 0 and 1 too', async () => {
    const module = path.join(folder, 'graded-env.ts');
    await writeFile(
      module,
      `import { environments as sorting } from ${JSON.stringify(path.join(root, 'examples/sort-env.ts'))};
       const [sort] = sorting;
       export const environments = [{
         ...sort,
         id: 'my-lab/graded-v1',
         turnLimit: () => 1,
         open: async (config, context) => {
           const host = await sort.open(config, context);
           const within = ({ index }) => ({ panel: 'dev', index: index % 30 });
           const test = { name: 'test', size: 40, purpose: 'held-out', summary: 'half as good is worth half' };
           return {
             close: () => host.close(),
             panels: [...host.panels, test],
             identity: { nouns: { name: 'tagger 1' } },
             describeTask: (task) => ({ ...host.describeTask(within(task)), family: task.index % 2 === 0 ? 'even' : 'odd' }),
             create: async () => {
               const env = await host.create();
               let index = 0;
               return {
                 close: () => env.close(),
                 reset: async (task, scope) => ((index = task.index), env.reset(within(task), scope)),
                 step: async (action, scope) => {
                   const { observation, inadmissible, stateKey } = await env.step(action, scope);
                   const share = (index % 5) / 4;
                   return { kind: 'terminated', outcome: share === 1 ? 'solved' : 'failed', reward: { total: share, terms: { share } }, observation, inadmissible, stateKey };
                 },
               };
             },
           };
         },
       }];`,
    );
    const words = [
      'bench',
      'my-lab/graded',
      '--env-module',
      module,
      '--panel',
      'test',
      '--agent',
      'random',
      '--quiet',
    ];
    const { code, out, err } = await cairn(words);
    expect(code, err).toBe(0);
    expect(out).toMatch(/^my-lab\/graded-v1, panel test .* 40 tasks\nnouns\.name tagger 1\n/m);
    expect(out).toMatch(/^agent +even \(20\) +odd \(20\) +All +score +turns +time$/m);
    expect(out).toMatch(
      /^random +20\.0 \[8\.1, 41\.6\] +20\.0 \[8\.1, 41\.6\] +20\.0 \[10\.5, 34\.8\] +50\.0 \[\d\d\.\d, \d\d\.\d\] +1\.0 +\d\.\d s$/m,
    );
    const [result] = resultsOf((await cairn([...words, '--json'])).out);
    expect(result?.score.mean).toBe(0.5);
    expect(result?.success.rate).toBe(0.2);
  });

  it('continues when a game of ALFWorld is broken, and says which, where and why', async () => {
    const games = writeGames({ unseen: 3 });
    const file = path.join(games.folder, 'json_2.1.1/valid_unseen/task-1/trial_0/game.tw-pddl');
    const game = JSON.parse(await readFile(file, 'utf8')) as { readonly pddl_problem: string };
    await writeFile(file, JSON.stringify({ ...game, pddl_problem: game.pddl_problem.slice(0, 2_000) }));
    const words = [
      'bench',
      'alfworld',
      '--set',
      `files=${games.folder}`,
      '--agent',
      'random',
      '--agent',
      'planner',
    ];
    const { code, out, err } = await cairn(words);
    expect(code, err).toBe(1);
    expect(out).toMatch(/^random \(!\) .*\n(?:.*\n)*?planner \(!\) .* 66\.7 \[/m);
    expect(out).toContain(
      `planner: 1 fault left (33.3 % of episodes) after 0 retries; success 66.7 % with faults as failures, 100.0 % without them; that is above 1 %`,
    );
    expect(out).toMatch(
      /Causes: task-broken 1\. The first, in task 1 \(seed 0\) after 0 steps: the task is broken: .*task-1\/trial_0\/game\.tw-pddl, pddl_problem, line 3, column 3: .*never closed: the text is incomplete/,
    );
    await writeFile(file, '{');
    const refused = await cairn(words);
    expect({ code: refused.code, err: refused.err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /task-1\/trial_0\/game\.tw-pddl, line 1, column 2: it is not JSON, or incomplete/,
      ) as string,
    });
    games.remove();
  });

  it('plays the other games when the planner finds no plan for one', async () => {
    const games = writeGames({ unseen: 2 });
    const file = path.join(games.folder, 'json_2.1.1/valid_unseen/task-0/trial_0/game.tw-pddl');
    const game = JSON.parse(await readFile(file, 'utf8')) as { readonly pddl_problem: string };
    const goal = '(:goal (exists (?r - receptacle) (and (openable ?r) (not (openable ?r))))))';
    await writeFile(
      file,
      JSON.stringify({
        ...game,
        pddl_problem: `${game.pddl_problem.slice(0, game.pddl_problem.indexOf('(:goal'))}${goal}`,
        walkthrough: null,
      }),
    );
    const { code, out, err } = await cairn([
      'bench',
      'alfworld',
      '--set',
      `files=${games.folder}`,
      '--agent',
      'planner',
    ]);
    expect(code, err).toBe(1);
    expect(out).toMatch(
      /planner: 1 fault left \(50\.0 % of episodes\) after 0 retries; .*task-0\/trial_0\/game\.tw-pddl: no commands that solve this game were found/,
    );
    games.remove();
  });

  it('plays a run, or a checkpoint within it, given by its folder', async () => {
    const run = path.join(folder, 'run');
    const small = [
      '--iterations',
      '1',
      '--groups',
      '2',
      '--group-size',
      '2',
      '--warm-start',
      '2',
      '--set',
      'size=3',
      '--with',
      'evaluation.tasks=2',
      '--with',
      'warmStart.epochs=1',
      '--with',
      'finalPanels=[]',
    ];
    const trained = await cairn([
      'train',
      'lights-out',
      ...small,
      '--backend',
      'cpu',
      '--run',
      run,
      '--json',
      '--quiet',
    ]);
    expect(trained.code, trained.err).toBe(0);
    const words = [
      'bench',
      '--agent',
      'expert',
      '--agent',
      run,
      '--agent',
      path.join(run, 'checkpoints', 'warm-start'),
      '--backend',
      'cpu',
      '--tasks',
      '2',
      '--json',
      '--quiet',
    ];
    const benched = await cairn(words);
    expect(benched.code, benched.err).toBe(0);
    expect(resultsOf(benched.out).map(({ agent, shown }) => [agent, shown.kind, shown.checkpoint])).toEqual([
      ['searcher', 'scripted', undefined],
      ['run (iteration-00001)', 'choice', 'iteration-00001'],
      ['run (warm-start)', 'choice', 'warm-start'],
    ]);
    const doubled = await cairn([
      'bench',
      '--run',
      run,
      '--agent',
      path.join(run, 'checkpoints', 'iteration-00001'),
      '--backend',
      'cpu',
      '--tasks',
      '2',
      '--quiet',
    ]);
    expect({ code: doubled.code, err: doubled.err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /run \(iteration-00001\) and .*run name one agent, the policy iteration-00001 of run\. Name each agent once/,
      ) as string,
    });
    const pooled = await cairn([
      'bench',
      '--run',
      run,
      '--agent',
      path.join(run, 'checkpoints', 'warm-start'),
      '--pool',
      'both',
      '--backend',
      'cpu',
      '--tasks',
      '2',
      '--quiet',
    ]);
    expect(pooled.err).toMatch(/seed 0 comes twice/);
    for (const [flags, message] of [
      [
        ['--agent', path.join(run, 'checkpoints', 'warm-start'), '--checkpoint', 'best'],
        /--checkpoint: the players are named with their checkpoints/,
      ],
      [
        ['--run', run, '--decoding', 'greedy', '--temperature', '0.5'],
        /--temperature: it applies to sampling, and the policies decode greedily\. Add --decoding sampled/,
      ],
    ] as const) {
      const refused = await cairn(['eval', ...flags, '--backend', 'cpu', '--tasks', '1', '--quiet']);
      expect({ code: refused.code, err: refused.err }).toEqual({
        code: 2,
        err: expect.stringMatching(message) as string,
      });
    }
    const strange = ['--run', run, '--set', 'size=4', '--backend', 'cpu', '--tasks', '2', '--quiet'];
    const told = 'checkpoint: iteration-00001; trained on: lights-out-v1 with size 3 (played: 4); seed 0';
    expect((await cairn(['bench', ...strange])).out).toContain(told);
    expect((await cairn(['eval', ...strange])).out).toContain(told);
    expect(
      resultsOf((await cairn(['bench', ...strange, '--agent', 'random', '--json'])).out)[1]?.shown.trainedOn,
    ).toEqual({ env: 'lights-out-v1', differences: [{ key: 'size', trained: 3, played: 4 }] });
    expect(resultsOf(benched.out)[1]?.shown).not.toHaveProperty('trainedOn');
    const document = path.join(run, 'config.json');
    const text = await readFile(document, 'utf8');
    await writeFile(document, text.replaceAll(/"sha256:[0-9a-f]{64}"/g, `"sha256:${'0'.repeat(64)}"`));
    expect((await cairn(['eval', '--run', run, '--backend', 'cpu', '--tasks', '2', '--quiet'])).out).toMatch(
      /; trained on: lights-out-v1 with the tasks of dev\[0\.\.2\) sha256:0{64} \(played: sha256:[0-9a-f]{64}\); /,
    );
    await writeFile(document, text);
    const elsewhere = await cairn(['eval', 'household', '--run', run, '--tasks', '2', '--quiet']);
    expect({ code: elsewhere.code, err: elsewhere.err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /it was trained on lights-out(?:-v1)?, and household-v1 is asked for\. Name lights-out(?:-v1)?, or leave the environment out\.\n$/,
      ) as string,
    });
    const warm = await cairn([
      'eval',
      '--run',
      run,
      '--temperature',
      'default',
      '--backend',
      'cpu',
      '--tasks',
      '1',
      '--quiet',
    ]);
    expect({ code: warm.code, err: warm.err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /--temperature default: "default" applies only to language models/,
      ) as string,
    });
  });
});
