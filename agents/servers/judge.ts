import { terminalLine } from '../../envs/core/terminal-text.ts';
import { encodingOf, isEventStream } from './answer-head.ts';
import { askedWaitMs } from './backoff.ts';
import type { Answered, Exchange } from './exchange.ts';
import { brokenConnection, noSuchRoute, passing, refusal, type ServerProblem } from './problem.ts';
import { readServerError, type ServerError } from './server-error.ts';
import { isTooLong } from './too-long.ts';

/** The parsed result. */
export interface UsableAnswer<Result> {
  readonly kind: 'usable';
  readonly result: Result;
}

/** The prompt exceeds the model's context. */
export interface PromptTooLong {
  readonly kind: 'too-long';
  readonly why: string;
}

/** The meaning of an exchange. */
export type AnswerVerdict<Result> = UsableAnswer<Result> | PromptTooLong | ServerProblem;

/** How to read a successful answer. */
export type AnswerReader<Result> =
  /** `quoted` formats text of the server for people, without secrets. */
  | {
      readonly form: 'json';
      readonly read: (
        body: unknown,
        quoted: (text: string) => string,
      ) => UsableAnswer<Result> | ServerProblem;
      /**
       * The fix for a refused request, derived from the server's message; undefined if that is not enough.
       */
      readonly fix?: (words: string) => string | undefined;
      readonly isLasting?: IsLasting;
    }
  /**
   * The status of success is all that matters. `refused` may turn the server's refusal into a result, by its
   * message.
   */
  | {
      readonly form: 'success';
      readonly result: Result;
      readonly refused: (words: string) => Result | undefined;
      readonly isLasting?: IsLasting;
    };

/** Whether the server would refuse the request again, whatever the status, judged by its message. */
type IsLasting = (words: string) => boolean;

/** Servers do not say when they truncate a text; a longer one is not a sentence for people. */
const longestQuote = 300;

/** Interprets an exchange. `redact` removes secrets from the server's text. */
export function judge<Result>(
  came: Exchange,
  reading: AnswerReader<Result>,
  redact: (text: string) => string,
): AnswerVerdict<Result> {
  const quoted = (text: string): string => quote(redact(text));
  switch (came.kind) {
    case 'broken':
      return brokenConnection(came.code, quoted(came.why));
    case 'late':
      return passing(`it did not answer within ${came.afterMs} ms`);
    case 'oversize':
      return passing(`its answer is longer than ${came.maxBytes} bytes`);
    case 'answered':
      return judgeAnswer(came, reading, quoted);
    default:
      return came satisfies never;
  }
}

function judgeAnswer<Result>(
  answer: Answered,
  reading: AnswerReader<Result>,
  quoted: (text: string) => string,
): AnswerVerdict<Result> {
  const { status } = answer;
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(
    answer.header('content-type') ?? 'application/json',
  );
  const parsed = isJson ? parseJson(answer.body) : undefined;
  const error = readServerError(parsed);
  if (error !== undefined && isTooLong(status, error))
    return { kind: 'too-long', why: quoted(error.message) };
  if (status === 413) return { kind: 'too-long', why: 'the request is too large for the server' };
  if (status < 200 || status > 299) {
    const settled =
      reading.form === 'success' && error !== undefined ? reading.refused(error.message) : undefined;
    if (settled !== undefined) return { kind: 'usable', result: settled };
    const redirect = status < 400 ? `redirects to ${answer.header('location') ?? 'nowhere'}` : '';
    const words = quoted(error?.message ?? redirect);
    if (reading.form === 'success' && status === 404) return noSuchRoute(words);
    const refused = refusal(
      status,
      { words, code: error?.code ?? '', fix: reading.form === 'json' ? reading.fix?.(words) : '' },
      waitAskedBy(answer),
    ); // a caller that expects no reply has its own fix
    return reading.isLasting?.(words) === true ? { ...refused, first: 'fault', later: 'fault' } : refused;
  }
  if (isStream(answer)) return streamed;
  const failure = error === undefined ? undefined : errorInside(error, quoted, waitAskedBy(answer));
  if (reading.form === 'success')
    return failure ?? (isPage(answer) ? notJson('a web page') : { kind: 'usable', result: reading.result });
  if (!isJson) return notJson(quoted(answer.header('content-type') ?? ''));
  const encoding = encodingOf(answer.header);
  if (encoding !== undefined) return encoded(quoted(encoding));
  if (answer.body === undefined) return passing('its answer is not UTF-8 text');
  if (parsed === undefined)
    return passing(`its answer is not complete JSON (${answer.body.length} characters)`);
  return failure ?? reading.read(parsed, quoted);
}

/** What names an error of keys, rights or payment, by the status that it would have. */
const lastingErrors: readonly (readonly [status: number, named: RegExp, said: RegExp])[] = [
  [
    402,
    /payment|billing|quota|insufficient|credit|^402$/i,
    /insufficient (?:balance|credits?|funds|quota)|payment required|exceeded your current quota/i,
  ],
  [
    401,
    /auth|api[_ -]?key|permission|forbidden|^40[13]$/i,
    /(?:invalid|incorrect|missing|no) api[ _-]?key|unauthori[sz]ed|authentication/i,
  ],
];

/** An error inside of an answer of success. One of keys, rights or payment is judged as if it had its own status. */
function errorInside(
  { message, type, code }: ServerError,
  quoted: (text: string) => string,
  waitMs: number | undefined,
): ServerProblem {
  const words = quoted(message);
  const why = `it answered with an error: ${words}`;
  const lasting = lastingErrors.find(
    ([, named, said]) => named.test(type) || named.test(code) || said.test(message),
  );
  return lasting === undefined
    ? passing(why, waitMs)
    : { ...refusal(lasting[0], { words, code }, waitMs), why };
}

/** Often a web page: from a proxy in trouble, or from the wrong server. */
function notJson(type: string): ServerProblem {
  return {
    ...passing(`it answered with ${type} instead of JSON`),
    fix: 'Check the URL: its path usually ends in /v1.',
    first: 'usage',
  };
}

/** Judged by the content type, or by the beginning of the body if the type is wrong. */
function isStream({ header, body }: Answered): boolean {
  return isEventStream(header) || /^\s*(?:data|event|id|retry)?:/.test(body ?? '');
}

const isPage = ({ header }: Answered): boolean => /^text\/html\b/i.test(header('content-type') ?? '');

const streamed: ServerProblem = {
  kind: 'problem',
  why: 'it streams its answer, although the request has "stream": false',
  fix: 'Configure the server, or the proxy before it, to respect "stream": false.',
  first: 'usage',
  later: 'fault',
};

/** The request asks for plain text; a server that compresses anyway will do so again. */
function encoded(encoding: string): ServerProblem {
  const fix = 'Configure the server, or the proxy before it, to respect "accept-encoding: identity".';
  return {
    kind: 'problem',
    why: `its answer is compressed (${encoding}), although the request asks for plain text`,
    fix,
    first: 'usage',
    later: 'fault',
  };
}

const waitAskedBy = ({ header }: Answered): number | undefined =>
  askedWaitMs({
    retryAfter: header('retry-after'),
    retryAfterMs: header('retry-after-ms'),
    date: header('date'),
  });

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without its full stop, because it becomes part of a sentence. */
function quote(text: string): string {
  const line = terminalLine(text).replace(/(?<!\.)\.$/, '');
  return line.length <= longestQuote ? line : `${line.slice(0, longestQuote)}…`;
}
