import { UniformWords, type UniformSource } from './uniform-words.ts';

/** Groups of the same buffers that are kept for different uniforms. */
const mostAlike = 4;

/** As much of a device as bindings take. */
export type BindingDevice = Pick<GPUDevice, 'createBindGroup' | 'createBuffer'> & {
  readonly queue: Pick<GPUQueue, 'writeBuffer'>;
};

/** A group, and what its uniforms say. */
interface Kept {
  readonly group: GPUBindGroup;
  readonly uniforms: GPUBuffer;
  /** The uniforms' bytes, a character each. */
  content: string;
  /** The last batch of commands that uses it. */
  batch: number;
}

/** Groups of bindings by the pipeline and the buffers that they are for. */
export class Bindings {
  readonly #device: BindingDevice;
  readonly #most: number;
  readonly #words = new UniformWords();
  /** Those used longest ago first. */
  readonly #groups = new Map<string, Kept[]>();
  #count = 0;
  #batch = 0;
  readonly #numbers = new WeakMap<object, number>();
  #numbered = 0;

  /** @param most groups that are kept between batches; beyond it those used longest ago go */
  constructor(device: BindingDevice, most: number) {
    this.#device = device;
    this.#most = most;
  }

  /** To be called before the first command of each batch, where all others are submitted. */
  beginBatch(): void {
    this.#batch += 1;
    for (const key of this.#groups.keys()) {
      if (this.#count <= this.#most) return;
      this.#drop(key);
    }
  }

  dispose(): void {
    for (const key of this.#groups.keys()) this.#drop(key);
  }

  /**
   * The group that binds these buffers, and behind them a buffer of these uniforms. What a command that is not submitted yet was given stays as it is.
   *
   * @param buffers of the output, then of the inputs
   */
  of(pipeline: GPUComputePipeline, buffers: readonly GPUBuffer[], source: UniformSource): GPUBindGroup {
    const key =
      this.#numberOf(pipeline) +
      buffers.reduce((numbers, buffer) => `${numbers} ${this.#numberOf(buffer)}`, '');
    const length = this.#words.write(source);
    const content = this.#words.bytes.toString('latin1', 0, length);
    const alike = this.#groups.get(key) ?? [];
    this.#groups.delete(key);
    this.#groups.set(key, alike); // behind all others
    const kept =
      alike.find((one) => one.content === content) ??
      this.#toWriteOver(alike) ??
      this.#make(alike, { pipeline, buffers, length });
    if (kept.content !== content)
      this.#device.queue.writeBuffer(kept.uniforms, 0, this.#words.bytes, 0, length);
    kept.content = content;
    kept.batch = this.#batch;
    return kept.group;
  }

  /** The one used longest ago, where there are as many as are kept and no command still waits for what it says. */
  #toWriteOver(alike: readonly Kept[]): Kept | undefined {
    const oldest = alike.reduce<Kept | undefined>(
      (sofar, kept) => (sofar === undefined || kept.batch < sofar.batch ? kept : sofar),
      undefined,
    );
    return oldest !== undefined && alike.length >= mostAlike && oldest.batch < this.#batch
      ? oldest
      : undefined;
  }

  #make(
    alike: Kept[],
    {
      pipeline,
      buffers,
      length,
    }: {
      readonly pipeline: GPUComputePipeline;
      readonly buffers: readonly GPUBuffer[];
      readonly length: number;
    },
  ): Kept {
    const uniforms = this.#device.createBuffer({
      size: length,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    const entries = [...buffers, uniforms].map((buffer, binding) => ({ binding, resource: { buffer } }));
    const kept = {
      group: this.#device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }),
      uniforms,
      content: '',
      batch: this.#batch,
    };
    alike.push(kept);
    this.#count += 1;
    return kept;
  }

  #drop(key: string): void {
    const alike = this.#groups.get(key) ?? [];
    for (const { uniforms } of alike) uniforms.destroy();
    this.#count -= alike.length;
    this.#groups.delete(key);
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
