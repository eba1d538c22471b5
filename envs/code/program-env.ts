import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { Opening, StepResult, Terminated, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { shortDigest } from '../kit/short-digest.ts';
import { currentEpisode } from '../kit/current-episode.ts';
import { writingHelp, type ProgramAction } from './action.ts';
import { keyOfChoice, marked, offersIn, withPiece } from './assembly.ts';
import type { RewardWeights } from './config.ts';
import type { Exercise, Practice } from './exercise.ts';
import type { ProgramObservation } from './observation.ts';
import { describeRefused } from './own-input.ts';
import { rewardOf } from './reward-terms.ts';
import { readPoint } from './snapshot.ts';

/** What the episodes of a host share. */
export interface ProgramStage {
  /** The name of the env in errors. */
  readonly id: string;
  readonly maxSteps: number;
  readonly longestProgram: number;
  readonly weights: RewardWeights;
  exerciseOf(ref: TaskRef): Exercise;
}

/** A running episode. */
interface Playing {
  readonly exercise: Exercise;
  /** The exercise whose hidden tests judge: that of the task, unless an audit has swapped it. */
  readonly judge: Exercise;
  steps: number;
  /** The program that was handed in last. */
  program: string | undefined;
  /** The chosen pieces, where the program is assembled. */
  choice: readonly number[] | undefined;
  observation: ProgramObservation;
  /** The worth of assembled programs. */
  readonly tried: Map<string, number>;
}

type Result = StepResult<ProgramObservation, ProgramAction>;

/**
 * An env in which programs are written or assembled, tried on what is visible, and judged by what is hidden.
 */
export class ProgramEnv implements Env<ProgramObservation, ProgramAction> {
  readonly snapshots: Snapshots<ProgramObservation, ProgramAction> = {
    take: () => this.#take(),
    restore: (snapshot) => this.#restore(snapshot),
  };
  readonly #stage: ProgramStage;
  #playing: Playing | undefined;

  constructor(stage: ProgramStage) {
    this.#stage = stage;
  }

  async reset(ref: TaskRef, { signal }: ResetContext): Promise<Opening<ProgramObservation, ProgramAction>> {
    signal.throwIfAborted();
    const exercise = this.#stage.exerciseOf(ref);
    this.#playing = undefined;
    const choice = exercise.assembly?.start;
    const program = choice === undefined ? undefined : exercise.assembly?.write(choice);
    const practice: Practice =
      program === undefined
        ? { said: `Nothing was handed in yet.\n${writingHelp}` }
        : await exercise.practice(program, signal);
    this.#playing = {
      exercise,
      judge: exercise,
      steps: 0,
      program,
      choice,
      observation: { ...practice, ...shown(exercise, choice) },
      tried: new Map(),
    };
    note(this.#playing);
    return { ...this.#turn(this.#playing), instruction: exercise.instruction };
  }

  async step(action: ProgramAction, { signal }: Context): Promise<Result> {
    const playing = this.#expect();
    this.#playing = undefined; // until the programs have run
    const came = action.kind === 'finish' ? { inadmissible: false } : await this.#do(playing, action, signal);
    playing.steps += 1;
    if (action.kind === 'finish' || playing.steps >= this.#stage.maxSteps) {
      const ended = await this.#end(playing, came.inadmissible, signal);
      return action.kind === 'finish' ? ended : { ...ended, limit: 'turn-limit' };
    }
    this.#playing = playing;
    return {
      kind: 'ongoing',
      ...this.#turn(playing),
      reward: rewardOf(this.#stage.weights),
      inadmissible: came.inadmissible,
    };
  }

  async close(): Promise<void> {
    this.#playing = undefined;
  }

  /**
   * Performs an action that does not end the episode. An impossible action is answered and changes nothing.
   */
  async #do(
    playing: Playing,
    action: Exclude<ProgramAction, { readonly kind: 'finish' }>,
    signal: AbortSignal,
  ): Promise<{ readonly inadmissible: boolean }> {
    const { exercise } = playing;
    const refuse = (said: string): { readonly inadmissible: boolean } => {
      playing.observation = { said, ...shown(exercise, playing.choice) };
      return { inadmissible: true };
    };
    if (action.kind === 'put') {
      const choice =
        exercise.assembly && playing.choice && withPiece(exercise.assembly, playing.choice, action);
      if (choice === undefined || exercise.assembly === undefined)
        return refuse(
          playing.choice === undefined
            ? 'Nothing was done: here programs are written, not put together.'
            : 'Nothing was done: there is no such place or piece, or it is there already.',
        );
      playing.choice = choice;
      playing.program = exercise.assembly.write(choice);
      return this.#see(playing, await exercise.practice(playing.program, signal));
    }
    if (exercise.assembly !== undefined)
      return refuse('Nothing was done: here a program is put together. Put a piece, or finish.');
    const { program = playing.program } = action;
    if (program === undefined) return refuse('Nothing was run: no program was handed in yet.');
    const { longestProgram } = this.#stage;
    if (program.length > longestProgram)
      return refuse(
        `Nothing was done: the program has ${program.length} characters, more than ${longestProgram}.`,
      );
    if (action.kind === 'run') {
      const { length } = action.input;
      const tried =
        length > longestProgram
          ? { refused: `it has ${length} characters, more than ${longestProgram}` }
          : await exercise.tryOn(program, action.input, signal);
      return 'refused' in tried ? refuse(describeRefused(tried)) : this.#see(playing, tried);
    }
    if (action.kind === 'submit') playing.program = program;
    return this.#see(playing, await exercise.practice(program, signal));
  }

  #see(playing: Playing, practice: Practice): { readonly inadmissible: boolean } {
    playing.observation = { ...practice, ...shown(playing.exercise, playing.choice) };
    note(playing);
    return { inadmissible: false };
  }

  async #end(
    playing: Playing,
    inadmissible: boolean,
    signal: AbortSignal,
  ): Promise<Terminated<ProgramObservation>> {
    const { program, judge, exercise } = playing;
    const judgement = program === undefined ? undefined : await judge.judge(program, signal);
    return {
      kind: 'terminated',
      outcome: judgement?.solved === true ? 'solved' : 'failed',
      observation: { said: judgement?.said ?? 'Nothing was handed in.', ...shown(exercise, playing.choice) },
      reward: rewardOf(this.#stage.weights, judgement ?? 'nothing'),
      inadmissible,
      metrics: { share: judgement?.share ?? 0, formed: judgement?.formed === true ? 1 : 0 },
      feedback: judgement?.said ?? 'Nothing was handed in.',
      stateKey: stateKeyOf(playing),
    };
  }

  #turn(playing: Playing): Turn<ProgramObservation, ProgramAction> {
    const { exercise, choice, observation, tried } = playing;
    const offers =
      exercise.assembly === undefined || choice === undefined
        ? []
        : offersIn(exercise.assembly, choice, tried).map((offer): ProgramAction => ({
            kind: 'put',
            ...offer,
          }));
    const simple =
      exercise.assembly === undefined
        ? exercise.simple
            .filter((program) => program !== playing.program)
            .map((program): ProgramAction => ({ kind: 'submit', program }))
        : [];
    return {
      observation,
      stateKey: stateKeyOf(playing),
      anchorKey: anchorKeyOf(playing, offers),
      admissible: [...offers, ...simple, finishing(playing)],
      stepsLeft: this.#stage.maxSteps - playing.steps,
      seat: 0,
    };
  }

  #take(): Snapshot {
    const { exercise, judge, steps, program, choice, observation, tried } = this.#expect();
    const world = {
      task: { ...exercise.ref },
      judgedBy: { ...judge.ref },
      ...(program === undefined ? {} : { program }),
      ...(choice === undefined ? {} : { choice: [...choice] }),
    };
    return {
      world,
      episode: { steps, observation: { ...observation } as Json, tried: Object.fromEntries(tried) },
      steps: 0,
    };
  }

  #restore(snapshot: Snapshot): Turn<ProgramObservation, ProgramAction> {
    const { world, episode } = readPoint(snapshot);
    const exercise = this.#stage.exerciseOf(world.task);
    const fits =
      exercise.assembly === undefined
        ? world.choice === undefined
        : world.choice?.length === exercise.assembly.pieces.length;
    if (!fits)
      throw new UsageError({
        where: `snapshot of ${this.#stage.id}`,
        what: 'its pieces differ from those of its task.',
        fix: 'Restore it in an env with the same configuration.',
      });
    this.#playing = {
      exercise,
      judge: this.#stage.exerciseOf(world.judgedBy),
      steps: episode.steps,
      program: world.program,
      choice: world.choice,
      observation: episode.observation,
      tried: new Map(Object.entries(episode.tried)),
    };
    return this.#turn(this.#playing);
  }

  #expect(): Playing {
    return currentEpisode(this.#stage.id, this.#playing);
  }
}

