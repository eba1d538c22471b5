/**
 * The command, as its usage and its errors name it. Examples and fixes write `npx cairn-gym`, which runs where the package is installed.
 * Bare `cairn` also starts it there, and elsewhere fetches a package of others.
 */
export const commandName = 'cairn-gym';
