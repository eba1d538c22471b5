import { abortable } from '../../envs/core/waiting.ts';
import type { Channel } from '../terminal/terminal.ts';

/** Characters that may wait for a slow reader. */
const mostWaiting = 2 ** 20;

/** Writes as fast as the reader takes it, so that nothing piles up, and stops where nothing arrives any more: whether that is a failure, the channel says. */
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
