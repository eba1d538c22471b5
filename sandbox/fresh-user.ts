import { randomInt } from 'node:crypto';

/** Numbers of users that neither accounts, nor services, nor containers of systemd are given (systemd.io/UIDS-GIDS). */
export const unusedUsers = { first: 1_879_048_192, last: 2_147_483_646 } as const;

/** A user that nobody else is: what the kernel counts for each user is then counted for one sandbox. */
export const freshUser = (): number => randomInt(unusedUsers.first, unusedUsers.last + 1);
