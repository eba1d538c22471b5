/** How to handle a problem: stop as wrong use, stop as a failed run, fault this episode, or retry. */
export type ProblemHandling = 'usage' | 'run' | 'fault' | 'retry';

/** Why a request brought no reply. */
export interface ServerProblem {
  readonly kind: 'problem';
  /** A sentence without its full stop, with the server as its subject. */
  readonly why: string;
  readonly fix: string;
  /**
   * Handling before the server's first usable answer: it is probably the wrong server, or a wrong request.
   */
  readonly first: ProblemHandling;
  /** Handling after that: the server and the request worked before. */
  readonly later: ProblemHandling;
  /** The wait that the server requests, in milliseconds. */
  readonly askedWaitMs?: number;
  /** Most attempts for a problem that seldom passes. */
  readonly tries?: number;
  /** True if the server may not have the model. */
  readonly unknownModel?: true;
}

/** For a server that has worked. */
const triesOfRefusals = 4;
const seeToServer = 'Check that the server runs and answers, then start again.';

export const passing = (why: string, askedWaitMs?: number): ServerProblem => ({
  kind: 'problem',
  why,
  fix: seeToServer,
  first: 'retry',
  later: 'retry',
  ...(askedWaitMs === undefined ? {} : { askedWaitMs }),
});

/** No connection, or a broken one; `code` is the system's name for the error. */
export function brokenConnection(code: string, why: string): ServerProblem {
  if (/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code)) {
    return {
      ...passing(`it cannot be reached (${why})`),
      fix: 'Check that the server runs there, and that host and port are right.',
      first: 'run',
    };
  }
  if (/CERT|TLS|SSL|EPROTO|SELF_SIGNED|ISSUER|LEAF_SIGNATURE/.test(code)) {
    const fix =
      'Use http: if the server has no TLS. For a certificate of your own set NODE_EXTRA_CA_CERTS to its file.';
    return {
      kind: 'problem',
      why: `no secure connection is possible (${why})`,
      fix,
      first: 'usage',
      later: 'retry',
      tries: triesOfRefusals,
    };
  }
  return passing(`the connection broke (${why})`);
}

/** The parts of a refusal. */
interface Refusal {
  /** The server's message. */
  readonly words: string;
  /** The server's error code. */
  readonly code: string;
  /** The fix for a wrong request, if known. */
  readonly fix?: string | undefined;
}

/** Interprets an answer with an error status. */
export function refusal(
  status: number,
  { words, code, fix }: Refusal,
  askedWaitMs: number | undefined,
): ServerProblem {
  const why = `it answered with status ${status}${words === '' ? '' : `: ${words}`}`;
  // A server that has worked may refuse once by accident: through a proxy, or one of several servers behind
  // it.
  const lasting = (fix: string): ServerProblem => ({
    kind: 'problem',
    why,
    fix,
    first: 'usage',
    later: 'retry',
    tries: triesOfRefusals,
  });
  if (status === 429 && code === 'insufficient_quota')
    return { ...lasting('Check the account of the key, then start again.'), first: 'run', later: 'run' };
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500)
    return passing(why, askedWaitMs);
  if (status === 401 || status === 403) return lasting('Give the right key.');
  if (status === 402) return { ...lasting('Check the account of the key.'), later: 'run' };
  if (status === 404)
    return {
      ...lasting('Check the name of the model and the URL, whose path usually ends in /v1.'),
      unknownModel: true,
    };
  if (status === 405 || status === 410 || (status >= 300 && status < 400))
    return lasting('Check the URL: it must be that of the server itself, and its path usually ends in /v1.');
  return { ...lasting(fix ?? fixOfBadRequest(words)), later: 'fault' };
}

/** For requests that need no model: a missing route stays missing. */
export const noSuchRoute = (words: string): ServerProblem => ({
  kind: 'problem',
  why: `it answered with status 404${words === '' ? '' : `: ${words}`}`,
  fix: 'Check the URL, whose path usually ends in /v1.',
  first: 'usage',
  later: 'usage',
});

/** The usual fix for a request that the server refuses as wrong. */
function fixOfBadRequest(words: string): string {
  if (/max_completion_tokens/.test(words))
    return 'Name the token limit as this server does: --max-tokens-field max_completion_tokens.';
  if (/temperature/i.test(words)) return 'Leave the temperature to the server: --temperature default.';
  if (/\btool/i.test(words))
    return 'Start the server with its parser of tool calls (vLLM: --enable-auto-tool-choice and --tool-call-parser NAME), or play in text, such as with --prompt plain.';
  if (/\bstop\b/i.test(words)) return 'Use a prompt file without stop texts: "stop": [].';
  if (/system/i.test(words) && /role/i.test(words))
    return 'Use a prompt file without a system text: put it into "opening".';
  return 'Change the request to what this server accepts. Add further fields with --request-field.';
}
