import { createHash } from 'node:crypto';
import { UsageError } from '../core/errors.ts';
import { parseDomain } from '../engines/planning/parse-domain.ts';
import { parseProblem } from '../engines/planning/parse-problem.ts';
import { flawIn, type Source } from '../engines/planning/source.ts';
import type { Domain, Problem } from '../engines/planning/syntax.ts';
import { FactSet } from '../engines/planning/facts.ts';
import { PlanningTask } from '../engines/planning/task.ts';
import type { GameFile } from './game-file.ts';
import { sayGoal, shapeOfGoal, type GoalShape } from './goal-shape.ts';
import { nameObjects } from './names.ts';
import { askedPredicates } from './text-grammar/asked-predicates.ts';
import { TextCompiler, type CompiledText } from './text-grammar/compile-text.ts';
import type { Placeholder } from './text-grammar/query.ts';
import { parseTextGrammar, type ActionText, type TextGrammar } from './text-grammar/twl2.ts';

/** How the instances of one action are written. */
export interface ActionTexts {
  readonly template: CompiledText;
  readonly feedback: CompiledText;
}

/** A command that the player may give, for one instance of an action. */
export interface Command {
  readonly instance: number;
  readonly action: number; // index of the task's actions
  readonly values: Int32Array; // (parameters) objects
  readonly text: string;
  /** Facts that hold wherever it is admissible. */
  readonly required: Int32Array;
  /** 64 bits of the hash of its text. */
  readonly hash: readonly [number, number];
}

/** A game that is ready to be played. */
export class Game {
  readonly task: PlanningTask;
  readonly intro: CompiledText;
  readonly texts: readonly ActionTexts[]; // (actions)
  readonly walkthrough: readonly string[] | undefined;
  readonly goal: GoalShape | undefined;
  /** Facts for which some text asks whether an action made them false. */
  readonly deniable: FactSet;
  /**
   * The sentence of the opening text that states the goal; undefined where the grammar has no symbol `task`.
   */
  readonly taskText: CompiledText | undefined;
  readonly #names: ReadonlyMap<string, string>;
  readonly #commands = new Map<number, Command>();

  constructor(task: PlanningTask, grammar: TextGrammar, about: Pick<Game, 'goal' | 'walkthrough'>) {
    this.task = task;
    this.goal = about.goal;
    this.walkthrough = about.walkthrough;
    this.#names = nameObjects(task.problem);
    const compiler = new TextCompiler(grammar, task, {
      name: (object) => this.nameOf(object),
      type: (object) => task.typeOf(object),
    });
    const intro = compiler.symbol('intro');
    if (intro === undefined) {
      throw new UsageError({
        where: grammar.source.name,
        what: 'it has no symbol "intro", which is the first text of a game.',
        fix: 'Add one.',
      });
    }
    this.intro = intro;
    this.taskText = compiler.symbol('task');
    this.deniable = factsOf(askedPredicates(grammar, task.domain.predicates).denied, task);
    this.texts = task.actions.map(({ schema }) => {
      const text = grammar.actions.get(schema.name);
      if (text === undefined) throw noText(schema.name, grammar);
      return compileTexts(
        text,
        compiler,
        schema.parameters.map(({ name, type }): Placeholder => ({
          name: name.slice(1),
          type: type.names[0] ?? '',
        })),
      );
    });
  }

  /** The player's name of an object. */
  nameOf(object: number): string {
    const id = this.task.objects[object] as string;
    return this.#names.get(id) ?? id;
  }

  /** The answer to the action. */
  feedback(action: number): CompiledText {
    return (this.texts[action] as ActionTexts).feedback;
  }

  /**
   * The command of the action's instance that was visited last. It is cached where its text never changes.
   */
  command(
    action: number,
    instance: number,
    write: (text: CompiledText, values: Int32Array) => string,
  ): Command {
    const known = this.#commands.get(instance);
    const { template } = this.texts[action] as ActionTexts;
    if (known !== undefined && template.isConstant) return known;
    const { values, required } = known ?? this.#newCommand(action);
    const text = write(template, values).trimEnd(); // what a player writes has no blank at its end
    const command = { instance, action, values, required, text, hash: hashOf(text) };
    this.#commands.set(instance, command);
    return command;
  }

