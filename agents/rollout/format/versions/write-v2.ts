import type { Reward } from '../../../../envs/core/step.ts';
import type { Reply } from '../../../../envs/core/textual.ts';
import type { Decision, ShownLess, TokenDecision, TokenUsage } from '../../../core/agent.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { packFloats } from '../packed-floats.ts';
import { packValue, StringTable } from '../packed-value.ts';
import type { Trajectory, TrajectoryStep } from '../../trajectory.ts';
import { trajectoryHeadV2, trajectoryTailV2 } from './v2.ts';

/**
 * Writes the line of a trajectory without its line feed. Returns its nesting depth if that exceeds the depth
 * of every line without opaque values.
 *
 * Training stores every step that it learns from, so steps are written as bytes directly. Building objects
 * for the schema and `JSON.stringify` took twice as long. All else goes through the schema. A property test
 * verifies that the steps match it.
 *
 * @throws TypeError or ZodError with the location of a value that cannot be stored, such as NaN; the output
 * is then unusable
 */
export function writeLineV2(trajectory: Trajectory, to: ByteWriter): number {
  const table = new StringTable();
  const { path, env, task, family, agent, instruction, finalObservation, stop } = trajectory;
  const config = packValue(env.config, table, { at: 'env.config', depth: 2 });
  const head = trajectoryHeadV2.parse({
    kind: 'trajectory',
    path,
    env: { id: env.id, config },
    task,
    family,
    agent,
    instruction,
  });
  to.text(JSON.stringify(head).slice(0, -1));
  to.ascii(',"steps":[');
  const steps = new StepWriter(table, to);
  for (const [index, step] of trajectory.steps.entries()) steps.write(step, index);
  const tail = trajectoryTailV2.parse({
    ...(finalObservation === undefined
      ? {}
      : { finalObservation: packValue(finalObservation, table, { at: 'finalObservation', depth: 1 }) }),
    finalStateKey: placeOfKey(trajectory.finalStateKey, 'finalStateKey', table),
    finalAnchorKey: placeOfKey(trajectory.finalAnchorKey, 'finalAnchorKey', table),
    stop,
    evidence: trajectory.evidence && packEvidence(trajectory.evidence),
    strings: table.strings,
  });
  to.ascii('],');
  to.text(JSON.stringify(tail).slice(1));
  return table.deepest;
}

function placeOfKey(key: string | undefined, name: string, table: StringTable): number | undefined {
  if (key === undefined) return undefined;
  return placeOf(key, table) ?? refuse(name, key);
}

function packEvidence(evidence: Readonly<Record<string, Float64Array>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entriesOf(evidence, 'evidence').map(([name, floats]) => [name, packFloats(floats, `evidence.${name}`)]),
  );
}

/** The entries of a plain object. */
function entriesOf<T>(record: Readonly<Record<string, T>>, name: string): readonly (readonly [string, T])[] {
  const prototype: unknown =
    record === null || typeof record !== 'object' ? undefined : Object.getPrototypeOf(record);
  return prototype === Object.prototype || prototype === null ? Object.entries(record) : refuse(name, record);
}

function refuse(name: string, value: unknown): never {
  const what = typeof value === 'number' ? String(value) : value === null ? 'null' : `a ${typeof value}`;
  throw new TypeError(`${name} is ${what}, which cannot be stored`);
}

/** Writes the steps of one line in order. */
class StepWriter {
  readonly #table: StringTable;
  readonly #to: ByteWriter;
  #index = 0;

  constructor(table: StringTable, to: ByteWriter) {
    this.#table = table;
    this.#to = to;
  }

  write(step: TrajectoryStep, index: number): void {
    this.#index = index;
    const to = this.#to;
    const { stepsLeft, decision, policyVersion, verdict, reward, penalty, otherRewards, metrics } = step;
    to.ascii(index === 0 ? '{"observation":' : ',{"observation":');
    this.#packed(step.observation, 'observation', 3);
    this.#integer(',"seat":', step.seat, 'seat');
    if (step.stateKey !== undefined) this.#place(',"stateKey":', step.stateKey, 'stateKey');
    if (step.anchorKey !== undefined) this.#place(',"anchorKey":', step.anchorKey, 'anchorKey');
    if (stepsLeft !== undefined) this.#finite(',"stepsLeft":', stepsLeft, 'stepsLeft');
    to.ascii(',"reply":');
    this.#reply(step.reply);
    if (decision !== undefined) this.#decision(decision);
    if (policyVersion !== undefined) this.#finite(',"policyVersion":', policyVersion, 'policyVersion');
    if (verdict !== 'admissible' && verdict !== 'inadmissible' && verdict !== 'malformed')
      this.#refuse('verdict', verdict);
    to.ascii(',"verdict":"');
    to.ascii(verdict);
    to.ascii('"');
    if (reward !== undefined) this.#reward(',"reward":{"total":', reward, 'reward');
    if (penalty !== undefined) {
      if (penalty < 0) this.#refuse('penalty', penalty);
      this.#finite(',"penalty":', penalty, 'penalty');
    }
    if (otherRewards !== undefined) this.#otherRewards(otherRewards);
    if (metrics !== undefined) this.#numbers(',"metrics":{', metrics, 'metrics');
    to.ascii('}');
  }

