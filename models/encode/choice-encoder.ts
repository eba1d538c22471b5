/**
 * Turns a choice among actions given as text into hashed features. It is independent of the env: it uses
 * words, the task's text, and what this episode has shown and done. Its memory covers the whole episode.
 *
 * It relies on overlap. A word of an action or an observation may also occur in the task. Then it is
 * described by its *role*, the words around it in the task. So "take mug 1" is the same feature as "take vase
 * 2" if the tasks ask for a mug and for a vase.
 */
import { hashText, mix, structureWords, type Reader, type TextReading, type Unit } from './text.ts';
import type { TurnFeatures } from '../../envs/core/features.ts';
import type { ChoiceRows } from './choice-rows.ts';
import type { DeclaredFeatures } from './declared/declared-features.ts';
import { QuotedNames, withoutNames } from './quoted-names.ts';
import type { Surroundings } from './surroundings.ts';

/** Salts of the feature kinds: they share one hash space without collisions by design. */
const salt = {
  bias: 1,
  progress: 2,
  taskWord: 3,
  seenRole: 4,
  lastVerb: 5,
  roleVerb: 6,
  roleShown: 7,
  repeats: 8,
  verb: 9,
  verbProgress: 10,
  verbTask: 11,
  done: 12,
  slotWord: 13,
  slotRole: 14,
  slotRoleProgress: 15,
  acted: 16,
  actedVerb: 17,
  found: 18,
} as const;

/** What an episode has done with one name, such as `shelf 2`. */
interface NameMemory {
  count: number;
  verb: number;
  /** For each verb done with it, the task's names that the last following observation mentioned. */
  readonly found: Map<number, readonly Unit[]>;
}

/** What an episode has done with one content word of the task. */
interface TaskWord {
  readonly role: number;
  readonly roles: readonly [before: number, after: number];
  /** The last verb done to each name of that word as its direct object. */
  readonly verbs: Map<number, number>;
  shown: boolean;
}

/** What an encoder reads beside the words. */
export interface EncoderParts {
  readonly surroundings?: Surroundings | undefined;
  readonly declared?: DeclaredFeatures | undefined;
}

const nothingDeclared: TurnFeatures = { features: undefined, targets: [] };

const few = (count: number): number => Math.min(count, 3);

/**
 * The encoder's memory of one episode. Call `encode` and `took` alternately, from the first step to the last.
 */
export class EpisodeMemory {
  readonly #reader: Reader;
  readonly #instruction: string;
  #task: TextReading | undefined;
  #taskWords: ReadonlyMap<number, TaskWord> = new Map();
  readonly #actions = new Map<number, number>(); // hash of an action to how often it was done
  readonly #names = new Map<number, NameMemory>();
  readonly #observations = new Map<number, number>();
  readonly #surroundings: Surroundings | undefined;
  readonly #quoted: QuotedNames;
  readonly #declared: DeclaredFeatures | undefined;
  #offers: readonly TextReading[] = [];
  /** Hashes of the unmodified actions. */
  #keys: readonly number[] = [];
  #last: TextReading | undefined;

  /**
   * `surroundings` adds features of the text around the candidates, `declared` those of what the env declares
   * beside its words. Use a new memory for each episode.
   */
  constructor(instruction: string, reader: Reader, { surroundings, declared }: EncoderParts = {}) {
    this.#reader = reader;
    this.#surroundings = surroundings;
    this.#declared = declared;
    this.#instruction = instruction;
    this.#quoted = new QuotedNames(instruction);
  }

