import type { z } from 'zod';
import { describeIssues } from '../core/issues.ts';
import { canonicalJson } from '../core/json.ts';
import { flawOfDeadEnd, flawOfResult, isRecord, nameOf } from '../core/result-shape.ts';
import { termsSumUp, type Opening, type Reward, type StepResult, type Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { textAt } from '../core/textual.ts';
import { attemptNow } from './attempt-now.ts';
import { DeclaredChecks, type DeclaredFlaw } from './declared-flaws.ts';
import type { Law } from './laws.ts';
import type { FindingPlace } from './report.ts';
import { shorten, textOf } from './turn-view.ts';
import type { AnyActingTurn, AnyHost, Subject } from './subject.ts';

type TaskPlace = FindingPlace & { readonly task: TaskRef };

/** Checks each turn and result as it arrives, by the laws that need no second episode to compare with. */
export class Examiner {
  readonly #subject: Subject;
  readonly #host: AnyHost;
  readonly #examined = new Set<string>(); // canonical texts of actions: each is examined once
  readonly #declared: DeclaredChecks;
  #findings = 0;
  /** The observation that was shown last: in a mixture it decides how words are read. */
  #shown: unknown;

  constructor(subject: Subject, host: AnyHost) {
    this.#subject = subject;
    this.#host = host;
    this.#declared = new DeclaredChecks(subject.definition.text);
    if (host.audit?.secrets === undefined)
      subject.report.unchecked('secrets', 'the host has no audit.secrets');
  }

  opening(opening: Opening<unknown, unknown>, where: TaskPlace): void {
    if (typeof opening.instruction !== 'string' || opening.instruction === '') {
      this.#found('schema', where, 'the opening has no instruction.', 'Say the task in words.');
    }
    const limit = attemptNow(() => this.#subject.definition.turnLimit?.(this.#subject.config));
    if (limit.kind === 'returned' && limit.value !== undefined && opening.stepsLeft === undefined) {
      const what = `the turn limit is ${limit.value}, but turns have no stepsLeft.`;
      this.#found('steps-left', where, what, 'Open the env with openEnv, or set stepsLeft.');
    }
    this.#fields(opening, openingFields, where);
    this.#findSecrets(opening.instruction, 'the instruction', where);
    this.#described(opening.instruction, where);
    this.#turn(opening, where);
  }

  /** The instruction that lists of tasks show must be the instruction of the opening. */
  #described(instruction: string, where: TaskPlace): void {
    const info = attemptNow(() => this.#host.describeTask(where.task));
    if (info.kind === 'threw' || !isRecord(info.value)) return; // the panel laws have reported this already
    const { instruction: described } = info.value;
    if (described === undefined) {
      return this.#subject.report.unchecked(
        'tasks',
        'whether they are described in the words of their opening: describeTask gives no instruction',
      );
    }
    this.#subject.report.checked('tasks');
    if (described === instruction) return;
    const what = `the instruction of the opening is ${shorten(textOf(instruction))}, but that of describeTask is ${shorten(textOf(described))}.`;
    this.#found(
      'tasks',
      where,
      what,
      'Take both from one place, or leave the instruction out of the description where only playing tells it.',
    );
  }

  /** `listed`: whether the turn before listed the action. */
  result(
    result: StepResult<unknown, unknown>,
    before: AnyActingTurn,
    listed: boolean,
    where: TaskPlace,
  ): void {
    const findings = this.#findings;
    this.#result(result, before, listed, where);
    // no second report of the same flaw
    const flaw = this.#findings === findings ? flawOfResult(result) : undefined;
    if (flaw !== undefined)
      this.#found(
        'schema',
        where,
        `${flaw}.`,
        'Return what the type StepResult says: openEnv refuses the rest.',
      );
  }

  #result(
    result: StepResult<unknown, unknown>,
    before: AnyActingTurn,
    listed: boolean,
    where: TaskPlace,
  ): void {
    this.#reward(result.reward, 'reward', where);
    for (const [seat, reward] of Object.entries(result.otherRewards ?? {})) {
      this.#reward(reward, `otherRewards of seat ${seat}`, where);
    }
    this.#fields(result, resultFieldsOf[result.kind] ?? ongoingFields, where);
    this.#subject.report.checked('admissible');
    if (listed && result.inadmissible) {
      const fix =
        'List only actions that step takes, and know them by their fields: a stored action may have its keys in another order.';
      this.#found('admissible', where, 'an action that the turn listed was called inadmissible.', fix);
    }
    if (result.kind === 'ongoing') {
      this.#turn(result, where);
      this.#stepsLeft(before.stepsLeft, result.stepsLeft, where);
      return;
    }
    if (!isKnownEnd(result)) {
      const what = 'the result must be ongoing, terminated (solved or failed) or truncated.';
      this.#found('schema', where, what, 'Return one of the kinds of StepResult.');
    }
    this.#observation(result.observation, where);
    this.#key(result.stateKey, 'stateKey', where);
    this.#key(result.anchorKey, 'anchorKey', where);
  }

  /** Unknown fields would reach only agents that receive whole turns. */
  #fields(returned: object, known: readonly string[], where: TaskPlace): void {
    this.#subject.report.checked('schema');
    const unknown = Object.keys(returned).find((field) => !known.includes(field));
    if (unknown === undefined) return;
    this.#found(
      'schema',
      where,
      `it has a field ${shorten(textOf(unknown))}, which the contract does not know.`,
      'Put what agents are to see into the observation, and what people are to see into metrics.',
    );
  }

  /** Checks an action of any source against JSON, schema and words. */
  action(action: unknown, where: FindingPlace): void {
    const text = textOf(action);
    if (this.#examined.has(text)) return;
    this.#examined.add(text);
    if (this.#value(action, this.#subject.definition.action, 'the action', where))
      this.#words(action, text, where);
    this.#declaredFlaw(this.#declared.target(action), where);
  }

  #declaredFlaw(flaw: DeclaredFlaw | undefined, where: FindingPlace): void {
    if (flaw !== undefined) this.#found('text', where, `${flaw.call}: ${flaw.what}`, flaw.fix);
  }

  #turn(turn: Turn<unknown, unknown>, where: TaskPlace): void {
    this.#observation(turn.observation, where);
    this.#key(turn.stateKey, 'stateKey', where);
    this.#key(turn.anchorKey, 'anchorKey', where);
    if (!Number.isInteger(turn.seat) || turn.seat < 0) {
      this.#found(
        'schema',
        where,
        `the seat is ${String(turn.seat)}.`,
        'A seat is a whole number, 0 where there is one.',
      );
    }
    if (turn.admissible !== undefined) this.#list(turn.admissible, where);
  }

  #observation(observation: unknown, where: TaskPlace): void {
    this.#shown = observation;
    this.#value(observation, this.#subject.definition.observation, 'the observation', where);
    this.#findSecrets(observation, 'the observation', where);
    const words = this.#said(
      () => this.#subject.definition.text.observation(observation),
      'text.observation',
      where,
    );
    if (words !== undefined) this.#findSecrets(words, 'the observation in words', where);
    this.#declaredFlaw(this.#declared.features(observation), where);
  }

  #list(actions: readonly unknown[], where: TaskPlace): void {
    this.#subject.report.checked('admissible');
    const deadEnd = flawOfDeadEnd({ admissible: actions });
    if (deadEnd !== undefined)
      this.#found('admissible', where, `${deadEnd}.`, 'End the episode, or list an action that passes.');
    const texts = actions.map(textOf);
    const repeated = texts.find((text, index) => texts.indexOf(text) !== index);
    if (repeated !== undefined) {
      this.#found(
        'admissible',
        where,
        `the action ${shorten(repeated)} is listed twice.`,
        'List each action once.',
      );
    }
    for (const action of actions) this.action(action, where);
    this.#findSecrets(actions, 'the list of admissible actions', where);
  }

  /** Checks that a value is JSON and matches its schema. True when both hold. */
  #value(value: unknown, schema: z.ZodType, what: string, where: FindingPlace): boolean {
    this.#subject.report.checked('json');
    const text = attemptNow(() => canonicalJson(value));
    if (text.kind === 'threw') {
      const fix =
        'Leave absent fields out, and use plain objects, arrays, texts, finite numbers, booleans and null.';
      this.#found('json', where, `${what} is no plain JSON: ${text.message}.`, fix);
      return false;
    }
    this.#subject.report.checked('schema');
    const fault = schemaFault(schema, value, text.value);
    if (fault !== undefined) this.#found('schema', where, `${what} ${fault.what}`, fault.fix);
    return fault === undefined;
  }

  #words(action: unknown, text: string, where: FindingPlace): void {
    const { text: textual } = this.#subject.definition;
    const words = this.#said(() => textual.action(action), 'text.action', where);
    if (words === undefined) return;
    const understood = attemptNow(() => {
      const reply = textAt(textual, this.#shown).parse(words);
      return reply.kind === 'action' ? textOf(reply.action) : `nothing: ${reply.why}`;
    });
    const meaning = understood.kind === 'returned' ? understood.value : `an error: ${understood.message}`;
    if (meaning === text) return;
    const what = `the action ${shorten(text)} is printed as "${shorten(words)}", which text.parse reads as ${shorten(meaning)}.`;
    this.#found('text', where, what, 'Make parse(action(a)) equal a for every action.');
  }

  #said(say: () => string, call: string, where: FindingPlace): string | undefined {
    this.#subject.report.checked('text');
    const said = attemptNow(say);
    if (said.kind === 'returned' && typeof said.value === 'string') return said.value;
    const did = said.kind === 'threw' ? `threw: ${said.message}` : `returned ${shorten(textOf(said.value))}`;
    this.#found('text', where, `${call} ${did}.`, 'Return a string for every value that the schema allows.');
    return undefined;
  }

  #key(key: string | undefined, name: 'stateKey' | 'anchorKey', where: TaskPlace): void {
    if (key === undefined) return;
    if (typeof key === 'string') this.#findSecrets(key, name, where);
    else this.#found('schema', where, `${name} is ${shorten(textOf(key))}.`, 'Return a string or undefined.');
  }

  #reward(reward: Reward, what: string, where: FindingPlace): void {
    this.#subject.report.checked('reward');
    const terms: Readonly<Record<string, unknown>> = reward?.terms ?? {};
    const odd = [...Object.entries(terms), ['total', reward?.total] as const].find(
      ([, value]) => !Number.isFinite(value),
    );
    if (odd !== undefined) {
      this.#found(
        'reward',
        where,
        `${odd[0]} of ${what} is ${String(odd[1])}.`,
        'Use finite numbers, and omit terms that were not earned.',
      );
      return;
    }
    if (termsSumUp(reward)) return;
    const sum = Object.values(reward.terms).reduce((a, b) => a + b, 0);
    this.#found(
      'reward',
      where,
      `the terms of ${what} sum to ${sum}, but its total is ${reward.total}.`,
      'Create rewards with reward(terms).',
    );
  }

  #stepsLeft(before: number | undefined, after: number | undefined, where: FindingPlace): void {
    if (before === undefined && after === undefined) return;
    this.#subject.report.checked('steps-left');
    if (before !== undefined && after === before - 1 && after >= 1) return;
    const fix =
      'Decrease it by one per step from the opening on, and end the episode instead of returning 0.';
    this.#found('steps-left', where, `stepsLeft went from ${before} to ${after}.`, fix);
  }

  #findSecrets(value: unknown, what: string, where: TaskPlace): void {
    const audit = this.#host.audit;
    const secrets = attemptNow(() => audit?.secrets?.(where.task) ?? []);
    if (secrets.kind === 'threw')
      return this.#found(
        'crash',
        where,
        `audit.secrets threw: ${secrets.message}.`,
        'Return a list for every task.',
      );
    const odd: unknown = Array.isArray(secrets.value)
      ? secrets.value.find((secret: unknown) => typeof secret !== 'string')
      : secrets.value;
    if (odd !== undefined) {
      const of = Array.isArray(secrets.value) ? `a list with ${nameOf(odd)}` : nameOf(odd);
      return this.#found(
        'secrets',
        { task: where.task, call: 'audit.secrets' },
        `it returned ${of}, but secrets must be a list of strings.`,
        'Return each secret as the string that must not appear.',
      );
    }
    if (secrets.value.length === 0) return;
    const texts = textsIn(value).map((text) => ({ text, lower: text.toLowerCase() }));
    for (const secret of secrets.value) {
      this.#subject.report.checked('secrets');
      const leak =
        secret === '' ? undefined : texts.find(({ lower }) => lower.includes(secret.toLowerCase()));
      if (leak === undefined) continue;
      this.#found(
        'secrets',
        where,
        `${what} contains the secret "${shorten(secret)}": ${shorten(leak.text)}.`,
        'Keep the secret inside the env.',
      );
    }
  }

  #found(law: Law, where: FindingPlace, what: string, fix: string): void {
    this.#findings += 1;
    this.#subject.report.found({ law, where, what, fix });
  }
}

