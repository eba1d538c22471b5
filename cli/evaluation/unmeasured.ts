import { RunError } from '../../envs/core/errors.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';
import { describeReading, describeUnreadable, nothingRead, type Reading } from '../../trainers/evaluate/reading.ts';
import type { EvaluationResult } from '../../trainers/evaluate/result.ts';

/** The share of unreadable replies from which on it is said at once: more than a slip of the model now and then. */
const worthSaying = 0.1;

/** What is said on stderr of a result with many unreadable replies; undefined where there are few. */
export function warnOfUnread({ agent, reading, episodes }: EvaluationResult): string | undefined {
  if (reading === undefined || reading.unreadable < worthSaying * reading.replies || reading.first === undefined) return undefined;
  return `${agent}: ${describeReading(reading, episodes.length)}; ${describeUnreadable(reading.first, reading.toolCallsOnly)}`;
}

/** The error of results whose figures say nothing of the model: no prompt was answered, or not one reply could be read. Undefined where there are none. */
export function refuseUnmeasured(results: readonly EvaluationResult[]): RunError | undefined {
  return refuseUnanswered(results) ?? refuseUnread(results);
}

/** Whatever was kept of earlier sessions is in a result too, so one that had replies before is none of these. */
function refuseUnanswered(results: readonly EvaluationResult[]): RunError | undefined {
  const unanswered = results.filter(
    ({ shown, reading, episodes }) => shown.kind === 'text' && (reading?.replies ?? 0) === 0 && episodes.every(({ outcome, cause }) => outcome === 'faulted' && cause === 'sampler-failed'),
  );
  const [first] = unanswered;
  const fault = first?.faults.first;
  if (first === undefined || fault === undefined) return undefined;
  const { admissible, remote } = first.shown;
  return new RunError({
    where: unanswered.map(({ agent }) => agent).join(', '),
    what: `no prompt was answered, so nothing was measured: ${terminalLine(fault.fault ?? fault.cause).replace(/\.$/, '')}.`,
    mend:
      `See what the server says. Where prompts are more than the model takes, serve it with a longer context, lower --max-tokens${remote === undefined ? '' : ` (${remote.maxTokens})`}, ` +
      `give ${remote?.observationCharacters === undefined ? '' : 'fewer '}--observation-characters, or use a prompt with fewer examples${admissible ? ' or without the list of actions (--hide-admissible)' : ''}.`,
  });
}

function refuseUnread(results: readonly EvaluationResult[]): RunError | undefined {
  const unread = results.filter(({ reading }) => nothingRead(reading));
  const [first] = unread;
  if (first?.reading?.first === undefined) return undefined;
  const { remote } = first.shown;
  const prompt = remote === undefined ? '' : ` The prompt was ${remote.prompt.name}.`;
  return new RunError({
    where: unread.map(({ agent }) => agent).join(', '),
    what: `no reply could be read, so nothing was measured: ${describeUnreadable(first.reading.first, first.reading.toolCallsOnly)}.${prompt}`,
    mend: mendOf(first.reading),
  });
}

function mendOf({ first, toolCallsOnly = 0 }: Reading): string {
  if (first?.text !== '') return 'Name a prompt that asks for what the model writes (--prompt NAME or FILE), and see that the server has the chat template of the model.';
  if (toolCallsOnly > 0) return 'Have the server answer in text: start it without a parser of tool calls, or with a chat template that offers no tools.';
  if (first.reasoningCharacters > 0) return 'Raise --max-tokens so that a reply follows the reasoning, or start the server without a parser of reasoning, or with reasoning turned off.';
  return 'See that the server has the chat template of the model and answers in the content of its messages.';
}
