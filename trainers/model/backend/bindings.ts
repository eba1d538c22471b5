import { UniformWords, type UniformSource } from './uniform-words.ts';

/** Groups of the same buffers that are kept for uniforms that say something else; for any more the one used longest ago is written over. */
const mostAlike = 4;

/** As much of a device as bindings take. */
export type BindingDevice = Pick<GPUDevice, 'createBindGroup' | 'createBuffer'> & { readonly queue: Pick<GPUQueue, 'writeBuffer'> };

/** A group, and what its uniforms say. */
interface Kept {
  readonly group: GPUBindGroup;
  readonly uniforms: GPUBuffer;
  /** Of the uniforms, byte for byte a character. */
  said: string;
  /** The last batch of commands that uses it. */
  batch: number;
}

/** Groups of bindings by what they bind. */
export class Bindings {
  readonly #device: BindingDevice;
  readonly #most: number;
  readonly #words = new UniformWords();
  /** By pipeline and buffers, those used longest ago first. */
  readonly #groups = new Map<string, Kept[]>();
  #count = 0;
  #batch = 0;
  readonly #numbers = new WeakMap<object, number>();
  #numbered = 0;

  /** @param most groups that are kept; beyond it all are made anew */
  constructor(device: BindingDevice, most: number) {
    this.#device = device;
    this.#most = most;
  }

  /** To be called before the first command of each batch, where all others are submitted. */
  beginBatch(): void {
    this.#batch += 1;
    if (this.#count < this.#most) return;
    for (const { uniforms } of [...this.#groups.values()].flat()) uniforms.destroy();
    this.#groups.clear();
    this.#count = 0;
  }

  /**
   * The group that binds these buffers, and behind them a buffer of these uniforms. What a command that is not submitted yet was given stays as it is.
   *
   * @param buffers of the output, then of the inputs
   */
  of(pipeline: GPUComputePipeline, buffers: readonly GPUBuffer[], source: UniformSource): GPUBindGroup {
    const key = this.#numberOf(pipeline) + buffers.reduce((numbers, buffer) => `${numbers} ${this.#numberOf(buffer)}`, '');
    const length = this.#words.write(source);
    const said = this.#words.bytes.toString('latin1', 0, length);
    const alike = this.#groups.get(key) ?? [];
    if (alike.length === 0) this.#groups.set(key, alike);
    const same = alike.findIndex((kept) => kept.said === said);
    const place = same >= 0 || alike.length < mostAlike ? same : alike.findIndex(({ batch }) => batch < this.#batch);
    const [found] = place >= 0 ? alike.splice(place, 1) : [];
    const kept = found ?? this.#make(pipeline, buffers, length);
    if (kept.said !== said) this.#device.queue.writeBuffer(kept.uniforms, 0, this.#words.bytes, 0, length);
    kept.said = said;
    kept.batch = this.#batch;
    alike.push(kept);
    return kept.group;
  }

  #make(pipeline: GPUComputePipeline, buffers: readonly GPUBuffer[], length: number): Kept {
    const uniforms = this.#device.createBuffer({ size: length, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    const entries = [...buffers, uniforms].map((buffer, binding) => ({ binding, resource: { buffer } }));
    this.#count += 1;
    return { group: this.#device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }), uniforms, said: '', batch: this.#batch };
  }

  /** Buffers and pipelines have no name of their own. */
  #numberOf(part: object): number {
    const known = this.#numbers.get(part);
    if (known !== undefined) return known;
    this.#numbered += 1;
    this.#numbers.set(part, this.#numbered);
    return this.#numbered;
  }
}
