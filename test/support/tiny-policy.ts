/** Words for `cairn-gym train` where what the policy learns does not matter: a network that costs next to nothing. */
export const tinyPolicy: readonly string[] = [
  'policy.buckets=256',
  'policy.width=4',
  'policy.hidden=4',
].flatMap((setting) => ['--with', setting]);
