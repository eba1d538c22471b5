import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describePlace } from '../../../trainers/run/checkpoint-names.ts';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import type { TrainProgress } from '../../../trainers/loop/progress.ts';
import type { TrainOutcome } from '../../../trainers/loop/train.ts';
import { newestCheckpoint } from '../../../trainers/run/checkpoint-store.ts';
import { openSafetensors } from '../../../models/safetensors/read-safetensors.ts';
import { metricsLineSchema, timingsLineSchema } from '../../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../../files/read-jsonl.ts';
import { corridor } from '../../support/corridor.ts';
import { inAll, isThorough, itInAll } from '../../support/thorough.ts';
import { temporaryFolder } from '../run/make-run.ts';
import { resumeSmall, smallConfig, stopped, trainSmall, type SmallTraining } from './small-training.ts';

const root = temporaryFolder();
const inRoot = (...parts: readonly string[]): string => join(root.path, ...parts);
const final = { config: { finalPanels: ['unseen'] } };
let whole: TrainOutcome;
let evaluated: TrainOutcome;

beforeAll(async () => {
  whole = await trainSmall(inRoot('whole'));
  evaluated = await trainSmall(inRoot('evaluated'), final);
});
afterAll(() => root[Symbol.dispose]());

/** Changes the last digit of the first line, so that the line is valid JSON still. */
function changeDigit(file: string): void {
  const [first = '', ...rest] = readFileSync(file, 'utf8').split('\n');
  const changed = first.replace(
    /(\d)(\D*)$/,
    (_, digit: string, end: string) => `${(Number(digit) + 1) % 10}${end}`,
  );
  writeFileSync(file, [changed, ...rest].join('\n'));
}

const last = 'iteration-00003';
const filesOfEnd = [
  'metrics.jsonl',
  `checkpoints/${last}/policy/weights.safetensors`,
  `checkpoints/${last}/policy/optimiser.state`,
  'checkpoints/warm-start/policy/weights.safetensors',
  'checkpoints/best.json',
];
/** But for the seconds that they took and the name of the folder. */
const comparable = (results: readonly EvaluationResult[]): unknown =>
  results.map(({ seconds: _its, training, ...result }) => ({
    ...result,
    training: { ...training, runs: training?.runs.map(({ name: _its, ...run }) => run) },
  }));

/** The run in that folder ended as if nobody had stopped it. */
function expectUndisturbed(
  name: string,
  outcome: TrainOutcome,
  as: TrainOutcome = whole,
  like = 'whole',
): void {
  for (const file of filesOfEnd)
    expect(readFileSync(inRoot(name, file)).equals(readFileSync(inRoot(like, file))), file).toBe(true);
  expect(outcome.state).toEqual(as.state);
  expect(comparable(outcome.results)).toEqual(comparable(as.results));
}

const stopIn = (part: string): SmallTraining => ({
  stopAt: (path, { type }) => type === 'episode-start' && path.includes(part),
});
const stopAfterPass = (pass: number): SmallTraining => ({
  onProgress: ({ phase, label }, stop) =>
    void (phase === 'cloning' && label.startsWith(`pass ${pass} `) && stop()),
});

