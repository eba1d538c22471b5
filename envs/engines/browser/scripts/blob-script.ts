/**
 * The most bytes that the documents of a tab and its frames may put into blobs and files. Pages for agents
 * never need more.
 */
const mostBlobBytes = 256 * 2 ** 20;

/**
 * Limits the bytes that a page puts into blobs and files. The text runs in a document before the page's
 * scripts and after its clock. The bytes are in the browser's own process, which all episodes share, and not
 * in the page's process. More is a RangeError, as where memory runs out. It is not known in time which blobs
 * are freed, so all blobs ever made count. Slices, clones and addresses of a blob have no bytes of their own.
 * Bytes passed to a constructor are counted before they are stored, and those of responses read as blobs
 * after each.
 */
export const blobScript = `
  {
    const { ArrayBuffer, Blob, RangeError, Uint8Array } = globalThis; // pages put others in their place
    const { construct } = Reflect;
    const { from } = Array;
    const { isView } = ArrayBuffer;
    const getterOf = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
    const ofViews = [getterOf(Object.getPrototypeOf(Uint8Array.prototype), 'byteLength'), getterOf(DataView.prototype, 'byteLength')];
    const ofBuffers = getterOf(ArrayBuffer.prototype, 'byteLength');
    const ofBlobs = getterOf(Blob.prototype, 'size');
    const sizeBy = (get, value) => {
      try {
        return get.call(value);
      } catch {
        return undefined; // it is none of these
      }
    };
    const isBlob = (part) => sizeBy(ofBlobs, part) !== undefined;
    const bytesOf = (part) => {
      if (typeof part === 'string') return part.length * 3; // at most
      if (isBlob(part)) return 0;
      return ofViews.map((get) => sizeBy(get, part)).find((size) => size !== undefined) ?? sizeBy(ofBuffers, part) ?? 0;
    };
    const isBytes = (part) => isView(part) || isBlob(part) || sizeBy(ofBuffers, part) !== undefined;
    const count = (bytes) => {
      if (rest.blobBytes + bytes > ${mostBlobBytes}) throw new RangeError('Blob allocation failed');
      rest.blobBytes += bytes;
    };
    const counted = (Original) =>
      new Proxy(Original, { construct(target, how, as) {
        const [parts, ...others] = how;
        if (typeof parts !== 'object' || typeof parts?.[Symbol.iterator] !== 'function') return construct(target, how, as); // empty, or refused there
        const given = from(parts, (part) => (isBytes(part) ? part : \`\${part}\`)); // read once
        count(given.reduce((sum, part) => sum + bytesOf(part), 0));
        return construct(target, [given, ...others], as);
      } });
    for (const name of ['Blob', 'File']) {
      const Original = globalThis[name];
      globalThis[name] = counted(Original);
      Original.prototype.constructor = globalThis[name];
    }
    Object.setPrototypeOf(File, globalThis.Blob);
    for (const { prototype } of [Request, Response]) {
      const { blob } = prototype;
      prototype.blob = { async blob() {
        count(0);
        const answer = await blob.call(this);
        count(ofBlobs.call(answer));
        return answer;
      } }.blob;
    }
  }
`;
