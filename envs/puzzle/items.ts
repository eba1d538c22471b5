import { hash } from 'node:crypto';
import { UsageError } from '../core/errors.ts';
import { createRng, type Rng } from '../core/rng.ts';
import type { TaskRef } from '../core/task.ts';
import { keepState, type Frozen, type KeptState } from '../kit/snapshot.ts';
import type { GeneratedQuestion, PuzzleRules } from './rules.ts';

/** A question that was drawn, frozen, with its canonical text and its known solution. */
export interface Item<Question, Answer> {
  readonly question: Frozen<Question>;
  readonly kept: KeptState<Question>;
  readonly solution: Answer;
  /** Counted from 1. */
  readonly level: number;
}

/** Training gets eight of ten questions, `dev` one and `unseen` one, by a hash of the question. */
export const puzzlePanels = {
  train: { size: 1_000, summary: 'Questions to learn on' },
  dev: { size: 100, summary: 'Other questions, for every choice' },
  unseen: { size: 100, summary: 'Other questions again, run once at the end' },
} as const;

export const panelNames = Object.keys(puzzlePanels) as readonly (keyof typeof puzzlePanels)[];

/** After this many draws without a question of the panel, the generator has too few questions. */
const mostDraws = 2_000;

/** The questions of one puzzle. */
export class Items<Question, Answer, Level> {
  readonly #rules: Pick<
    PuzzleRules<string, Question, Answer, Level, unknown>,
    'name' | 'levels' | 'generate'
  >;
  readonly #root: Rng;
  /**
   * The draw that gave each task its question. Nine of ten draws miss `dev` or `unseen`, so finding it takes
   * ten generations. The question itself is generated at every call, because some are large.
   */
  readonly #draws = new Map<string, number>();
  #example: Item<Question, Answer> | undefined;

  constructor(
    rules: Pick<PuzzleRules<string, Question, Answer, Level, unknown>, 'name' | 'levels' | 'generate'>,
  ) {
    this.#rules = rules;
    this.#root = createRng(0).fork('puzzle').fork(rules.name);
  }

  /** The question of a seed. `level` counts from 1. */
  ofSeed(seed: number, level: number): Item<Question, Answer> {
    return this.#draw(this.#root.fork('seed').fork(seed).fork(level), level);
  }

  /** The question of a task. With difficulty 0 the levels take turns. */
  ofTask({ panel, index }: TaskRef, difficulty: number): Item<Question, Answer> {
    const level = difficulty === 0 ? (index % this.#rules.levels.length) + 1 : difficulty;
    const stream = this.#root.fork('task').fork(level).fork(panel).fork(index);
    const task = `${level} ${panel} ${index}`;
    const known = this.#draws.get(task);
    if (known !== undefined) return this.#draw(stream.fork(known), level);
    const example = this.example().kept.text;
    for (let draw = 0; draw < mostDraws; draw += 1) {
      const item = this.#draw(stream.fork(draw), level);
      if (panelOf(item.kept.text) !== panel || item.kept.text === example) continue;
      this.#draws.set(task, draw);
      return item;
    }
    throw new UsageError({
      where: `puzzle ${this.#rules.name}, level ${level}`,
      what: `${mostDraws} draws gave no question of panel ${panel}.`,
      fix: 'Let the generator draw from more questions: a level needs hundreds.',
    });
  }

  /** The question of the instruction. It is in no panel. */
  example(): Item<Question, Answer> {
    this.#example ??= this.#draw(this.#root.fork('example'), 1);
    return this.#example;
  }

  #draw(rng: Rng, level: number): Item<Question, Answer> {
    const { name, levels, generate } = this.#rules;
    const settings = levels[level - 1];
    if (settings === undefined) throw unknownLevel(name, level, levels.length);
    const { question, solution }: GeneratedQuestion<Question, Answer> = generate(rng, settings);
    const kept = keepState<Question>(`puzzle ${name}, generate`, question);
    return { question: kept.state, kept, solution, level };
  }
}

/** The panel of a question, by its canonical text. */
export function panelOf(text: string): keyof typeof puzzlePanels {
  const share = Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) % 10;
  return share < 8 ? 'train' : share === 8 ? 'dev' : 'unseen';
}

const unknownLevel = (name: string, level: number, levels: number): UsageError =>
  new UsageError({
    where: `puzzle ${name}`,
    what: `level ${level} does not exist.`,
    fix: `Choose an integer from 1 to ${levels}.`,
  });
