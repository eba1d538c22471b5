type Header = (name: string) => string | undefined;

/** Whether an answer declares itself a stream of server-sent events. */
export const isEventStream = (header: Header): boolean =>
  /^text\/event-stream\b/i.test(header('content-type') ?? '');

/** The content encoding of an answer, such as `gzip`; undefined if there is none. */
export function encodingOf(header: Header): string | undefined {
  const encoding = (header('content-encoding') ?? '').trim();
  return /^(?:identity)?$/i.test(encoding) ? undefined : encoding;
}
