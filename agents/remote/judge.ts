import { describeIssues } from '../../envs/core/issues.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';
import { encodingOf, isEventStream } from './answer-head.ts';
import { askedWaitMs } from './backoff.ts';
import { completionSchema, otherPartIn, readServerError, type Completion } from './completion.ts';
import type { Answered, Exchange } from './exchange.ts';
import { brokenConnection, passing, refusal, type Problem } from './problem.ts';
import { isTooLong } from './too-long.ts';

/** What an exchange means. */
export type Verdict =
  | { readonly kind: 'completed'; readonly completion: Completion }
  /** The conversation has more tokens than the model takes. */
  | { readonly kind: 'too-long'; readonly why: string }
  | Problem;

/** Servers that cut a text off say so nowhere; what is longer than this is no sentence for people. */
const longestQuote = 300;

/** How an exchange is judged. */
export interface Rules {
  /** Takes secrets out of the server's words. */
  readonly redact: (text: string) => string;
  /** Most tokens that were asked for. */
  readonly maxTokens: number;
}

/** Judges an exchange. */
export function judge(came: Exchange, { redact, maxTokens }: Rules): Verdict {
  const quoted = (text: string): string => quote(redact(text));
  switch (came.kind) {
    case 'broken':
      return brokenConnection(came.code, quoted(came.why));
    case 'late':
      return passing(`it did not answer within ${came.afterMs} ms`);
    case 'oversize':
      return passing(`its answer is longer than ${came.maxBytes} bytes`);
    case 'answered':
      return judgeAnswer(came, quoted, maxTokens);
    default:
      return came satisfies never;
  }
}

function judgeAnswer(answer: Answered, quoted: (text: string) => string, maxTokens: number): Verdict {
  const { status } = answer;
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(answer.header('content-type') ?? 'application/json');
  const parsed = isJson ? parseJson(answer.body) : undefined;
  const error = readServerError(parsed);
  if (error !== undefined && isTooLong(status, error)) return { kind: 'too-long', why: quoted(error.message) };
  if (status === 413) return { kind: 'too-long', why: 'the request is too large for the server' };
  if (status < 200 || status > 299) {
    const redirect = status < 400 ? `redirects to ${answer.header('location') ?? 'nowhere'}` : '';
    return refusal(status, { words: quoted(error?.message ?? redirect), code: error?.code ?? '' }, waitAskedBy(answer));
  }
  if (isStream(answer)) return streamed;
  if (!isJson) return notJson(quoted(answer.header('content-type') ?? ''));
  const encoding = encodingOf(answer.header);
  if (encoding !== undefined) return encoded(quoted(encoding));
  if (answer.body === undefined) return passing('its answer is no UTF-8 text');
  if (parsed === undefined) return passing(`its answer is no whole JSON (${answer.body.length} characters)`);
  if (error !== undefined) return passing(`it answered with an error: ${quoted(error.message)}`, waitAskedBy(answer));
  const otherPart = otherPartIn(parsed);
  if (otherPart !== undefined) return notText(quoted(otherPart));
  const completion = completionSchema.safeParse(parsed);
  if (completion.success) return flawOf(completion.data, maxTokens) ?? { kind: 'completed', completion: completion.data };
  return passing(`its answer is no chat completion (${quoted(describeIssues(completion.error))})`);
}

/** The longest tokens are runs of blanks; no text has this many characters a token. */
const charactersPerToken = 64;

/** What is wrong with a completion that has the right form. */
function flawOf({ choices: [choice] }: Completion, maxTokens: number): Problem | undefined {
  const ending = choice?.finish_reason ?? '';
  if (ending === 'abort' || ending === 'error') return passing(`it broke its reply off (${ending})`);
  const length = choice?.message.content?.length ?? 0;
  return length > charactersPerToken * (maxTokens + 16) ? passing(`its reply of ${length} characters is longer than ${maxTokens} tokens can be`) : undefined;
}

/** Often a web page: of a proxy that has trouble, or of another server than was meant. */
function notJson(type: string): Problem {
  return { ...passing(`it answered with ${type}, not with JSON`), mend: 'Check the URL: its path mostly ends in /v1.', first: 'usage' };
}

/** By what it says, or by how a stream of server-sent events begins, whatever it is called. */
function isStream({ header, body }: Answered): boolean {
  return isEventStream(header) || /^\s*(?:data|event|id|retry)?:/.test(body ?? '');
}

const streamed: Problem = {
  kind: 'problem',
  why: 'it streams its answer, though it was asked not to',
  mend: 'Have the server, or the proxy before it, heed "stream": false.',
  first: 'usage',
  later: 'fault',
};

/** Asked for is plain text; who compresses all the same will do so again. */
function encoded(encoding: string): Problem {
  const mend = 'Have the server, or the proxy before it, heed "accept-encoding: identity".';
  return { kind: 'problem', why: `its answer is encoded (${encoding}), though it was asked for a plain one`, mend, first: 'usage', later: 'fault' };
}

/** A way of the server or its model, which asking again does not change. */
function notText(part: string): Problem {
  const mend = 'Have the server answer in text alone; reasoning, where there is any, belongs into reasoning_content.';
  return { kind: 'problem', why: `its reply has a part of the kind "${part}", and only text is read`, mend, first: 'usage', later: 'fault' };
}

const waitAskedBy = ({ header }: Answered): number | undefined =>
  askedWaitMs({ retryAfter: header('retry-after'), retryAfterMs: header('retry-after-ms'), date: header('date') });

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function quote(text: string): string {
  const line = terminalLine(text);
  return line.length <= longestQuote ? line : `${line.slice(0, longestQuote)}…`;
}
