import { abortable, openDeadline } from '../../envs/core/waiting.ts';
import { failed, impossible, noRoom } from '../faults.ts';
import { closedToAll, tooMuch, unkept } from '../misuse.ts';
import { Capture } from '../printing.ts';
import { workFolder } from '../program-words.ts';
import type { Cell } from './cell.ts';
import { startProgram } from './program.ts';
import { openWorkFolder, workFolderClosed } from './work-folder.ts';

/**
 * Files are transferred by small programs in the container, with the rights of its own programs. So a link
 * that a program created leads at most to what that program could reach itself, and nothing on the host
 * follows it. Each folder is entered and then asked for its real path, so that a folder replaced by a link is
 * noticed however fast that happens.
 */
const enter = `
at=$1; shift
${openWorkFolder}
cd -P -- "$at" 2>/dev/null || exit 41
while [ $# -gt 1 ]; do
  if [ "$make" = yes ] && [ ! -e "$1" ] && [ ! -L "$1" ]; then mkdir -- "$1"; fi
  [ -e "$1" ] || [ -L "$1" ] || exit 44
  cd -P -- "$1" 2>/dev/null || exit 42
  at=$at/$1
  [ "$PWD" = "$at" ] || exit 42
  shift
done
`;

/**
 * Exit codes: 41: the work folder is closed; 42: a link or no folder in the path; 43: not a regular file, or not
 * readable; 44: does not exist; 45: no space; 48: longer than the limit.
 */
const readScript = `make=no; limit=$1; shift
${enter}
[ -e "./$1" ] || [ -L "./$1" ] || exit 44
[ -f "./$1" ] && [ ! -L "./$1" ] && [ -r "./$1" ] || exit 43
size=$(stat -c %s -- "./$1") && [ "$size" -le "$limit" ] || exit 48 # a file with holes may be of any length
exec head -c "$limit" -- "./$1"`;

/**
 * Writes to a temporary file and renames it, so that no file is ever incomplete and no pipe is opened. The
 * script receives the number of bytes, because a busy daemon can lose the end of its input.
 */
const writeScript = `make=yes; fresh=$1; bytes=$2; shift 2
${enter}
if [ -L "./$1" ] || { [ -e "./$1" ] && [ ! -f "./$1" ]; }; then cat >/dev/null; exit 43; fi
trap 'rm -f -- "./$fresh"' EXIT
head -c "$bytes" >"./$fresh" && [ "$(stat -c %s -- "./$fresh")" = "$bytes" ] && mv -fT -- "./$fresh" "./$1" || { cat >/dev/null; exit 45; }
trap - EXIT`;
const removeScript = `make=no; fresh=$1; shift
${enter}
rm -f -- "./$fresh"`;

/**
 * Packs regular files and folders alone. Each hard link gets its own copy. Exit codes: 46: an entry that
 * cannot be read, with its name; 47: the file that exceeds the limit on bytes, with its name. A name may have
 * any character but NUL, even a newline. So lines contain numbers alone, and the file that exceeds the limit
 * is found again by its position. Positions change only when a concurrent program creates or removes files.
 */
const packScript = `${openWorkFolder}
cd -P -- "$1" 2>/dev/null || exit 41
closed=$(find . '(' -type f ! -readable -o -type d '(' ! -readable -o ! -executable ')' ')' -printf '%p/' -quit 2>/dev/null) # marked at its end: the shell drops the ends of lines there
[ -z "$closed" ] || { printf '%s' "\${closed%/}" >&2; exit 46; }
place=$(find . -type f -printf '%s\\n' 2>/dev/null | {
  left=$2; place=0
  while read -r bytes; do
    place=$((place + 1))
    [ "$bytes" -le "$left" ] || { echo $place; break; }
    left=$((left - bytes))
  done
})
[ -z "$place" ] || { find . -type f -print0 2>/dev/null | head -z -n "$place" | tail -z -n 1 | tr -d '\\0' >&2; exit 47; }
find . -type f -print0 -o -type d -print0 | tar -cf - --null --no-recursion --hard-dereference --files-from=-`;
const unpackScript = `cd -P -- "$1" && head -c "$2" | tar -xf - || { cat >/dev/null; exit 45; }`;

/** Time limit per file, in milliseconds. A program in the sandbox can delay a transfer. */
const fileMs = 50_000;
const complaintBytes = 4096;

interface Done {
  readonly code: number;
  readonly out: Capture;
  readonly complaint: string;
}

/** Runs one of the scripts in an empty cell. */
async function runScript(
  cell: Cell,
  words: readonly string[],
  options: { readonly stdin?: Uint8Array; readonly outBytes: number; readonly signal: AbortSignal },
): Promise<Done> {
  const { stdin, outBytes } = options;
  using deadline = openDeadline(options.signal, { where: 'reading or writing a file', ms: fileMs });
  const out = new Capture(outBytes);
  const err = new Capture(complaintBytes);
  const hear = (stream: 'stdout' | 'stderr', bytes: Uint8Array): void =>
    void (stream === 'stdout' ? out : err).take(bytes);
  const program = await startProgram(cell, ['sh', '-c', ...words], { stdin: stdin !== undefined, hear });
  try {
    if (stdin !== undefined) {
      program.write(stdin);
      program.closeStdin();
    }
    const code = await abortable(deadline.signal, program.ended);
    await program.drained();
    return { code, out, complaint: err.printed().text };
  } catch (thrown) {
    if (options.signal.aborted || !deadline.signal.aborted) throw thrown;
    throw failed('file', `it took more than ${fileMs / 1000} s`, thrown);
  } finally {
    program.release();
  }
}

