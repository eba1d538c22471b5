/** Numbers that a shader is given besides its tensors, as one field of its uniforms: a number, a vector or, of five and six, a structure. */
export interface UniformField {
  readonly type: string;
  readonly data: readonly number[];
}

/** The parts that distinguish the uniforms of one call from those of another. */
export interface UniformSource {
  /** Of the inputs, then of the output. */
  readonly shapes: readonly (readonly number[])[];
  /** How many numbers, or vectors, the output has; left out where the shader does not ask. */
  readonly size: number | undefined;
  /** What the program itself gives. */
  readonly fields: readonly UniformField[];
}

const mostWords = 1_024;

/**
 * Lays uniforms out as the shaders of TensorFlow.js declare them: what is no number, what is infinite, each shape with its strides, the
 * size, then the program's own; each aligned as WGSL says (https://www.w3.org/TR/WGSL/#alignof). Made once, and written over by each call.
 */
export class UniformWords {
  readonly bytes = Buffer.alloc(4 * mostWords);
  readonly #floats = new Float32Array(this.bytes.buffer, this.bytes.byteOffset, mostWords);
  readonly #integers = new Int32Array(this.bytes.buffer, this.bytes.byteOffset, mostWords);
  #end = 0;
  #lengthBefore = 0;
  #widest = 1;

  /** @returns how many bytes they take */
  write({ shapes, size, fields }: UniformSource): number {
    this.#integers.fill(0, 0, this.#end); // gaps of another call's
    [this.#end, this.#lengthBefore, this.#widest] = [0, 0, 1];
    this.#floats[this.#place(1)] = Number.NaN;
    this.#floats[this.#place(1)] = Number.POSITIVE_INFINITY;
    for (const shape of shapes) {
      this.#put(this.#integers, shape);
      this.#putStrides(shape);
    }
    if (size !== undefined) this.#integers[this.#place(1)] = size;
    for (const { type, data } of fields)
      this.#put(type === 'int32' || type === 'uint32' ? this.#integers : this.#floats, data);
    this.#end = Math.ceil(this.#end / this.#widest) * this.#widest;
    return 4 * this.#end;
  }

  /** Of nothing a 1 stands there, as a shader has no empty field. */
  #put(words: Int32Array | Float32Array, data: readonly number[]): void {
    const from = this.#place(Math.max(1, data.length));
    if (data.length === 0) words[from] = 1;
    for (let at = 0; at < data.length; at += 1) words[from + at] = data[at] as number;
  }

  /** Of all sides but the last. */
  #putStrides(shape: readonly number[]): void {
    const count = Math.max(0, shape.length - 1);
    const from = this.#place(Math.max(1, count));
    if (count === 0) this.#integers[from] = 1;
    for (let side = count, stride = 1; side > 0; side -= 1) {
      stride *= shape[side] as number;
      this.#integers[from + side - 1] = stride;
    }
  }

  /** The word at which a field of that many numbers begins. */
  #place(length: number): number {
    const isBehindStructure = this.#lengthBefore > 4;
    const alignment = length > 2 || isBehindStructure ? 4 : length;
    this.#widest = Math.max(this.#widest, alignment);
    const from = Math.ceil(this.#end / alignment) * alignment;
    this.#end = from + length;
    this.#lengthBefore = length;
    if (this.#end > mostWords)
      throw new RangeError(`the uniforms of a shader have more than ${mostWords} words`);
    return from;
  }
}
