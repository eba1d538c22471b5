import type { z } from 'zod';
import type { AnyEnvDefinition } from '../core/env.ts';
import { flawOfTurnLimit } from '../core/host-shape.ts';
import { describeIssues } from '../core/issues.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import { createRegistry } from '../core/registry.ts';
import { didYouMean, nearest } from '../core/near-miss.ts';
import { attemptNow, type Attempt } from './attempt-now.ts';
import { laws } from './laws.ts';
import type { ReportWriter } from './report.ts';
import { copy, textOf } from './turn-view.ts';

const unknownKey = 'checkEnvSaysNoSuchKey';

/**
 * Checks the definition before it is opened. Returns the parsed config, or undefined where nothing can be
 * opened with it.
 */
export function checkDefinition(
  definition: AnyEnvDefinition,
  input: unknown,
  report: ReportWriter,
): Json | undefined {
  checkWords(definition, report);
  checkUnchecked(definition, report);
  checkParse(definition, report);
  const empty = parseConfig(definition, {});
  report.checked('definition');
  if (!isParsed(empty)) {
    wrong(
      report,
      'config',
      `the empty config does not parse: ${whyNot(empty)}.`,
      'Give every key a default, so that {} opens the env.',
    );
  }
  const parsed = parseConfig(definition, input);
  if (!isParsed(parsed)) {
    if (textOf(input) !== '{}')
      wrong(report, 'config', `the config given does not parse: ${whyNot(parsed)}.`, 'Fix the keys named.');
    return undefined;
  }
  const config = parsed.value.data;
  checkStrict(definition, config, report);
  if (!checkTurnLimit(definition, config, report)) return undefined;
  const text = attemptNow(() => canonicalJson(config));
  if (text.kind === 'returned') return copy(config) as Json;
  wrong(
    report,
    'config',
    `the parsed config is no plain JSON: ${text.message}.`,
    'It is stored with every trajectory: keep to what JSON holds.',
  );
  return undefined;
}

type Parsed = Attempt<z.ZodSafeParseResult<unknown>>;

const parseConfig = (definition: AnyEnvDefinition, input: unknown): Parsed =>
  attemptNow(() => definition.config.safeParse(input));

const isParsed = (
  parsed: Parsed,
): parsed is { readonly kind: 'returned'; readonly value: z.ZodSafeParseSuccess<unknown> } =>
  parsed.kind === 'returned' && parsed.value.success;

function whyNot(parsed: Parsed): string {
  if (parsed.kind === 'threw') return parsed.message;
  return parsed.value.success ? '' : describeIssues(parsed.value.error);
}

function checkWords(definition: AnyEnvDefinition, report: ReportWriter): void {
  report.checked('definition');
  const registered = attemptNow(() => createRegistry([definition]));
  if (registered.kind === 'threw') wrong(report, 'id', registered.message, 'Rename it.');
  if (typeof definition.summary === 'string' && definition.summary !== '') return;
  wrong(report, 'summary', 'there is none.', 'Say in a sentence what the env is.');
}

/** Every law in `unchecked` must exist and have a reason. */
function checkUnchecked({ unchecked = {} }: AnyEnvDefinition, report: ReportWriter): void {
  for (const [law, reason] of Object.entries(unchecked)) {
    report.checked('definition');
    if (!Object.hasOwn(laws, law))
      wrong(
        report,
        'unchecked',
        `there is no law "${law}".`,
        `${didYouMean(nearest(law, Object.keys(laws)))}The laws are ${Object.keys(laws).join(', ')}.`,
      );
    else if (typeof reason !== 'string' || reason === '')
      wrong(report, 'unchecked', `it gives no reason for the law "${law}".`, 'Give the reason as a text.');
  }
}

function checkStrict(definition: AnyEnvDefinition, config: unknown, report: ReportWriter): void {
  report.checked('definition');
  if (typeof config !== 'object' || config === null)
    return wrong(report, 'config', 'it is no object.', 'Use z.strictObject.');
  if (isParsed(parseConfig(definition, { ...config, [unknownKey]: true }))) {
    const fix = 'Use z.strictObject, so that a mistyped option is refused.';
    wrong(report, 'config', 'a key that it does not know was taken without a word.', fix);
  }
  const again = parseConfig(definition, copy(config));
  if (isParsed(again) && textOf(again.value.data) === textOf(config)) return;
  const fix = 'Make parse(parse(config)) equal parse(config), because a stored config is parsed again.';
  wrong(report, 'config', 'the parsed config is refused or changed when it is parsed again.', fix);
}

/** Whether the turn limit is valid. With an invalid one nothing is opened. */
function checkTurnLimit(definition: AnyEnvDefinition, config: unknown, report: ReportWriter): boolean {
  const looked = attemptNow(() => flawOfTurnLimit(definition, () => definition.turnLimit?.(config)));
  const flaw = looked.kind === 'threw' ? `it threw: ${looked.message}` : looked.value;
  if (flaw !== undefined)
    wrong(
      report,
      'turnLimit',
      `${flaw}.`,
      'Make it a function that returns an integer of at least 1, or remove it.',
    );
  return flaw === undefined;
}

/** Texts that a model may write. */
const rubbish = [
  '',
  '{}',
  '{"name": "no-such-tool", "arguments": {}}',
  ' \n\t',
  'no such action 42',
  '{"unfinished": [',
  '\u0000\uD800\uD83D\uDE00',
  'word '.repeat(2_000),
];

function checkParse(definition: AnyEnvDefinition, report: ReportWriter): void {
  for (const text of rubbish) {
    report.checked('text');
    const reply = attemptNow(() => definition.text.parse(text));
    const known =
      reply.kind === 'returned' && (reply.value?.kind === 'action' || reply.value?.kind === 'malformed');
    if (known) {
      if (reply.value.kind === 'action') checkRead(definition, text, reply.value.action, report);
      continue;
    }
    const did = reply.kind === 'threw' ? `threw: ${reply.message}` : 'returned no Reply';
    report.found({
      law: 'text',
      where: { call: 'text.parse' },
      what: `given ${JSON.stringify(text.slice(0, 40))} it ${did}.`,
      fix: 'Return { kind: "malformed", why, text } for text that is not an action.',
    });
  }
}

/** A model may write anything, so an invalid action must not be returned as an action. */
function checkRead(definition: AnyEnvDefinition, text: string, action: unknown, report: ReportWriter): void {
  const read = attemptNow(() => definition.action.safeParse(action));
  const why =
    read.kind === 'threw' ? read.message : read.value.success ? undefined : describeIssues(read.value.error);
  if (why === undefined) return;
  report.found({
    law: 'text',
    where: { call: 'text.parse' },
    what: `given ${JSON.stringify(text.slice(0, 40))} it returned an action that does not match the schema of actions: ${why}.`,
    fix: 'Validate the parsed value with that schema, and return { kind: "malformed", why, text } where it does not match.',
  });
}

function wrong(report: ReportWriter, call: string, what: string, fix: string): void {
  report.found({ law: 'definition', where: { call }, what, fix });
}