  #newCommand(action: number): Pick<Command, 'values' | 'required'> {
    const compiled = this.task.actions[action];
    const values = compiled?.values() ?? new Int32Array();
    return { values, required: compiled?.requiredFacts(values) ?? new Int32Array() };
  }
}

function hashOf(text: string): readonly [number, number] {
  const digest = createHash('sha256').update(text).digest();
  return [digest.readInt32LE(0), digest.readInt32LE(4)];
}

function factsOf(predicates: ReadonlySet<string>, task: PlanningTask): FactSet {
  const facts = new FactSet(task.facts);
  for (const { name, base, size } of task.fluents())
    if (predicates.has(name)) for (let fact = base; fact < base + size; fact += 1) facts.add(fact);
  return facts;
}

function compileTexts(
  { template, feedback, at }: ActionText,
  compiler: TextCompiler,
  placeholders: readonly Placeholder[],
): ActionTexts {
  return {
    template: compiler.compile(template, at, placeholders),
    feedback: compiler.compile(feedback, at, placeholders),
  };
}

function noText(action: string, grammar: TextGrammar): UsageError {
  const what = `it has no words for the action "${action}" of the domain.`;
  return new UsageError({
    where: grammar.source.name,
    what,
    fix: `Add "action ${action} { template :: ...; feedback :: ...; }".`,
  });
}

/** The error of a game that any first action would win. */
function solvedAtStart(source: Source, { goalAt }: Problem): UsageError {
  return flawIn(source, goalAt, {
    what: 'the goal is already true at the start.',
    fix: 'Fix the goal or the facts of :init, or remove the game from the files.',
  });
}

/** Domains cached for the next game. All original games have the same one. */
const keptDomains = 8;

/** Adds the file's name to errors that appear only when all parts are combined. */
function inFile<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    if (!UsageError.is(thrown)) throw thrown;
    throw new UsageError({ ...thrown.parts, where: `${name}, ${thrown.parts.where}` }, { cause: thrown });
  }
}

/** Builds games, and parses each domain once. */
export class GameBuilder {
  readonly #domains = new Map<string, Domain>(); // by text

  /**
   * Builds a game.
   *
   * @param name the name of the file in errors
   * @throws UsageError that names the file, the part, and the line
   */
  build(name: string, file: GameFile): Game {
    const domain =
      this.#domains.get(file.domain) ?? parseDomain({ name: `${name}, pddl_domain`, text: file.domain });
    if (this.#domains.size >= keptDomains) this.#domains.clear();
    this.#domains.set(file.domain, domain);
    const source = { name: `${name}, pddl_problem`, text: file.problem };
    const problem = parseProblem(source, domain);
    const grammar = parseTextGrammar({ name: `${name}, grammar`, text: file.grammar });
    const task = inFile(
      name,
      () => new PlanningTask(domain, problem, askedPredicates(grammar, domain.predicates).observed),
    );
    if (task.isSolved(task.initial)) throw solvedAtStart(source, problem);
    const goal = shapeOfGoal(task);
    return new Game(task, withGoal(grammar, goal), { goal, walkthrough: file.walkthrough });
  }
}

/** The placeholder for the goal in ALFWorld's grammar. */
const unknownGoal = 'UNKNOWN GOAL';

/** The grammar with the goal in words, where it has a placeholder. */
function withGoal(grammar: TextGrammar, goal: GoalShape | undefined): TextGrammar {
  const words = goal === undefined ? undefined : sayGoal(goal);
  const task = grammar.rules.get('task');
  if (words === undefined || task === undefined) return grammar;
  const alternatives = task.alternatives.map(({ text, condition }) => ({
    text: text.replaceAll(unknownGoal, words),
    condition,
  }));
  return { ...grammar, rules: new Map([...grammar.rules, ['task', { ...task, alternatives }]]) };
}