const turnFields = ['observation', 'stateKey', 'anchorKey', 'admissible', 'stepsLeft', 'seat'];
const openingFields = [...turnFields, 'instruction'];
const outcomeFields = [
  'kind',
  'observation',
  'reward',
  'otherRewards',
  'inadmissible',
  'metrics',
  'feedback',
];
const ongoingFields = [...turnFields, ...outcomeFields];
const resultFieldsOf: Readonly<Record<string, readonly string[] | undefined>> = {
  ongoing: ongoingFields,
  // The result of an end may have the fields of a turn, as where both are made from one view. Nobody acts on
  // it.
  terminated: [...ongoingFields, 'outcome', 'limit'],
  truncated: [...ongoingFields, 'limit'],
};

const isKnownEnd = (result: StepResult<unknown, unknown>): boolean =>
  result.kind === 'terminated'
    ? ['solved', 'failed'].includes(result.outcome)
    : result.kind === 'truncated' && typeof result.limit === 'string';

function schemaFault(
  schema: z.ZodType,
  value: unknown,
  text: string,
): { readonly what: string; readonly fix: string } | undefined {
  const parsed = attemptNow(() => schema.safeParse(value));
  if (parsed.kind === 'threw')
    return {
      what: `makes its schema throw: ${parsed.message}.`,
      fix: 'Use a schema that parses synchronously.',
    };
  if (!parsed.value.success) {
    return {
      what: `does not match its schema: ${describeIssues(parsed.value.error)}.`,
      fix: 'Fix the schema or the value.',
    };
  }
  const out = textOf(parsed.value.data);
  if (out === text) return undefined;
  return {
    what: `is ${shorten(text)}, which its schema changes to ${shorten(out)}.`,
    fix: 'Describe every field without transforms and defaults, and use z.strictObject, which refuses unknown keys.',
  };
}

/** Every text in a value, including its keys and numbers. */
function textsIn(value: unknown, open: ReadonlySet<unknown> = new Set()): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (open.has(value)) return [];
  const inside = new Set([...open, value]);
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item, inside)]);
}