describe('stopped run', () => {
  const inQuickTier = [
    'in the demonstrations',
    'between two evaluations of cloning',
    'in the second iteration',
    'in the evaluation after an iteration',
  ];
  const points: readonly (readonly [where: string, options: SmallTraining, kept: readonly string[]])[] = [
    ['in the demonstrations', stopIn('/demonstration/'), []],
    ['after the first pass of cloning', stopAfterPass(1), ['cloning']],
    ['in the first evaluation of cloning', stopIn('dev-cloning-2'), ['cloning']],
    ['after an evaluation of cloning', stopAfterPass(2), ['cloning']],
    ['between two evaluations of cloning', stopAfterPass(3), ['cloning']],
    ['in a later evaluation of cloning', stopIn('dev-cloning-4'), ['cloning']],
    ['after the last pass of cloning', stopAfterPass(6), ['cloning']],
    ['in the evaluation of the warm start', stopIn('dev-warm-start'), ['cloning']],
    ['in the first iteration', stopIn('/iteration-1/'), ['warm-start']],
    ['in the second iteration', stopIn('/iteration-2/'), ['iteration-00001', 'warm-start']],
    [
      'in the evaluation after an iteration',
      stopIn('dev-iteration-2'),
      ['iteration-00001', 'iteration-00002', 'warm-start'],
    ],
  ];
  const tried = points.filter(([where]) => isThorough || inQuickTier.includes(where));

  it.each(tried)(
    'keeps finished work when stopped %s, and ends like an uninterrupted run',
    async (where, options, kept) => {
      const name = where.replaceAll(' ', '-');
      await expect(trainSmall(inRoot(name), options)).rejects.toBe(stopped);
      const checkpoints = await readdir(inRoot(name, 'checkpoints'));
      expect(checkpoints.filter((entry) => !entry.endsWith('.json')).toSorted()).toEqual(kept);
      expectUndisturbed(name, await resumeSmall(inRoot(name)));
      expect(await readdir(inRoot(name, 'checkpoints'))).not.toContain('cloning');
    },
  );

  itInAll(
    'stops between mini-batches within a pass of cloning, and ends like an uninterrupted run, best weights included',
    async () => {
      const manyBatches = { config: { warmStart: { ...smallConfig.warmStart, batchSteps: 2 } } };
      const undisturbed = await trainSmall(inRoot('many-batches'), manyBatches);
      const stopIn = (pass: number, stopAt: number): SmallTraining => {
        let seen = 0;
        return {
          ...manyBatches,
          onProgress: ({ phase, label }, stop) =>
            void (
              phase === 'cloning' &&
              label.startsWith(`pass ${pass} `) &&
              (seen += 1) === stopAt &&
              stop()
            ),
        };
      };
      const place = async (): Promise<string | undefined> => {
        const newest = await newestCheckpoint(inRoot('within', 'checkpoints'));
        return newest === undefined ? undefined : describePlace(newest);
      };
      await expect(trainSmall(inRoot('within'), stopIn(1, 1))).rejects.toBe(stopped);
      expect(await place()).toBe('pass 1 of the warm start, after 1 mini-batch');
      await expect(resumeSmall(inRoot('within'), stopIn(1, 1))).rejects.toBe(stopped);
      expect(await place()).toBe('pass 1 of the warm start, after 2 mini-batches');
      await expect(resumeSmall(inRoot('within'), stopIn(3, 2))).rejects.toBe(stopped);
      expect(await place()).toBe('pass 3 of the warm start, after 2 mini-batches');
      expect(await readdir(inRoot('within', 'checkpoints', 'cloning'))).toContain('best');
      await expect(resumeSmall(inRoot('within'), stopIn(3, 1))).rejects.toBe(stopped);
      expectUndisturbed(
        'within',
        await resumeSmall(inRoot('within'), manyBatches),
        undisturbed,
        'many-batches',
      );
      const { lines } = await readJsonl(inRoot('within', 'timings.jsonl'), timingsLineSchema);
      const passes = lines.filter(({ kind }) => kind === 'warm-start').map(({ iteration }) => iteration);
      expect(passes.filter((pass) => pass <= 3)).toEqual([1, 1, 1, 2, 3, 3, 3]); // the time of each part
    },
  );

  itInAll('ends like an uninterrupted run when stopped repeatedly in the warm start', async () => {
    await expect(trainSmall(inRoot('often'), stopAfterPass(1))).rejects.toBe(stopped);
    for (const pass of [2, 3, 4, 5])
      await expect(resumeSmall(inRoot('often'), stopAfterPass(pass))).rejects.toBe(stopped);
    const passes: string[] = [];
    const outcome = await resumeSmall(inRoot('often'), {
      onProgress: ({ phase, label }) => void (phase === 'cloning' && passes.push(label)),
    });
    expect(passes).toEqual(['pass 6 of at most 6']);
    expectUndisturbed('often', outcome);
  });

  it('draws the same tasks after it resumes when tasks are drawn by success', async () => {
    const drawn = { config: { taskSampling: { kind: 'unsolved', memory: 2 } } } as const;
    const at = (name: string): string => inRoot('drawn', name);
    const undisturbed = await trainSmall(at('whole'), drawn);
    await expect(trainSmall(at('stopped'), { ...drawn, ...stopIn('/iteration-3/') })).rejects.toBe(stopped);
    expect(await resumeSmall(at('stopped'), drawn)).toEqual(undisturbed);
    expect(JSON.stringify(undisturbed.state.curriculum)).toMatch(/^{"success":\[\["/);
    for (const file of filesOfEnd)
      expect(
        readFileSync(join(at('stopped'), file)).equals(readFileSync(join(at('whole'), file))),
        file,
      ).toBe(true);
  });

  itInAll('keeps its original KL reference after it resumes', async () => {
    const pulled: SmallTraining = {
      definition: corridor, // where every iteration teaches something
      config: {
        env: 'corridor-v1',
        envConfig: {},
        devPanel: 'train',
        groupSize: 6,
        warmStart: { episodes: 0 },
        update: { klWeight: 1, learningRate: 0.03 },
      },
    };
    const at = (name: string): string => inRoot('pulled', name);
    const undisturbed = await trainSmall(at('whole'), pulled);
    await expect(trainSmall(at('stopped'), { ...pulled, ...stopIn('/iteration-3/') })).rejects.toBe(stopped);
    expect(await resumeSmall(at('stopped'), pulled)).toEqual(undisturbed);
    const { lines } = await readJsonl(at('whole/metrics.jsonl'), metricsLineSchema);
    const distances = lines.flatMap((line) =>
      line.kind === 'iteration' ? (line.figures['update/reference-kl'] ?? []) : [],
    );
    expect(distances).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
    expect(distances.at(-1)).toBeGreaterThan(0);
    for (const file of filesOfEnd)
      expect(
        readFileSync(join(at('stopped'), file)).equals(readFileSync(join(at('whole'), file))),
        file,
      ).toBe(true);
  });

  it('resumes between two reference resets with the reference and optimiser of the last one', async () => {
    const reset: SmallTraining = {
      definition: corridor,
      config: {
        env: 'corridor-v1',
        envConfig: {},
        devPanel: 'train',
        groupSize: 6,
        iterations: 5,
        warmStart: { episodes: 0 },
        update: { klWeight: 1, learningRate: 0.03, referenceEvery: 2 },
        checkpoints: { keep: 1 },
      },
    };
    const at = (name: string): string => inRoot('reset', name);
    const undisturbed = await trainSmall(at('whole'), reset);
    await expect(trainSmall(at('stopped'), { ...reset, ...stopIn('/iteration-4/') })).rejects.toBe(stopped);
    expect(await readdir(at('stopped/checkpoints'))).toEqual(
      expect.arrayContaining(['iteration-00002', 'iteration-00003', 'warm-start']),
    );
    await using optimiser = await openSafetensors(
      at('stopped/checkpoints/iteration-00002/policy/optimiser.state'),
    );
    for (const name of optimiser.tensors.keys())
      expect(
        (await optimiser.read(name)).every((moment) => moment === 0),
        name,
      ).toBe(true);
    expect(await resumeSmall(at('stopped'), reset)).toEqual(undisturbed);
    const metrics = (name: string): string => readFileSync(join(at(name), 'metrics.jsonl'), 'utf8');
    expect(metrics('stopped')).toBe(metrics('whole'));
    const { lines } = await readJsonl(at('whole/metrics.jsonl'), metricsLineSchema);
    const [, second = 0, third = 0, fourth = 0] = lines.flatMap((line) =>
      line.kind === 'iteration' ? (line.figures['update/reference-kl'] ?? []) : [],
    );
    expect(third).toBeLessThan(second); // the reference has just become what is trained
    expect(fourth).toBeGreaterThan(third);
    await expect(
      trainSmall(at('never'), { ...reset, config: { ...reset.config, update: { referenceEvery: 2 } } }),
    ).rejects.toThrow(/update\.referenceEvery.*Set update\.klWeight above 0/);
  });

  it('resumes after the warm start when killed before the checkpoint of the warm start was complete', async () => {
    await expect(trainSmall(inRoot('killed'), stopAfterPass(4))).rejects.toBe(stopped);
    cpSync(inRoot('killed', 'checkpoints', 'cloning'), inRoot('left'), { recursive: true });
    await expect(resumeSmall(inRoot('killed'), stopIn('/iteration-1/'))).rejects.toBe(stopped);
    cpSync(inRoot('left'), inRoot('killed', 'checkpoints', 'cloning'), { recursive: true });
    await expect(resumeSmall(inRoot('killed'), stopIn('/iteration-1/'))).rejects.toBe(stopped);
    expect(await readdir(inRoot('killed', 'checkpoints'))).toEqual(['warm-start']);
    expectUndisturbed('killed', await resumeSmall(inRoot('killed')));
  });
});

describe('resume of a run that was killed while its folder was made', () => {
  const parts = ['trajectories', 'checkpoints', 'results', 'metrics.jsonl', 'timings.jsonl'];

  it.each([0, ...inAll([1, 3, 4]), 5])(
    'starts the run where %i of its parts were made beside its config',
    async (made) => {
      const name = `made-${made}`;
      mkdirSync(inRoot(name));
      cpSync(inRoot('whole', 'config.json'), inRoot(name, 'config.json'));
      for (const part of parts.slice(0, made))
        if (part.includes('.')) writeFileSync(inRoot(name, part), '');
        else mkdirSync(inRoot(name, part));
      expectUndisturbed(name, await resumeSmall(inRoot(name)));
    },
  );
});

describe('resume of a changed run', () => {
  const filesIn = (folder: string): unknown =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [
        join(entry.parentPath, entry.name),
        readFileSync(join(entry.parentPath, entry.name), 'base64'),
      ]);
  const spoilt: readonly (readonly [
    what: string,
    spoil: (at: string) => void,
    seed: number,
    message: RegExp,
  ])[] = [
    [
      'without its metrics',
      (at) => rmSync(join(at, 'metrics.jsonl')),
      3,
      /metrics\.jsonl: the file does not exist, and the checkpoint continues at its byte \d+\. .*restore it/,
    ],
    [
      'with metrics cut within a line',
      (at) => truncateSync(join(at, 'metrics.jsonl'), 900),
      3,
      /metrics\.jsonl: it has \d+ bytes of complete lines, and none ends at byte/,
    ],
    [
      'with one changed digit in its metrics',
      (at) => changeDigit(join(at, 'metrics.jsonl')),
      3,
      /metrics\.jsonl: its first \d+ bytes are not as the run wrote them\. .*restore it/,
    ],
    [
      'with one changed digit in its timings',
      (at) => changeDigit(join(at, 'timings.jsonl')),
      3,
      /timings\.jsonl: its first \d+ bytes are not as the run wrote them/,
    ],
    [
      'with timings cut within a line',
      (at) => truncateSync(join(at, 'timings.jsonl'), 200),
      3,
      /timings\.jsonl: it has \d+ bytes of complete lines/,
    ],
    [
      'with another config',
      (at) =>
        writeFileSync(
          join(at, 'config.json'),
          readFileSync(join(at, 'config.json'), 'utf8').replace('"seed": 3', '"seed": 4'),
        ),
      4,
      /config\.json: it is not the configuration that the checkpoints of this run were made with\. Restore it/,
    ],
  ];

  it.each(spoilt)('refuses a run %s, and leaves it unchanged', async (what, spoil, seed, message) => {
    const at = inRoot(`spoilt ${what}`);
    await expect(trainSmall(at, stopIn('/iteration-3/'))).rejects.toBe(stopped);
    spoil(at);
    const before = filesIn(at);
    await expect(resumeSmall(at, { config: { seed } })).rejects.toThrow(message);
    expect(filesIn(at)).toEqual(before);
  });
});

it('the warm start ends with the best weights on dev, not the last', async () => {
  const { lines } = await readJsonl(inRoot('whole', 'metrics.jsonl'), metricsLineSchema);
  const evaluations = lines.flatMap((line) =>
    line.kind === 'warm-start' && line.devSuccess !== undefined
      ? [{ pass: line.epoch, rate: line.devSuccess.rate }]
      : [],
  );
  const best = evaluations.reduce((first, next) => (next.rate > first.rate ? next : first));
  expect(best.pass).toBeLessThan(evaluations.at(-1)?.pass ?? 0);
  await using weights = await openSafetensors(
    inRoot('whole', 'checkpoints', 'warm-start', 'policy', 'weights.safetensors'),
  );
  expect(weights.metadata['version']).toBe(String(best.pass)); // a pass is one mini-batch here
});

describe('finished run', () => {
  it('plays nothing when it is resumed', async () => {
    let episodes = 0;
    const outcome = await resumeSmall(inRoot('evaluated'), { ...final, onEvent: () => void (episodes += 1) });
    expect(episodes).toBe(0);
    expect(outcome.results.length).toBeGreaterThan(3);
    expect(outcome).toEqual(evaluated);
  });

  itInAll('plays only the missing part of its final evaluation', async () => {
    const half = trainSmall(inRoot('half'), {
      ...final,
      onProgress: ({ phase, label }, stop) =>
        void (phase === 'evaluation' && label.startsWith('cloned on') && stop()),
    });
    await expect(half).rejects.toBe(stopped);
    const before = readFileSync(inRoot('half', 'results', 'unseen-random.json'));
    const played = new Set<string>();
    const outcome = await resumeSmall(inRoot('half'), {
      ...final,
      onProgress: ({ phase, label }) => void (phase === 'evaluation' && played.add(label)),
    });
    expect([...played]).toEqual(
      evaluated.results.flatMap(({ agent }) => (agent === 'random' ? [] : [`${agent} on unseen`])),
    );
    expect(readFileSync(inRoot('half', 'results', 'unseen-random.json')).equals(before)).toBe(true);
    expectUndisturbed('half', outcome, evaluated);
  });

  it('replays a result that was changed, and none for a final checkpoint that came out the same', async () => {
    cpSync(inRoot('evaluated'), inRoot('changed'), { recursive: true });
    const searcher = inRoot('changed', 'results', 'unseen-searcher.json');
    writeFileSync(searcher, readFileSync(searcher, 'utf8').replace('"solved"', '"failed"'));
    const played = new Set<string>();
    const again = {
      ...final,
      onProgress: ({ phase, label }: TrainProgress) => void (phase === 'evaluation' && played.add(label)),
    };
    expectUndisturbed('changed', await resumeSmall(inRoot('changed'), again), evaluated);
    expect([...played]).toEqual(['searcher on unseen']);
    rmSync(inRoot('changed', 'checkpoints', last), { recursive: true });
    played.clear();
    expectUndisturbed('changed', await resumeSmall(inRoot('changed'), again), evaluated);
    expect([...played]).toEqual([]);
  });
});
