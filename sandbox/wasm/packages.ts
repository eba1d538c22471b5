import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The languages that run in WebAssembly. */
export type WasmLanguage = 'python' | 'javascript';

export const wasmLanguages: readonly WasmLanguage[] = ['python', 'javascript'];

/** The folder of the program that runs in the interpreters' processes. */
export const driverFolder = fileURLToPath(new URL('driver', import.meta.url));

/** Packages whose files an interpreter needs: by its name, the packages that import it, the nearest last. */
const parts: Readonly<Record<WasmLanguage, readonly (readonly string[])[]>> = {
  python: [['pyodide'], ['pyodide', 'ws']],
  javascript: [
    ['quickjs-emscripten-core'],
    ['quickjs-emscripten-core', '@jitl/quickjs-ffi-types'],
    ['@jitl/quickjs-wasmfile-release-sync'],
  ],
};

/** Folders that an interpreter's process has to read; undefined when a package is missing. */
export function packageFolders(language: WasmLanguage): readonly string[] | undefined {
  const folders = parts[language].map(([first = '', ...more]) => {
    let folder = folderOf(first, import.meta.url);
    for (const name of more) folder &&= folderOf(name, path.join(folder, 'package.json'));
    return folder;
  });
  return folders.every((folder) => folder !== undefined) ? folders : undefined;
}

/** The folder of an installed package, seen from a file; undefined when it is missing. */
function folderOf(name: string, from: string): string | undefined {
  try {
    const entry = createRequire(from).resolve(name);
    let folder = path.dirname(entry);
    while (nameIn(folder) !== name) {
      if (folder === path.dirname(folder)) return undefined;
      folder = path.dirname(folder);
    }
    return folder;
  } catch {
    return undefined;
  }
}

const nameIn = (folder: string): string | undefined => {
  const file = path.join(folder, 'package.json');
  return existsSync(file) ? z.looseObject({ name: z.string().optional() }).parse(JSON.parse(readFileSync(file, 'utf8'))).name : undefined;
};

/** What to install for the languages that cannot be run; undefined when all can. */
export function missingPackages(): string | undefined {
  const names = wasmLanguages.filter((language) => packageFolders(language) === undefined).flatMap((language) => parts[language].map(([name = '']) => name));
  if (names.length === 0) return undefined;
  return `these optional packages are not installed: ${[...new Set(names)].join(', ')}. Install them with npm, without --omit=optional.`;
}
