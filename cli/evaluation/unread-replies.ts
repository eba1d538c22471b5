import { RunError } from '../../envs/core/errors.ts';
import { describeReading, describeUnreadable, nothingRead, type Reading } from '../../trainers/evaluate/reading.ts';
import type { EvaluationResult } from '../../trainers/evaluate/result.ts';

/** The share of unreadable replies from which on it is said at once: more than a slip of the model now and then. */
const worthSaying = 0.1;

/** What is said on stderr of a result with many unreadable replies; undefined where there are few. */
export function warnOfUnread({ agent, reading, episodes }: EvaluationResult): string | undefined {
  if (reading === undefined || reading.unreadable < worthSaying * reading.replies || reading.first === undefined) return undefined;
  return `${agent}: ${describeReading(reading, episodes.length)}; ${describeUnreadable(reading.first, reading.toolCallsOnly)}`;
}

/** The error of results in which not one reply could be read: their figures say nothing of the model. Undefined where there are none. */
export function refuseUnread(results: readonly EvaluationResult[]): RunError | undefined {
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
