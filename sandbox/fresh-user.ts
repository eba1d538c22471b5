import { randomInt } from 'node:crypto';

/**
 * User ids that are assigned neither to accounts, nor to services, nor to containers of systemd
 * (systemd.io/UIDS-GIDS).
 */
export const unusedUsers = { first: 1_879_048_192, last: 2_147_483_646 } as const;

/** A user id that nobody else has. What the kernel counts per user is then counted for one sandbox. */
export const freshUser = (): number => randomInt(unusedUsers.first, unusedUsers.last + 1);
