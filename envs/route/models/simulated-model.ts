import type { Rng } from '../../core/rng.ts';
import { costOf, type CalledModel, type Descriptor, type ModelReply } from './descriptor.ts';
import type { Knowledge, KnownFact } from './knowledge.ts';
import { descriptorOf, type Specialist } from './roster.ts';

const notUnderstood = 'I do not understand the question. Ask for a fact about a name.';
/** Tokens of a reply without a fact. */
const shortReply = 12;

/** A model without a model: it answers from what a specialist knows. No time passes. */
export class SimulatedModel implements CalledModel {
  readonly descriptor: Descriptor;
  readonly specialist: Specialist;
  readonly #knowledge: Knowledge;
  readonly #rng: Rng;

  constructor(specialist: Specialist, knowledge: Knowledge, rng: Rng) {
    this.specialist = specialist;
    this.descriptor = descriptorOf(specialist);
    this.#knowledge = knowledge;
    this.#rng = rng.fork('replies').fork(specialist.name);
  }

  ask(query: string): ModelReply {
    const { seconds, tokens } = this.specialist;
    const promptTokens = Math.ceil(query.length / 4);
    const chain = this.#knowledge.chainOf(query);
    if (chain === undefined) return { text: notUnderstood, promptTokens, tokens: shortReply, seconds };
    const facts = this.#knowledge.facts(this.specialist, chain);
    const rng = this.#rng.fork(query);
    return {
      text: facts.map((fact) => this.#sentence(fact, rng)).join(' '),
      promptTokens,
      tokens: Math.round(tokens * (0.8 + 0.4 * rng.uniform())),
      seconds,
    };
  }

  /** What an answer to a question costs, in millionths of a dollar. */
  costOf(query: string): number {
    return costOf(this.descriptor, this.ask(query));
  }

  #sentence({ subject, relation, object }: KnownFact, rng: Rng): string {
    const name = this.#knowledge.textOf(subject);
    if (object === undefined) return `I do not know the ${topic(relation.name)} of "${name}".`;
    // the plainest wording names the subject; a few others do not
    const statements = relation.statements.filter((statement) => /\bS\b/.test(statement));
    const statement = rng.pick(statements);
    return statement
      .replace(/\bS\b/, () => `"${name}"`)
      .replace(/\bO\b/, () => this.#knowledge.textOf(object));
  }
}

const relationWords: Readonly<Record<string, string>> = {
  born: 'year of birth',
  published: 'year of publication',
  founded: 'year of foundation',
  held: 'year',
};
const topic = (relation: string): string => relationWords[relation] ?? relation;
