import { unsigned, valueType, type Code, type ValueType, type Variable } from './instructions.ts';

/** A function of a module: its body leaves the result, where it has one, on the stack. */
export interface FunctionCode {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly locals: readonly ValueType[];
  readonly result: ValueType | undefined;
  readonly body: Code;
}

/** Hands out the variables of a function: parameters first, then locals. */
export class Variables {
  readonly parameters: ValueType[] = [];
  readonly locals: ValueType[] = [];

  parameter(type: ValueType): Variable {
    if (this.locals.length > 0) throw new TypeError('parameters come before locals');
    return { index: this.parameters.push(type) - 1, type };
  }

  local(type: ValueType): Variable {
    return { index: this.parameters.length + this.locals.push(type) - 1, type };
  }
}

/** The binary module of the functions, which work on a memory imported as `host.memory`. */
export function assemble(functions: readonly FunctionCode[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters, result }) => [
    0x60,
    ...list(parameters.map(typeByte)),
    ...list(result === undefined ? [] : [typeByte(result)]),
  ]);
  const exports = functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]);
  const bodies = functions.map(({ locals, body }) => {
    const declared = locals.map((type) => [1, ...typeByte(type)]);
    return sized([...list(declared), ...body, 0x0b]);
  });
  return Uint8Array.from([
    ...preamble,
    ...section(1, list(types)),
    ...section(2, list([[...text('host'), ...text('memory'), 0x02, 0x00, 0x00]])), // a memory of any size
    ...section(3, list(functions.map((_, index) => unsigned(index)))),
    ...section(7, list(exports)),
    ...section(10, list(bodies)),
  ]);
}

/** "\0asm", version 1. */
const preamble: Code = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const typeByte = (type: ValueType): Code => [valueType[type]];
const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
const section = (id: number, bytes: Code): Code => [id, ...sized(bytes)];
const text = (name: string): Code => sized([...Buffer.from(name)]);
