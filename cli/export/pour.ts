import { abortable } from '../../envs/core/waiting.ts';
import type { Channel } from '../terminal/terminal.ts';

/** Characters that may be buffered for a slow reader. */
const mostWaiting = 2 ** 20;

/**
 * Writes as fast as the reader reads, so that nothing accumulates. Stops when the channel is closed; the
 * channel says whether that is a failure.
 */
export async function pour(
  parts: AsyncIterable<string>,
  channel: Channel,
  signal: AbortSignal,
): Promise<void> {
  let waiting = 0;
  for await (const part of parts) {
    if (channel.isClosed) return;
    channel.write(part);
    waiting += part.length;
    if (waiting < mostWaiting) continue;
    await abortable(signal, channel.flush());
    waiting = 0;
  }
}
