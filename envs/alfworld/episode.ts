import { applyChanges, type Action } from '../engines/planning/action.ts';
import { FactSet } from '../engines/planning/facts.ts';
import type { Command, Game } from './game.ts';
import type { CompiledText } from './text-grammar/compile-text.ts';
import type { VisibleFacts } from './text-grammar/visible-facts.ts';

/** The commands that are admissible now. */
export interface Choices {
  readonly commands: ReadonlyMap<string, Command>; // by text
  /** Sorted as strings, without repetition, as TextWorld lists them. */
  readonly texts: readonly string[];
  /** Equal for equal lists: a sum of hashes, 64 bits per command. */
  readonly fingerprint: string;
}

/** A running game: the current world, and what has been shown of it. */
export class Episode implements VisibleFacts {
  readonly game: Game;
  readonly world: FactSet;
  /** Facts that an action made false and that none made true since, for those that texts ask for. */
  readonly denied: FactSet;
  /**
   * Facts whose truth the player can know: from texts, from admissible actions, and from the player's own
   * actions.
   */
  readonly known: FactSet;
  #choices: Choices | undefined;

  constructor(game: Game) {
    this.game = game;
    this.world = new FactSet(game.task.initial.words);
    this.denied = new FactSet(game.task.facts);
    this.known = new FactSet(game.task.facts);
  }

  holds(fact: number): boolean {
    return this.world.holds(fact);
  }

  lacks(fact: number): boolean {
    return !this.world.holds(fact);
  }

  denies(fact: number): boolean {
    return this.denied.holds(fact);
  }

  shows(fact: number): boolean {
    this.known.add(fact);
    return this.world.holds(fact);
  }

  /** Returns the opening text. */
  open(): string {
    return this.game.intro.write(new Int32Array(), this);
  }

  get isSolved(): boolean {
    return this.game.task.isSolved(this);
  }

  /** The admissible commands. The player sees the list. */
  get choices(): Choices {
    return (this.#choices ??= this.#list());
  }

  /**
   * Performs a command and returns what the player reads. Returns undefined and changes nothing where the
   * command is not admissible.
   */
  perform(text: string): string | undefined {
    const command = this.choices.commands.get(text);
    if (command === undefined) return undefined;
    const action = this.game.task.actions[command.action] as Action;
    const changes = action.changes(command.values, this);
    applyChanges(changes, this.world);
    for (const fact of changes.deleted) if (this.game.deniable.holds(fact)) this.denied.add(fact);
    for (const fact of changes.added) this.denied.delete(fact);
    action.forEachPossible(command.values, (fact, isCertain) =>
      isCertain ? this.known.add(fact) : this.known.delete(fact),
    );
    this.#choices = undefined;
    return this.game.feedback(command.action).write(command.values, this);
  }

  #list(): Choices {
    const { game } = this;
    const commands = new Map<string, Command>();
    const write = (text: CompiledText, values: Int32Array): string => text.write(values, this);
    for (let index = 0; index < game.task.actions.length; index += 1) {
      const action = game.task.actions[index] as Action;
      action.forEachApplicable(this, (instance) => {
        const command = game.command(index, instance, write);
        if (!commands.has(command.text)) commands.set(command.text, command);
        for (let at = 0; at < command.required.length; at += 1)
          this.known.add(command.required[at] as number);
      });
    }
    let high = 0;
    let low = 0;
    for (const { hash } of commands.values()) {
      high = (high + hash[0]) | 0;
      low = (low + hash[1]) | 0;
    }
    return {
      commands,
      texts: [...commands.keys()].sort(),
      fingerprint: `${(high >>> 0).toString(36)}.${(low >>> 0).toString(36)}`,
    };
  }
}
