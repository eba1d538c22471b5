import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ResetContext } from '../../core/context.ts';
import type { EnvHost } from '../../core/env.ts';
import { FaultError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { createRng } from '../../core/rng.ts';
import type { PanelInfo, TaskRef } from '../../core/task.ts';
import type { ProgramAction } from '../action.ts';
import type { Assembly } from '../assembly.ts';
import type { Exercise, Judgement, Practice } from '../exercise.ts';
import { Kept } from '../judge/kept.ts';
import { Runner, type Run } from '../judge/runner.ts';
import { describeRun } from '../judge/verdict.ts';
import { ending, type ProgramObservation } from '../observation.ts';
import { withGround } from '../open-provider.ts';
import { programHost } from '../program-host.ts';
import { spelled } from '../spelled.ts';
import type { MachineLearningConfig } from './config.ts';
import { dataSet, shapes, type DataSet, type Rows, type Shape } from './data.ts';
import { choicesOf, goodSettings, plainSettings, settingNames, writeScript } from './script.ts';

const id = 'ml-engineering-v1';
const mebibyte = 1024 * 1024;

/** Shapes that train and dev never have. */
const heldOut: ReadonlySet<Shape> = new Set<Shape>(['product', 'ring']);
const known = shapes.filter((shape) => !heldOut.has(shape));
const plans = [
  { name: 'train', purpose: 'train', shapes: known, each: 30, first: 0, summary: 'data sets to learn from' },
  {
    name: 'dev',
    purpose: 'dev',
    shapes: known,
    each: 5,
    first: 1_000,
    summary: 'other data sets of the same shapes',
  },
  {
    name: 'unseen',
    purpose: 'held-out',
    shapes: shapes.filter((shape) => heldOut.has(shape)),
    each: 15,
    first: 2_000,
    summary: 'data sets of shapes that train and dev never have',
  },
] as const;

export async function openMachineLearning(
  config: MachineLearningConfig,
  context: ResetContext,
): Promise<EnvHost<ProgramObservation, ProgramAction>> {
  return withGround(config, context, async (ground) => {
    const trainer = new Trainer(
      new Runner(ground, {
        testMs: config.runMs,
        memoryBytes: config.memoryMb * mebibyte,
        outputBytes: config.outputBytes,
      }),
    );
    const panels = plans.map(({ name, purpose, summary, shapes: of, each }): PanelInfo => ({
      name,
      purpose,
      summary,
      size: of.length * each,
    }));
    return programHost({
      id,
      panels,
      identity: identityOf(config),
      provider: ground.provider,
      config,
      exercise: (ref) => {
        const plan = plans.find(({ name }) => name === ref.panel) as (typeof plans)[number];
        const shape = plan.shapes[ref.index % plan.shapes.length] as Shape;
        return new ScriptExercise(
          ref,
          dataSet(shape, plan.first + Math.floor(ref.index / plan.shapes.length)),
          trainer,
          config,
        );
      },
    });
  });
}

/**
 * The part of the config that results depend on. The place and the number of concurrent runs are no part of
 * it.
 */
function identityOf({
  pieces,
  maxSteps,
  longestProgram,
  shownFailures,
  shownCharacters,
  memoryMb,
  outputBytes,
  runMs,
  enough,
  reward,
}: MachineLearningConfig): Json {
  return {
    pieces,
    maxSteps,
    longestProgram,
    shownFailures,
    shownCharacters,
    memoryMb,
    outputBytes,
    runMs,
    enough,
    reward: { ...reward },
  };
}

/** Runs every script on every data set once. */
class Trainer {
  readonly #runner: Runner;
  readonly #kept = new Kept<Run>();

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  /** Runs the script and returns its predictions for `queries`. Their targets never go where it runs. */
  run(
    of: { readonly script: string; readonly train: Rows; readonly queries: Rows['rows'] },
    signal: AbortSignal,
  ): Promise<Run> {
    const given: readonly Json[] = [of.train.rows, of.train.targets, of.queries];
    const key = createHash('sha256')
      .update(JSON.stringify([of.script, given]))
      .digest('base64url');
    const work = async (): Promise<Run> => {
      const [run] = await this.#runner.run(
        {
          language: 'python',
          program: of.script,
          form: { kind: 'function', name: 'fit_predict' },
          given: [given],
        },
        signal,
      );
      return run as Run; // one run, because there is one input
    };
    return this.#kept.get(key, work, signal);
  }
}

class ScriptExercise implements Exercise {
  readonly ref: TaskRef;
  readonly family: string;
  readonly instruction: string;
  readonly content: Json;
  readonly assembly: Assembly | undefined;
  readonly solution: string;
  readonly simple: readonly string[];
  readonly secrets: readonly string[];
  readonly #data: DataSet;
  readonly #trainer: Trainer;
  readonly #config: MachineLearningConfig;

