/** A memory that WebAssembly code and typed arrays share. Its buffer is another one after each growth. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
}

/** What we use of the WebAssembly JavaScript interface, which the types of Node leave out. */
declare const WebAssembly: {
  readonly Memory: new (limits: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
};

/** A memory of its own, in pages of 64 KiB. */
export function createMemory(pages: number): WasmMemory {
  return new WebAssembly.Memory({ initial: pages });
}

export function isMemory(value: unknown): value is WasmMemory {
  return value instanceof WebAssembly.Memory;
}

/** The exports of a module that works on `memory`. */
export function instantiate(
  bytes: Uint8Array<ArrayBuffer>,
  memory: WasmMemory,
): Readonly<Record<string, unknown>> {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { host: { memory } }).exports;
}