  /** Adds one decision to `rows`: features of the observation and the memory, and of each candidate. */
  encode(
    observation: string,
    candidates: readonly string[],
    rows: ChoiceRows,
    turn: TurnFeatures = nothingDeclared,
  ): void {
    this.#declared?.look(turn);
    const text = this.#withoutTask(observation);
    const seen = this.#reader.read(text);
    this.#surroundings?.look(text, candidates);
    if (this.#surroundings === undefined) this.#quoted.look(candidates);
    const hasNames = this.#quoted.isPresent;
    const task = (this.#task ??= this.#readTask(hasNames));
    this.#remember(seen);
    this.#offers = candidates.map((candidate, index) =>
      this.#reader.read(hasNames ? this.#quoted.words(index) : candidate),
    );
    this.#keys = hasNames ? candidates.map(hashText) : this.#offers.map(({ hash }) => hash);
    const progress = this.#progress();
    if (this.#surroundings === undefined) this.#encodeState({ task, seen, progress }, rows);
    else this.#encodeStateBy(this.#surroundings, seen, rows);
    this.#declared?.addState(rows);
    rows.endState();
    for (let index = 0; index < this.#offers.length; index += 1) {
      if (this.#surroundings === undefined) this.#encodeCandidate(index, progress, rows);
      else this.#encodeCandidateBy(this.#surroundings, index, rows);
      this.#declared?.addCandidate(index, rows);
      rows.endCandidate();
    }
    rows.endDecision();
  }

  /** Remembers which candidate of the last decision was taken. */
  took(index: number): void {
    const action = this.#offers[index];
    if (action === undefined) throw new RangeError(`took(${index}) of ${this.#offers.length} candidates`);
    this.#last = action;
    this.#surroundings?.took(index);
    this.#declared?.took(index);
    this.#quoted.took(index);
    const key = this.#keys[index] ?? 0;
    this.#actions.set(key, (this.#actions.get(key) ?? 0) + 1);
  }

  /** Read once it is known whether actions have quoted names, which must not be read as words then. */
  #readTask(hasNames: boolean): TextReading {
    const task = this.#reader.read(hasNames ? withoutNames(this.#instruction) : this.#instruction);
    const words = new Map<number, TaskWord>();
    for (const { word, before, after } of task.units) {
      if (structureWords.has(word) || words.has(word)) continue;
      words.set(word, {
        role: mix(before, after),
        roles: [mix(1, before), mix(2, after)],
        verbs: new Map(),
        shown: false,
      });
    }
    this.#taskWords = words;
    return task;
  }

  /** The part of an observation that does not repeat the task. */
  #withoutTask(observation: string): string {
    return this.#instruction === '' ? observation : observation.replaceAll(this.#instruction, '');
  }

  /** Records the effect of the last action. */
  #remember(seen: TextReading): void {
    this.#observations.set(seen.hash, (this.#observations.get(seen.hash) ?? 0) + 1);
    for (const word of seen.words) {
      const known = this.#taskWords.get(word);
      if (known !== undefined) known.shown = true;
    }
    const action = this.#last;
    if (action === undefined) return;
    const verb = action.verb;
    for (const unit of action.arguments) {
      const memory = this.#names.get(unit.name) ?? {
        count: 0,
        verb: 0,
        found: new Map<number, readonly Unit[]>(),
      };
      memory.count += 1;
      memory.verb = verb;
      memory.found.set(verb, this.#foundIn(seen, action));
      this.#names.set(unit.name, memory);
      if (unit.before === verb) this.#taskWords.get(unit.word)?.verbs.set(unit.name, verb);
    }
  }

  /** The names in a text whose words are in the task but not in the previous action. */
  #foundIn(text: TextReading, action: TextReading): readonly Unit[] {
    return text.distinct.filter(({ word }) => this.#taskWords.has(word) && !action.words.includes(word));
  }