  constructor(ref: TaskRef, data: DataSet, trainer: Trainer, config: MachineLearningConfig) {
    this.ref = ref;
    this.family = data.classes ? 'classes' : 'numbers';
    this.#data = data;
    this.#trainer = trainer;
    this.#config = config;
    this.solution = writeScript(goodSettings[data.shape]);
    this.simple = [writeScript(plainSettings)];
    this.assembly =
      config.pieces === 0
        ? undefined
        : settingsAssembly(data.shape, config.pieces, `${ref.panel}/${ref.index}`);
    this.secrets = [
      JSON.stringify(data.test.targets.slice(0, 12)),
      JSON.stringify(data.test.rows.slice(0, 6)),
    ];
    this.instruction = instructionOf(data, config);
    this.content = {
      shape: data.shape,
      train: rowsContent(data.train),
      validation: rowsContent(data.validation),
      test: rowsContent(data.test),
      ...(this.assembly === undefined ? {} : { start: this.assembly.write(this.assembly.start) }),
    };
  }

  async practice(program: string, signal: AbortSignal): Promise<Practice> {
    const { train, validation } = this.#data;
    const run = await this.#trainer.run({ script: program, train, queries: validation.rows }, signal);
    const score = this.#scoreOf(run, validation.targets);
    const printed =
      run.printed === '' ? '' : `\nIt printed: ${ending(run.printed, this.#config.shownCharacters)}`;
    if (score === undefined)
      return {
        said: `The script gave no predictions: ${ending(run.kind === 'value' ? 'a list of numbers, one for each query, is wanted' : describeRun(run), this.#config.shownCharacters)}${printed}`,
        score: 0,
      };
    return {
      said: `Score on the validation data: ${score.toFixed(3)}.${printed}`,
      score: Number(score.toFixed(3)),
    };
  }

  tryOn(program: string, _input: string, signal: AbortSignal): Promise<Practice> {
    // a script has no input of the agent: it is tried on the validation data
    return this.practice(program, signal);
  }

  async judge(program: string, signal: AbortSignal): Promise<Judgement> {
    const { train, test } = this.#data;
    const scores = await Promise.all(
      [writeScript(plainSettings), this.solution, program].map(async (script) =>
        this.#scoreOf(await this.#trainer.run({ script, train, queries: test.rows }, signal), test.targets),
      ),
    );
    const [plain, good, own] = scores;
    if (plain === undefined || good === undefined)
      throw new FaultError({
        kind: 'task-broken',
        where: `data set ${this.ref.panel}/${this.ref.index}`,
        message: 'a script of its own gave no predictions',
      });
    const gain =
      own === undefined ? 0 : Math.min(1, Math.max(0, (own - plain) / Math.max(good - plain, 0.01)));
    return {
      share: gain,
      solved: gain >= this.#config.enough,
      formed: own !== undefined,
      said:
        own === undefined
          ? 'The script gave no predictions for the hidden data.'
          : `Score on the hidden data: ${own.toFixed(3)}.`,
    };
  }

  /** The share of right classes, or of explained variance, at least 0; undefined without predictions. */
  #scoreOf(run: Run, targets: readonly number[]): number | undefined {
    const predictions =
      run.kind === 'value' ? z.array(z.number()).length(targets.length).safeParse(run.value) : undefined;
    if (predictions?.success !== true) return undefined;
    if (this.#data.classes)
      return (
        targets.filter((target, at) => Number((predictions.data[at] as number) >= 0.5) === target).length /
        targets.length
      );
    const mean = targets.reduce((sum, target) => sum + target, 0) / targets.length;
    const squares = (of: (at: number) => number): number =>
      targets.reduce((sum, target, at) => sum + (target - of(at)) ** 2, 0);
    return Math.max(0, 1 - squares((at) => predictions.data[at] as number) / squares(() => mean));
  }
}

const rowsContent = ({ rows, targets }: Rows): Json => ({ rows, targets });

function instructionOf({ classes, features, train }: DataSet, { runMs }: MachineLearningConfig): string {
  const examples = train.rows.slice(0, 3).map((row, at) => `${JSON.stringify(row)} has ${train.targets[at]}`);
  return [
    `Improve a training script in plain Python (no packages). It defines fit_predict(rows, targets, queries), which learns from ${train.rows.length} rows of ${features} numbers and gives a list with a prediction for each query.`,
    classes
      ? 'Targets are classes, 0 or 1; a prediction of 0.5 or more counts as 1. The score is the share that is right.'
      : 'Targets are numbers. The score is the share of their variance that is explained.',
    `A run may take ${runMs} ms. Each submission is trained and scored on validation data; data that are never shown judge the last one.`,
    'Examples:',
    ...examples,
    'The script to begin with:',
    writeScript(plainSettings),
  ].join('\n');
}

/** Some random settings of the script as places; the others are already right. */
function settingsAssembly(shape: Shape, places: number, name: string): Assembly {
  const rng = createRng(0).fork(id).fork('pieces').fork(name);
  const good = goodSettings[shape];
  const open = rng.fork('places').shuffle(settingNames).slice(0, places);
  const names = settingNames.filter((each) => open.includes(each));
  return {
    pieces: names.map((each) => choicesOf(each).length),
    start: names.map((each) => rng.fork(each).int(choicesOf(each).length)),
    right: names.map((each) => choicesOf(each).indexOf(good[each])),
    says: (place, piece) =>
      `${names[place]} ${spelled((choicesOf(names[place] as (typeof names)[number])[piece] ?? '').replaceAll('"', ''))}`,
    remark: '#',
    write: (choice) =>
      writeScript({
        ...good,
        ...Object.fromEntries(names.map((each, at) => [each, choicesOf(each)[choice[at] as number]])),
      }),
  };
}
