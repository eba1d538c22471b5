/** What to make of a problem: stop as wrong use, stop as a failed run, fault this episode, or try again. */
export type ProblemHandling = 'usage' | 'run' | 'fault' | 'retry';

/** Why a request brought no reply. */
export interface ServerProblem {
  readonly kind: 'problem';
  /** A sentence without its full stop, with the server as its subject. */
  readonly why: string;
  readonly fix: string;
  /** Before the server has given its first usable answer: then it is likely to be the wrong one, or wrongly asked. */
  readonly first: ProblemHandling;
  /** After that: then it was right once. */
  readonly later: ProblemHandling;
  /** The wait that the server asks for, in milliseconds. */
  readonly askedWaitMs?: number;
  /** At most so many tries: it seldom passes. */
  readonly tries?: number;
  /** True where the server may not have the model. */
  readonly unknownModel?: true;
}

/** From a server that has worked. */
const triesOfRefusals = 4;
const seeToServer = 'See that the server runs and answers, then start again.';

export const passing = (why: string, askedWaitMs?: number): ServerProblem => ({
  kind: 'problem',
  why,
  fix: seeToServer,
  first: 'retry',
  later: 'retry',
  ...(askedWaitMs === undefined ? {} : { askedWaitMs }),
});

/** No connection, or one that broke: by the system's name for the error. */
export function brokenConnection(code: string, why: string): ServerProblem {
  if (/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code)) {
    return {
      ...passing(`it cannot be reached (${why})`),
      fix: 'See that the server runs there, and that host and port are right.',
      first: 'run',
    };
  }
  if (/CERT|TLS|SSL|EPROTO|SELF_SIGNED|ISSUER|LEAF_SIGNATURE/.test(code)) {
    const fix =
      'Use http: if the server speaks no TLS; for a certificate of your own set NODE_EXTRA_CA_CERTS to its file.';
    return {
      kind: 'problem',
      why: `no secure connection can be made (${why})`,
      fix,
      first: 'usage',
      later: 'retry',
      tries: triesOfRefusals,
    };
  }
  return passing(`the connection broke (${why})`);
}

/** What is known of a refusal. */
interface Refusal {
  /** The server's own. */
  readonly words: string;
  /** Its name for the error. */
  readonly code: string;
  /** How a wrong request is fixed, where it is known. */
  readonly fix?: string | undefined;
}

/** An answer of a status that is no success. */
export function refusal(
  status: number,
  { words, code, fix }: Refusal,
  askedWaitMs: number | undefined,
): ServerProblem {
  const why = `it answered with status ${status}${words === '' ? '' : `: ${words}`}`;
  // From a server that has worked, through a proxy or one of several behind it, even a refusal may be a stray one.
  const lasting = (fix: string): ServerProblem => ({
    kind: 'problem',
    why,
    fix,
    first: 'usage',
    later: 'retry',
    tries: triesOfRefusals,
  });
  if (status === 429 && code === 'insufficient_quota')
    return { ...lasting('See to the account of the key, then start again.'), first: 'run', later: 'run' };
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500)
    return passing(why, askedWaitMs);
  if (status === 401 || status === 403) return lasting('Give the right key.');
  if (status === 402) return { ...lasting('See to the account of the key.'), later: 'run' };
  if (status === 404)
    return {
      ...lasting('Check the name of the model and the URL, whose path mostly ends in /v1.'),
      unknownModel: true,
    };
  if (status === 405 || status === 410 || (status >= 300 && status < 400))
    return lasting('Check the URL: it must be that of the server itself, and its path mostly ends in /v1.');
  return { ...lasting(fix ?? fixOfBadRequest(words)), later: 'fault' };
}

/** Where nothing is asked of a model: what is not there now will not be at the next try. */
export const noSuchRoute = (words: string): ServerProblem => ({
  kind: 'problem',
  why: `it answered with status 404${words === '' ? '' : `: ${words}`}`,
  fix: 'Check the URL, whose path mostly ends in /v1.',
  first: 'usage',
  later: 'usage',
});

/** What usually helps where a server takes the request for wrong. */
function fixOfBadRequest(words: string): string {
  if (/max_completion_tokens/.test(words))
    return 'Name the limit of tokens as this server does: --max-tokens-field max_completion_tokens.';
  if (/temperature/i.test(words)) return 'Leave the temperature to the server: --temperature default.';
  if (/\bstop\b/i.test(words)) return 'Use a prompt file without stop texts: "stop": [].';
  if (/system/i.test(words) && /role/i.test(words))
    return 'Use a prompt file without a system text: say it in "opening".';
  return 'Ask as this server wants to be asked; fields that it wants beside go by --request-field.';
}