  /** One hash of what was done to the things that the task names. */
  #progress(): number {
    let progress = 0;
    for (const { role, verbs } of this.#taskWords.values()) {
      let done = 0;
      for (const verb of verbs.values()) done += mix(7, verb) >>> 4; // a sum: the order of names does not matter
      progress = mix(progress, mix(role, done));
    }
    return progress;
  }

  #encodeState(
    {
      task,
      seen,
      progress,
    }: { readonly task: TextReading; readonly seen: TextReading; readonly progress: number },
    rows: ChoiceRows,
  ): void {
    rows.add(salt.bias);
    rows.add(mix(salt.progress, progress));
    for (const word of task.words) rows.add(mix(salt.taskWord, word));
    for (const { word, name } of seen.distinct) {
      const known = this.#taskWords.get(word);
      if (known !== undefined)
        rows.add(mix(salt.seenRole, mix(known.role, this.#names.get(name)?.verb ?? 0)));
    }
    rows.add(mix(salt.repeats, few(this.#observations.get(seen.hash) ?? 0)));
    if (this.#last !== undefined) rows.add(mix(salt.lastVerb, this.#last.verb));
    this.#quoted.addState(rows);
    for (const { roles, verbs, shown } of this.#taskWords.values()) {
      for (const role of roles) {
        rows.add(mix(salt.roleShown, mix(role, shown ? 1 : 0)));
        for (const verb of verbs.values()) rows.add(mix(salt.roleVerb, mix(role, verb)));
      }
    }
  }

  #encodeStateBy(surroundings: Surroundings, seen: TextReading, rows: ChoiceRows): void {
    rows.add(salt.bias);
    rows.add(mix(salt.repeats, few(this.#observations.get(seen.hash) ?? 0)));
    if (this.#last !== undefined) rows.add(mix(salt.lastVerb, this.#last.verb));
    surroundings.addState(rows);
  }

  /**
   * Without roles: free-form tasks seldom repeat their words. The words of a bare identifier carry no
   * information either.
   */
  #encodeCandidateBy(surroundings: Surroundings, index: number, rows: ChoiceRows): void {
    const { verb, arguments: units } = this.#offers[index] as TextReading;
    rows.add(mix(salt.verb, verb));
    rows.add(mix(salt.done, mix(verb, this.#timesDone(index))));
    if (!surroundings.isSign(index))
      for (const { before, word } of units) rows.add(mix(salt.slotWord, mix(mix(verb, before), word)));
    surroundings.addCandidate(index, verb, rows);
  }

  #encodeCandidate(index: number, progress: number, rows: ChoiceRows): void {
    const { verb, arguments: units } = this.#offers[index] as TextReading;
    if (!rows.repeatOpening(verb)) {
      rows.add(mix(salt.verb, verb));
      rows.add(mix(salt.verbProgress, mix(verb, progress)));
      for (const word of this.#taskWords.keys()) rows.add(mix(salt.verbTask, mix(verb, word)));
      rows.endOpening(verb);
    }
    rows.add(mix(salt.done, mix(verb, this.#timesDone(index))));
    for (const unit of units) this.#encodeUnit(unit, verb, progress, rows);
    this.#quoted.addCandidate(index, verb, rows);
  }

  #timesDone(index: number): number {
    return few(this.#actions.get(this.#keys[index] ?? 0) ?? 0);
  }

  #encodeUnit(unit: Unit, verb: number, progress: number, rows: ChoiceRows): void {
    const slot = mix(verb, unit.before);
    const known = this.#taskWords.get(unit.word);
    const memory = this.#names.get(unit.name);
    const role = mix(slot, known?.role ?? 0);
    rows.add(mix(salt.slotWord, mix(slot, unit.word)));
    if (known !== undefined) for (const part of known.roles) rows.add(mix(salt.slotRole, mix(slot, part)));
    else rows.add(mix(salt.slotRole, slot));
    rows.add(mix(salt.slotRoleProgress, mix(role, progress)));
    rows.add(mix(salt.acted, mix(slot, few(memory?.count ?? 0))));
    rows.add(mix(salt.actedVerb, mix(role, memory?.verb ?? 0)));
    if (memory !== undefined) this.#encodeFound(memory, slot, rows);
  }

  #encodeFound({ found }: NameMemory, slot: number, rows: ChoiceRows): void {
    for (const [verb, units] of found) {
      for (const { word, name } of units) {
        const state = mix(this.#taskWords.get(word)?.role ?? 0, this.#names.get(name)?.verb ?? 0);
        rows.add(mix(salt.found, mix(slot, mix(verb, state))));
      }
    }
  }
}
