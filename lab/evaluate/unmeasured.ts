import { RunError } from '../../envs/core/errors.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';
import { percentOf } from '../../trainers/results/number-words.ts';
import { describeInadmissible, nothingAdmissible } from '../../trainers/results/inadmissible.ts';
import { describeReading, describeUnreadable, nothingRead } from '../../trainers/results/reading.ts';
import type { EvaluationResult, Shown } from '../../trainers/results/result.ts';
import { isOfServer } from '../../trainers/results/table.ts';

/** The share of unreadable replies from which on it is said at once: more than a slip of the model now and then. */
const worthSaying = 0.1;

/** What is said on stderr of a result with many unreadable replies; undefined where there are few. */
export function warnOfUnread({ agent, reading, episodes }: EvaluationResult): string | undefined {
  if (
    reading === undefined ||
    reading.unreadable < worthSaying * reading.replies ||
    reading.first === undefined
  )
    return undefined;
  return `${agent}: ${describeReading(reading, episodes.length)}; ${describeUnreadable(reading.first, reading.toolCallsOnly)}`;
}

/** What is said on stderr where not one action could be done; undefined elsewhere. */
export function warnOfInadmissible(result: EvaluationResult): string | undefined {
  if (!nothingAdmissible(result)) return undefined;
  return `warning: ${result.agent}: ${describeInadmissible(result) ?? ''}. See that the prompt shows the actions, and that replies are written as the environment has them.`;
}

/**
 * The error of results that are not to be used: no prompt was answered, not one reply could be read, or too many episodes were left with a
 * fault. Undefined where there are none.
 */
export function refuseResults(results: readonly EvaluationResult[]): RunError | undefined {
  return refuseUnanswered(results) ?? refuseUnread(results) ?? refuseFaulted(results);
}

/** The error of an evaluation whose first prompts were all longer than the model takes. */
export function refuseWave(
  player: { readonly name: string; readonly shown: Shown },
  episodes: number,
  fault: string,
): RunError {
  return new RunError({
    where: player.name,
    what: `no prompt was answered, so nothing was measured, and after the first ${episodes} episodes no more are played: ${plainly(fault)}.`,
    fix: fixOfFault(player.shown, 'prompt-too-long'),
  });
}

const plainly = (fault: string): string => terminalLine(fault).replace(/\.$/, '');

const namesOf = (results: readonly EvaluationResult[]): string =>
  results.map(({ agent }) => agent).join(', ');

/** Whatever was kept of earlier sessions is in a result too, so one that had replies before is none of these; nor is one whose replies are of tries that were played again. */
function refuseUnanswered(results: readonly EvaluationResult[]): RunError | undefined {
  const unanswered = results.filter(
    ({ shown, reading, replacedTokens, episodes }) =>
      shown.kind === 'text' &&
      (reading?.replies ?? 0) === 0 &&
      (replacedTokens?.replies ?? 0) === 0 &&
      episodes.every(({ outcome, cause }) => outcome === 'faulted' && cause === 'sampler-failed'),
  );
  const [first] = unanswered;
  const fault = first?.faults.first;
  if (first === undefined || fault === undefined) return undefined;
  const words = fault.fault ?? fault.cause;
  return new RunError({
    where: namesOf(unanswered),
    what: `no prompt was answered, so nothing was measured: ${plainly(words)}.`,
    fix: fixOfFault(first.shown, fault.code),
  });
}

function refuseFaulted(results: readonly EvaluationResult[]): RunError | undefined {
  const faulted = results.filter(({ faults }) => faults.excessive);
  const [first] = faulted;
  const fault = first?.faults.first;
  if (first === undefined || fault === undefined) return undefined;
  const words = fault.fault ?? fault.cause;
  return new RunError({
    where: namesOf(faulted),
    what: `${first.faults.count} of ${first.episodes.length} episodes (${percentOf(first.faults.share)}) are left with a fault, and above 1 % the numbers are not to be used; the first: ${plainly(words)}.`,
    fix: isOfServer(first)
      ? `${fixOfFault(first.shown, fault.code)} With --keep the same command plays again what was faulted.`
      : 'Fix the world, then play again.',
  });
}

const startParser =
  'start the server with its parser of tool calls (vLLM: --enable-auto-tool-choice and --tool-call-parser NAME, llama.cpp: --jinja)';

/** What helps where a model, or its server, failed an episode. */
function fixOfFault({ admissible, remote }: Shown, code: string | undefined): string {
  if (code !== 'prompt-too-long')
    return remote?.prompt.name === 'tools'
      ? `See to the server, and to what it says. If it refuses tools, ${startParser}, or play in text with --prompt plain.`
      : 'See to the server, and to what it says.';
  return (
    `Serve the model with a longer context, lower --max-tokens${remote === undefined ? '' : ` (${remote.maxTokens})`}, ` +
    `give ${remote?.observationCharacters === undefined ? '' : 'fewer '}--observation-characters, or use a prompt with fewer examples${admissible ? ' or without the list of actions (--hide-admissible)' : ''}.`
  );
}

function refuseUnread(results: readonly EvaluationResult[]): RunError | undefined {
  const unread = results.filter(({ reading }) => nothingRead(reading));
  const [first] = unread;
  if (first?.reading?.first === undefined) return undefined;
  const { remote } = first.shown;
  const prompt = remote === undefined ? '' : ` The prompt was ${remote.prompt.name}.`;
  return new RunError({
    where: namesOf(unread),
    what: `no reply could be read, so nothing was measured: ${describeUnreadable(first.reading.first, first.reading.toolCallsOnly)}.${prompt}`,
    fix: fixOfUnread(first),
  });
}

function fixOfUnread({ reading, shown }: EvaluationResult): string {
  const { first, toolCallsOnly = 0 } = reading ?? {};
  if (shown.remote?.prompt.name === 'tools' && first?.code === 'no-action')
    return `S${startParser.slice(1)}, or demand calls with --request-field tool_choice=required.`;
  const raise = `Raise --max-tokens${shown.remote === undefined ? '' : ` (now ${shown.remote.maxTokens})`}`;
  if (first?.text === '' && toolCallsOnly > 0)
    return 'Give --prompt tools, which reads tool calls. Or have the server answer in text: start it without a parser of tool calls, or with a chat template that offers no tools.';
  if (first?.text === '' && first.reasoningCharacters > 0)
    return `${raise} so that a reply follows the reasoning, or start the server without a parser of reasoning, or with reasoning turned off.`;
  if (first?.code === 'cut-off')
    return `${raise}: that limit, or a filter of the server, cut the replies off.`;
  if (first?.text !== '')
    return 'Name a prompt that asks for what the model writes (--prompt NAME or FILE), and see that the server has the chat template of the model.';
  return 'See that the server has the chat template of the model and answers in the content of its messages.';
}
