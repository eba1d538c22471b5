import path from 'node:path';
import { root, run } from './run-program.ts';

/**
 * Runs once before all test files, and brings dist up to date, as the commands of package.json do: commands, threads and the packed package
 * are tested as they are built. Type errors are another test's business: the compiler emits all the same.
 */
export async function setup(): Promise<void> {
  const { code, err } = await run(process.execPath, [path.join(root, 'scripts', 'setup.mjs'), '--build']);
  if (code !== 0 && !/error TS\d+/.test(err)) throw new Error(`the build failed:\n${err}`);
}