/** The current program, where it is assembled. */
function shown(
  { assembly }: Exercise,
  choice: readonly number[] | undefined,
): Pick<ProgramObservation, 'program'> {
  return assembly === undefined || choice === undefined ? {} : { program: marked(assembly, choice) };
}

/** Records the worth of the assembled program. */
function note({ choice, observation, tried }: Playing): void {
  const worth = observation.score ?? observation.passed;
  if (choice !== undefined && worth !== undefined) tried.set(keyOfChoice(choice), worth);
}

/**
 * The action that ends the episode. It says whether all visible tests pass. Where a program is measured, it
 * compares the score with all programs tried.
 */
function finishing({ exercise, observation: { passed, total, score }, tried }: Playing): ProgramAction {
  if (exercise.assembly === undefined) return { kind: 'finish' };
  if (score !== undefined)
    return {
      kind: 'finish',
      about: score >= Math.max(...tried.values()) ? 'no better score so far' : 'a better score was seen',
    };
  if (total === undefined) return { kind: 'finish' };
  return {
    kind: 'finish',
    about: passed === total ? 'all visible tests passed' : 'some visible tests failed',
  };
}

/** The task, the program, and the exercise that judges it. */
function stateKeyOf({ exercise: { ref }, judge, program, choice }: Playing): string {
  return `${ref.panel}/${ref.index} ${judge.ref.panel}/${judge.ref.index} ${choice?.join('.') ?? ''} ${program === undefined ? '' : shortDigest(program)}`;
}

/**
 * The task, the program, and what was seen last: verdicts, or the answer to an input of the agent. Also the
 * results of the pieces that can be placed.
 */
function anchorKeyOf(
  { exercise: { ref }, program, choice, observation }: Playing,
  offers: readonly ProgramAction[],
): string {
  return `${ref.panel}/${ref.index} ${choice?.join('.') ?? (program === undefined ? '' : shortDigest(program))} ${shortDigest(canonicalJson([observation, offers]))}`;
}
