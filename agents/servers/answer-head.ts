type Header = (name: string) => string | undefined;

/** Whether an answer calls itself a stream of server-sent events. */
export const isEventStream = (header: Header): boolean =>
  /^text\/event-stream\b/i.test(header('content-type') ?? '');

/** How the body of an answer is encoded, such as `gzip`; undefined where it is sent as it is. */
export function encodingOf(header: Header): string | undefined {
  const encoding = (header('content-encoding') ?? '').trim();
  return /^(?:identity)?$/i.test(encoding) ? undefined : encoding;
}
