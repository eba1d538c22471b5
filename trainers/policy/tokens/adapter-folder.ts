import { randomUUID } from 'node:crypto';
import { chmod, lstat, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFileAtomically } from '../../../files/atomic-write.ts';
import { makeFolder } from '../../../files/make-folder.ts';
import { livenessOf, ownIdentity, processIdentitySchema } from '../../../files/process-identity.ts';

const prefix = 'cairn-adapters-';
/** Records the owner of a folder. */
const ownerFile = 'owner.json';

/**
 * Creates a folder for the adapters that one sampler publishes to a server: in the named folder, or in the
 * folder for temporary files, where other users cannot read it. Leftovers of killed processes in the same
 * place are removed.
 */
export async function makeAdapterFolder(named: string | undefined): Promise<string> {
  const place = named ?? tmpdir();
  await sweep(place);
  const folder = join(place, `${prefix}${randomUUID()}`);
  await makeFolder(folder);
  if (named === undefined) await chmod(folder, 0o700);
  await writeFileAtomically(join(folder, ownerFile), JSON.stringify(ownIdentity()));
  return folder;
}

/** Whatever cannot be read or removed stays. */
async function sweep(place: string): Promise<void> {
  const names = await readdir(place).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const folder = join(place, name);
    if (await isAbandoned(folder).catch(() => false))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether it belongs to this user, and its process is known to have ended. */
async function isAbandoned(folder: string): Promise<boolean> {
  const found = await lstat(folder);
  const user = process.getuid?.();
  if (!found.isDirectory() || (user !== undefined && found.uid !== user)) return false;
  return (
    livenessOf(processIdentitySchema.parse(JSON.parse(await readFile(join(folder, ownerFile), 'utf8')))) ===
    'dead'
  );
}
