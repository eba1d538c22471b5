// The work folder in Pyodide's file system, which lives in memory: what goes in, what a program changed, and how much it may hold.

/** @typedef {import('../main.mjs').Call} Call @typedef {import('../main.mjs').Changes} Changes */

/**
 * @typedef {{ mode: number, contents: unknown, usedBytes?: number, stream_ops: unknown }} Node
 * @typedef {{ node: Node }} Stream
 * @typedef {{ write: (stream: Stream, buffer: Uint8Array, offset: number, length: number, position?: number, canOwn?: boolean) => number }} StreamOperations
 * @typedef {{ setattr: (node: Node, attributes: { size?: number }) => void }} NodeOperations
 * @typedef {{ root: Node, streams: (Stream | null | undefined)[], isFile: (mode: number) => boolean, isDir: (mode: number) => boolean, isLink: (mode: number) => boolean,
 *   lookupPath: (path: string) => { node: Node }, mkdirTree: (path: string) => void, writeFile: (path: string, content: Uint8Array) => void,
 *   unlink: (path: string) => void, rmdir: (path: string) => void, readdir: (path: string) => string[], chdir: (path: string) => void,
 *   lstat: (path: string) => { mode: number }, makedev: (major: number, minor: number) => number, mkdev: (path: string, id: number) => void,
 *   registerDevice: (id: number, operations: Partial<StreamOperations>) => void,
 *   filesystems: Record<string, { ops_table?: { file: { node: NodeOperations, stream: StreamOperations } } }>,
 *   ErrnoError: new (code: number) => Error }} FileSystem what is used here of Emscripten's file system
 */

const home = '/work';
const noSpace = 51; // as WASI numbers it

/** @param {FileSystem} files */
export function openWorkFolder(files) {
  files.mkdirTree(home);
  files.chdir(home);
  Reflect.deleteProperty(files.filesystems, 'NODEFS'); // files of this machine
  /** What the other side knows, by path. @type {Map<string, Uint8Array>} */
  const known = new Map();
  const limit = addQuota(files);
  return {
    limit,
    /** @param {Call} call @param {ReadonlyMap<string, Uint8Array>} contents */
    put: (call, contents) => {
      for (const path of call.removed) {
        remove(files, `${home}/${path}`);
        known.delete(path);
      }
      for (const folder of call.folders) makeFolder(files, `${home}/${folder}`);
      for (const [path, content] of contents) {
        remove(files, `${home}/${path}`);
        makeFolder(files, `${home}/${path}/..`.replace(/\/[^/]+\/\.\.$/, ''));
        files.writeFile(`${home}/${path}`, content);
        known.set(path, content);
      }
    },
    changes: () => changesSince(files, known),
  };
}

/** @param {FileSystem} files @param {string} path */
function modeOf(files, path) {
  try {
    return files.lstat(path).mode;
  } catch {
    return undefined;
  }
}

/** @param {FileSystem} files @param {string} path a file or a folder with all that is in it, which may be missing */
function remove(files, path) {
  const mode = modeOf(files, path);
  if (mode === undefined) return;
  if (!files.isDir(mode)) return files.unlink(path);
  for (const name of files.readdir(path)) if (name !== '.' && name !== '..') remove(files, `${path}/${name}`);
  files.rmdir(path);
}

/** Makes it with all above it, also where a program left a file or a link in its way. @param {FileSystem} files @param {string} path */
function makeFolder(files, path) {
  const parts = path.split('/').slice(2); // below the work folder
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const above = `${home}/${parts.slice(0, depth).join('/')}`;
    const mode = modeOf(files, above);
    if (mode !== undefined && !files.isDir(mode)) files.unlink(above);
  }
  files.mkdirTree(path);
}

/** @param {Node} folder @param {string} prefix @param {(path: string, node: Node) => void} visit */
function walk(folder, prefix, visit) {
  for (const [name, node] of Object.entries(/** @type {Record<string, Node>} */ (folder.contents))) {
    visit(`${prefix}${name}`, node);
    if (node.stream_ops !== undefined && (node.mode & 0o170000) === 0o040000)
      walk(node, `${prefix}${name}/`, visit);
  }
}

/** The array may be of signed bytes, and longer than the file. @param {Node} node @returns {Uint8Array} */
const contentOf = ({ contents, usedBytes = 0 }) =>
  ArrayBuffer.isView(contents)
    ? new Uint8Array(contents.buffer, contents.byteOffset, usedBytes)
    : new Uint8Array(0);

/** Links are left out: they mean nothing outside. @param {FileSystem} files @param {Map<string, Uint8Array>} known @returns {Changes} */
function changesSince(files, known) {
  /** @type {Map<string, Uint8Array>} */
  const changed = new Map();
  /** @type {string[]} */
  const folders = [];
  /** @type {Set<string>} */
  const seen = new Set();
  if (modeOf(files, home) !== undefined) {
    walk(files.lookupPath(home).node, '', (path, node) => {
      if (files.isDir(node.mode)) folders.push(path);
      if (!files.isFile(node.mode)) return;
      seen.add(path);
      const content = contentOf(node);
      const before = known.get(path);
      if (before !== undefined && Buffer.compare(before, content) === 0) return;
      changed.set(path, content);
      known.set(path, content.slice());
    });
  }
  const removed = [...known.keys()].filter((path) => !seen.has(path));
  for (const path of removed) known.delete(path);
  return { files: changed, removed, folders };
}

/** @param {FileSystem} files @returns {(bytes: number) => void} sets how many bytes all files may have, those of the interpreter apart */
function addQuota(files) {
  const operations = files.filesystems['MEMFS']?.ops_table?.file;
  if (operations === undefined) throw new TypeError('Pyodide keeps its files in another way than it did');
  const { node: nodes, stream: streams } = operations;
  const count = () => {
    /** Files in folders, and those that are open though their name is gone. @type {Set<Node>} */
    const nodes = new Set(files.streams.flatMap((stream) => (stream ? [stream.node] : [])));
    walk(files.root, '', (_path, node) => nodes.add(node));
    let sum = 0;
    for (const node of nodes) sum += node.usedBytes ?? 0;
    return sum;
  };
  const own = count();
  let most = Number.POSITIVE_INFINITY;
  let used = 0; // no less than there is: what was removed is found when the limit seems reached
  /** @param {Node} node @param {number} size */
  const grow = (node, size) => {
    const more = size - (node.usedBytes ?? 0);
    if (more <= 0) return;
    if (used + more > most) used = count() - own;
    if (used + more > most) throw new files.ErrnoError(noSpace);
    used += more;
  };
  const { write } = streams;
  const { setattr } = nodes;
  streams.write = (stream, ...words) => {
    const [, , length, position = 0] = words;
    grow(stream.node, position + length);
    return write(stream, ...words);
  };
  nodes.setattr = (node, attributes) => {
    grow(node, attributes.size ?? 0);
    setattr(node, attributes);
  };
  return (bytes) => {
    most = bytes;
  };
}