/**
 * Reads a file.
 *
 * @param path as `innerPath` returns it
 * @param options.diskBytes the limit on all files; a sparse file can be longer, and is not read
 */
export async function readFrom(
  cell: Cell,
  path: string,
  options: { readonly signal: AbortSignal; readonly maxBytes: number; readonly diskBytes: number },
): Promise<Uint8Array | undefined> {
  const { signal, diskBytes } = options;
  const maxBytes = Math.min(options.maxBytes, diskBytes);
  const words = [readScript, 'sh', String(maxBytes + 1), workFolder, ...path.split('/')];
  const { code, out, complaint } = await runScript(cell, words, { outBytes: maxBytes + 1, signal });
  const isNoFile = [42, 43, 44].includes(code); // what a program made of it
  if (isNoFile) return undefined;
  if (code === 48) throw impossible('file', tooLong(path, options));
  if (code !== 0) throw impossible('file', `${path} cannot be read: ${reasonOf(code, complaint)}`);
  const bytes = out.bytes();
  if (bytes.byteLength <= maxBytes) return bytes;
  throw impossible('file', tooLong(path, options));
}

const tooLong = (
  path: string,
  { maxBytes, diskBytes }: { readonly maxBytes: number; readonly diskBytes: number },
): string =>
  `${path} has more than the ${maxBytes <= diskBytes ? `${maxBytes} bytes asked for` : `${diskBytes} bytes of the limit diskBytes`}`;

/**
 * Writes a file.
 *
 * @param fresh a name that no file has
 */
export async function writeTo(
  cell: Cell,
  path: string,
  file: { readonly content: Uint8Array; readonly fresh: string; readonly signal: AbortSignal },
): Promise<void> {
  const words = [
    writeScript,
    'sh',
    file.fresh,
    String(file.content.byteLength),
    workFolder,
    ...path.split('/'),
  ];
  const { code, complaint } = await runScript(cell, words, {
    stdin: file.content,
    outBytes: 0,
    signal: file.signal,
  }).catch(async (thrown: unknown) => {
    await removeFresh(cell, path, file.fresh).catch(() => undefined);
    throw thrown;
  });
  if (/No space left on device/.test(complaint)) throw noRoom(path);
  if (code !== 0) throw impossible('file', `${path} cannot be written: ${reasonOf(code, complaint)}`);
}

/** Removes the temporary file of a writer that was killed. A writer that ends by itself removes it. */
async function removeFresh(cell: Cell, path: string, fresh: string): Promise<void> {
  const { isEmpty } = await cell.empty();
  if (isEmpty)
    await runScript(cell, [removeScript, 'sh', fresh, workFolder, ...path.split('/')], {
      outBytes: 0,
      signal: new AbortController().signal,
    });
}

/** The most bytes of a tar archive: headers and padding up to the allowed number of files. */
const archiveBytes = (diskBytes: number): number => 2 * diskBytes + 2048 * 1024;

/**
 * The files and folders of the work folder as a tar archive.
 *
 * @param options.diskBytes the limit on all files
 */
export async function pack(
  cell: Cell,
  options: { readonly signal: AbortSignal; readonly diskBytes: number },
): Promise<Uint8Array> {
  const { signal, diskBytes } = options;
  const { code, out, complaint } = await runScript(cell, [packScript, 'sh', workFolder, String(diskBytes)], {
    outBytes: archiveBytes(diskBytes),
    signal,
  });
  const flaws: Readonly<Record<number, string>> = { 46: closedToAll, 47: tooMuch(diskBytes) };
  const flaw = flaws[code];
  if (flaw !== undefined) throw unkept(complaint.replace(/^\.\//, ''), flaw);
  if (code !== 0) throw failed('file', `its files cannot be kept: ${reasonOf(code, complaint)}`);
  if (out.truncated)
    throw impossible(
      'file',
      `its files cannot be kept: their names make the archive longer than ${archiveBytes(diskBytes)} bytes`,
    );
  return out.bytes();
}

export async function unpack(cell: Cell, archive: Uint8Array, signal: AbortSignal): Promise<void> {
  const { code, complaint } = await runScript(
    cell,
    [unpackScript, 'sh', workFolder, String(archive.byteLength)],
    { stdin: archive, outBytes: 0, signal },
  );
  if (code !== 0) throw failed('open', `the kept files cannot be put back: ${reasonOf(code, complaint)}`);
}

function reasonOf(code: number, complaint: string): string {
  const reasons: Readonly<Record<number, string>> = {
    41: workFolderClosed,
    42: 'the path contains a link or a file in place of a folder',
    43: 'it is not a regular file',
    44: 'a parent folder cannot be created',
  };
  const said = complaint.trim();
  return reasons[code] ?? (said === '' ? `the helper program exited with ${code}` : said);
}
