import type { Server } from 'node:http';
import { codeOf, messageOf, UsageError } from '../../envs/core/errors.ts';

/**
 * Makes a server listen.
 *
 * @throws UsageError if it cannot listen there
 */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (thrown) {
    const where = `${host}:${port}`;
    if (codeOf(thrown) === 'EADDRINUSE')
      throw new UsageError(
        {
          where,
          what: 'another program listens there.',
          fix: 'Use another port; 0 takes a free one.',
        },
        { cause: thrown },
      );
    throw new UsageError(
      {
        where,
        what: `the server cannot listen there: ${messageOf(thrown)}.`,
        fix: 'Use an address of this machine and a port that you may use.',
      },
      { cause: thrown },
    );
  }
}