  #reply(reply: Reply<unknown>): void {
    switch (reply.kind) {
      case 'action':
        this.#to.ascii('{"kind":"action","action":');
        this.#packed(reply.action, 'reply.action', 4);
        break;
      case 'malformed':
        this.#quoted('{"kind":"malformed","why":', reply.why, 'reply.why');
        this.#quoted(',"text":', reply.text, 'reply.text');
        break;
      default:
        this.#refuse('reply', reply satisfies never);
    }
    this.#to.ascii('}');
  }

  #decision(decision: Decision): void {
    switch (decision.kind) {
      case 'choice':
        this.#list(
          ',"decision":{"kind":"choice","candidates":[',
          decision.candidates,
          'decision.candidates',
          placeOf,
        );
        this.#integer('],"index":', decision.index, 'decision.index');
        this.#finite(',"logprob":', decision.logprob, 'decision.logprob');
        if (decision.others !== undefined) {
          const flat = decision.others.flatMap(({ index, probability }) => [index, probability]);
          this.#list(',"others":[', flat, 'decision.others', finiteOf);
          this.#to.ascii(']');
        }
        break;
      case 'tokens':
        this.#spans(decision);
        break;
      case 'text':
        this.#quoted(',"decision":{"kind":"text","text":', decision.text, 'decision.text');
        if (decision.usage !== undefined) this.#usage(decision.usage);
        this.#count(',"reasoningCharacters":', decision.reasoningCharacters, 'decision.reasoningCharacters');
        this.#shownLess(decision);
        break;
      default:
        this.#refuse('decision', decision satisfies never);
    }
    this.#to.ascii('}');
  }

  #spans({ spans, allowed, ...shownLess }: TokenDecision): void {
    this.#eachOf(
      ',"decision":{"kind":"spans","spans":[',
      spans,
      'decision.spans',
      ({ kept, appended, sampled, logprobs }, name) => {
        this.#count('{"kept":', kept, `${name}.kept`);
        this.#list(',"appended":[', appended, `${name}.appended`, integerOf);
        this.#list('],"sampled":[', sampled, `${name}.sampled`, integerOf);
        this.#list('],"logprobs":[', logprobs, `${name}.logprobs`, finiteOrNullOf);
        this.#to.ascii(']}');
      },
    );
    if (allowed !== undefined) {
      this.#eachOf(',"allowed":[', allowed, 'decision.allowed', (tokens, name) => {
        this.#list('[', tokens, name, integerOf);
        this.#to.ascii(']');
      });
    }
    this.#shownLess(shownLess);
  }

  /** Writes a list with its brackets; `write` writes each item. */
  #eachOf<T>(
    before: string,
    items: readonly T[],
    name: string,
    write: (item: T, name: string) => void,
  ): void {
    if (!Array.isArray(items)) this.#refuse(name, items);
    this.#to.ascii(before);
    for (let index = 0; index < items.length; index += 1) {
      // by index: iteration would skip holes
      const item = items[index] as T;
      if (typeof item !== 'object' || item === null) this.#refuse(`${name}[${index}]`, item);
      if (index > 0) this.#to.ascii(',');
      write(item, `${name}[${index}]`);
    }
    this.#to.ascii(']');
  }

  #shownLess({ leftOut, contextStart, charactersCut, actionsLeftOut }: ShownLess): void {
    this.#count(',"leftOut":', leftOut, 'decision.leftOut');
    if (contextStart !== undefined) this.#count(',"contextStart":', contextStart, 'decision.contextStart');
    if (charactersCut !== undefined)
      this.#count(',"charactersCut":', charactersCut, 'decision.charactersCut');
    if (actionsLeftOut !== undefined)
      this.#count(',"actionsLeftOut":', actionsLeftOut, 'decision.actionsLeftOut');
  }

  #usage({ prompt, completion, cached, reasoning }: TokenUsage): void {
    this.#count(',"usage":{"prompt":', prompt, 'decision.usage.prompt');
    this.#count(',"completion":', completion, 'decision.usage.completion');
    if (cached !== undefined) this.#count(',"cached":', cached, 'decision.usage.cached');
    if (reasoning !== undefined) this.#count(',"reasoning":', reasoning, 'decision.usage.reasoning');
    this.#to.ascii('}');
  }

  #list<T>(
    before: string,
    items: readonly T[],
    name: string,
    numberOf: (item: T, table: StringTable) => number | null | undefined,
  ): void {
    if (!Array.isArray(items)) this.#refuse(name, items);
    const numbers: (number | null)[] = [];
    for (let index = 0; index < items.length; index += 1) {
      // by index: iteration would skip holes
      const number = numberOf(items[index] as T, this.#table);
      numbers.push(number === undefined ? this.#refuse(name, items[index]) : number);
    }
    this.#to.ascii(before);
    this.#to.numbers(numbers);
  }

  #otherRewards(otherRewards: Readonly<Record<number, Reward>>): void {
    this.#to.ascii(',"otherRewards":{');
    let first = true;
    for (const [seat, earned] of this.#entries(otherRewards, 'otherRewards')) {
      this.#to.text(`${first ? '' : ','}${JSON.stringify(seat)}`);
      this.#reward(':{"total":', earned, `otherRewards.${seat}`);
      first = false;
    }
    this.#to.ascii('}');
  }

  #reward(before: string, { total, terms }: Reward, name: string): void {
    this.#finite(before, total, `${name}.total`);
    this.#numbers(',"terms":{', terms, `${name}.terms`);
    this.#to.ascii('}');
  }

  #numbers(before: string, numbers: Readonly<Record<string, number>>, name: string): void {
    this.#to.ascii(before);
    let first = true;
    for (const [key, number] of this.#entries(numbers, name)) {
      this.#to.text(`${first ? '' : ','}${JSON.stringify(key)}:`);
      this.#to.number(finiteOf(number) ?? this.#refuse(`${name}.${key}`, number));
      first = false;
    }
    this.#to.ascii('}');
  }

  #entries<T>(record: Readonly<Record<string, T>>, name: string): readonly (readonly [string, T])[] {
    return entriesOf(record, this.#nameOf(name));
  }

  #packed(value: unknown, name: string, depth: number): void {
    const place = typeof value === 'string' ? this.#table.placeOfLong(value, depth) : undefined;
    if (place === undefined) {
      const packed = packValue(value, this.#table, { at: `steps[${this.#index}].${name}`, depth });
      this.#to.text(JSON.stringify(packed));
      return;
    }
    this.#to.ascii('{"$":'); // what packValue returns for most observations and actions
    this.#to.number(place);
    this.#to.ascii('}');
  }

  #place(before: string, text: string, name: string): void {
    this.#to.ascii(before);
    this.#to.number(placeOf(text, this.#table) ?? this.#refuse(name, text));
  }

  #integer(before: string, value: number, name: string): void {
    this.#to.ascii(before);
    this.#to.number(integerOf(value) ?? this.#refuse(name, value));
  }

  #count(before: string, value: number, name: string): void {
    this.#integer(before, value < 0 ? this.#refuse(name, value) : value, name);
  }

  #finite(before: string, value: number, name: string): void {
    this.#to.ascii(before);
    this.#to.number(finiteOf(value) ?? this.#refuse(name, value));
  }

  #quoted(before: string, value: string, name: string): void {
    this.#to.ascii(before);
    this.#to.text(typeof value === 'string' ? JSON.stringify(value) : this.#refuse(name, value));
  }

  #refuse(name: string, value: unknown): never {
    return refuse(this.#nameOf(name), value);
  }

  #nameOf(field: string): string {
    return `steps[${this.#index}].${field}`;
  }
}

const placeOf = (text: string, table: StringTable): number | undefined =>
  typeof text === 'string' ? table.place(text) : undefined;
const integerOf = (value: number): number | undefined => (Number.isSafeInteger(value) ? value : undefined);
const finiteOf = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);
const finiteOrNullOf = (value: number | null): number | null | undefined =>
  value === null ? null : finiteOf(value);
