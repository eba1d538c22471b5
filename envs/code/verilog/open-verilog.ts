import type { ResetContext } from '../../core/context.ts';
import type { EnvHost } from '../../core/env.ts';
import { FaultError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import type { PanelInfo, TaskRef } from '../../core/task.ts';
import type { ProgramAction } from '../action.ts';
import { marked, offersIn, type Assembly } from '../assembly.ts';
import type { Exercise, Judgement, Practice } from '../exercise.ts';
import { Kept } from '../judge/kept.ts';
import { clipped, type ProgramObservation } from '../observation.ts';
import { withGround } from '../open-provider.ts';
import { programHost } from '../program-host.ts';
import { assembleText, rightText } from '../text-assembly.ts';
import type { VerilogConfig } from './config.ts';
import { designs, type Design } from './designs.ts';
import { Simulator, type Simulated, type Stimuli } from './simulate.ts';

const id = 'verilog-v1';
const visibleSteps = 24;
const mebibyte = 1024 * 1024;

/** How many tasks each design has. Each draws its own initial slips. */
const drawsPerDesign = 8;

const known = designs.filter(({ heldOut }) => heldOut !== true);
/** One width of each design is for `dev`. */
const isForDev = ({ name }: Design): boolean => name.endsWith('-5');
const panelDesigns: Readonly<Record<string, readonly Design[]>> = {
  train: known.filter((each) => !isForDev(each)),
  dev: known.filter(isForDev),
  unseen: designs.filter(({ heldOut }) => heldOut === true),
};

/**
 * Opens the designs with a simulator.
 *
 * @throws UsageError where Icarus is not installed
 */
export async function openVerilog(
  config: VerilogConfig,
  context: ResetContext,
): Promise<EnvHost<ProgramObservation, ProgramAction>> {
  return withGround(config, context, async (ground) => {
    const simulator = new Simulator(ground, {
      wallMs: config.simulationMs,
      memoryBytes: config.memoryMb * mebibyte,
    });
    await simulator.assertThere(context.signal);
    // where modules are written, all draws would be one task
    const draws = config.pieces === 0 ? 1 : drawsPerDesign;
    const panels = Object.entries(panelDesigns).map(([name, { length }]): PanelInfo => ({
      name,
      size: length * draws,
      purpose: name === 'train' || name === 'dev' ? name : 'held-out',
      summary: summaries[name] ?? '',
    }));
    const bench = new Bench(simulator);
    return programHost({
      id,
      panels,
      identity: identityOf(config),
      provider: ground.provider,
      config,
      exercise: (ref) => {
        const all = panelDesigns[ref.panel] as readonly Design[];
        return new VerilogExercise(ref, all[ref.index % all.length] as Design, {
          bench,
          config,
          draw: Math.floor(ref.index / all.length),
        });
      },
    });
  });
}

/**
 * The part of the config that results depend on. The place and the number of concurrent simulations are no
 * part of it.
 */
function identityOf({
  pieces,
  maxSteps,
  longestProgram,
  shownFailures,
  shownCharacters,
  simulationMs,
  memoryMb,
  hiddenSteps,
  reward,
}: VerilogConfig): Json {
  return {
    pieces,
    maxSteps,
    longestProgram,
    shownFailures,
    shownCharacters,
    simulationMs,
    memoryMb,
    hiddenSteps,
    reward: { ...reward },
  };
}

const summaries: Readonly<Record<string, string>> = {
  train: 'designs to learn from',
  dev: 'the same designs in another width',
  unseen: 'designs that train and dev never have',
};

/** Simulates each golden module and each module once. */
class Bench {
  readonly #simulator: Simulator;
  readonly #kept = new Kept<Simulated>();

  constructor(simulator: Simulator) {
    this.#simulator = simulator;
  }

  run(
    of: {
      readonly design: Design;
      readonly source: string;
      readonly stimuli: Stimuli;
      readonly part: string;
    },
    signal: AbortSignal,
  ): Promise<Simulated> {
    const key = JSON.stringify([of.design.name, of.part, of.source]);
    return this.#kept.get(key, () => this.#simulator.run(of, signal), signal);
  }
}

type Part = 'visible' | 'hidden';

class VerilogExercise implements Exercise {
  readonly ref: TaskRef;
  readonly family: string;
  readonly instruction: string;
  readonly content: Json;
  readonly assembly: Exercise['assembly'];
  readonly solution: string;
  readonly simple: readonly string[];
  readonly secrets: readonly string[] = [];
  readonly #design: Design;
  readonly #bench: Bench;
  readonly #config: VerilogConfig;
  readonly #stimuli: Readonly<Record<Part, Stimuli>>;

  constructor(
    ref: TaskRef,
    design: Design,
    of: { readonly bench: Bench; readonly config: VerilogConfig; readonly draw: number },
  ) {
    const rng = createRng(0).fork(id).fork(design.name);
    const source = { text: design.source, remark: '//' };
    this.ref = ref;
    this.family = design.family;
    this.#design = design;
    this.#bench = of.bench;
    this.#config = of.config;
    this.solution = rightText(source);
    const head = this.solution.slice(0, this.solution.indexOf(');') + 2);
    this.instruction = `Write this module in Verilog.\n${design.statement}\nIts head:\n${head}`;
    this.simple = [0, 1].map(
      (bit) =>
        `${head.replaceAll('output reg', 'output wire')}\n${design.outputs.map(({ name, bits }) => `  assign ${name} = {${bits}{1'b${bit}}};`).join('\n')}\nendmodule\n`,
    );
    this.assembly =
      of.config.pieces === 0
        ? undefined
        : assembleText(source, of.config.pieces, rng.fork('pieces').fork(of.draw));
    this.#stimuli = {
      visible: stimuliFor(design, visibleSteps, rng.fork('visible')),
      hidden: stimuliFor(design, of.config.hiddenSteps, rng.fork('hidden')),
    };
    this.content = {
      statement: design.statement,
      golden: this.solution,
      stimuli: this.#stimuli as unknown as Json,
      ...(this.assembly === undefined ? {} : contentOf(this.assembly)),
    };
  }

  async practice(program: string, signal: AbortSignal): Promise<Practice> {
    const { golden, found } = await this.#both(program, 'visible', signal);
    const total = golden.length;
    if (found.kind === 'refused')
      return {
        said: `It was not taken:\n${clipped(found.text, this.#config.shownCharacters)}`,
        passed: 0,
        total,
      };
    const wrong = wrongSteps(golden, found.outputs);
    const shown = wrong
      .slice(0, this.#config.shownFailures)
      .map((at) => this.#describeStep(at, golden[at] as string, found.outputs[at]));
    return {
      said: [`Visible steps: ${total - wrong.length} of ${total} are right.`, ...whyOf(found), ...shown].join(
        '\n',
      ),
      passed: total - wrong.length,
      total,
    };
  }

  tryOn(program: string, _input: string, signal: AbortSignal): Promise<Practice> {
    // a module has no input of the agent: it is tried on the visible steps
    return this.practice(program, signal);
  }

  async judge(program: string, signal: AbortSignal): Promise<Judgement> {
    const { golden, found } = await this.#both(program, 'hidden', signal);
    const wrong = found.kind === 'refused' ? golden.length : wrongSteps(golden, found.outputs).length;
    return {
      share: 1 - wrong / golden.length,
      solved: wrong === 0,
      formed: found.kind !== 'refused',
      said: [`Hidden steps: ${golden.length - wrong} of ${golden.length} are right.`, ...whyOf(found)].join(
        '\n',
      ),
    };
  }

  /** The outputs of the golden module, and the result of the program. They never meet. */
  async #both(
    program: string,
    part: Part,
    signal: AbortSignal,
  ): Promise<{ readonly golden: readonly string[]; readonly found: Simulated }> {
    const stimuli = this.#stimuli[part];
    const golden = await this.#bench.run(
      { design: this.#design, source: this.solution, stimuli, part },
      signal,
    );
    if (golden.kind !== 'ran')
      throw new FaultError({
        kind: 'task-broken',
        where: `design ${this.#design.name}`,
        message: golden.kind === 'refused' ? golden.text : golden.why,
      });
    return {
      golden: golden.outputs,
      found: await this.#bench.run({ design: this.#design, source: program, stimuli, part }, signal),
    };
  }

  #describeStep(at: number, golden: string, found: string | undefined): string {
    const { inputs, outputs, family } = this.#design;
    const values = this.#stimuli.visible[at] as readonly number[];
    const driven = [...(family === 'clocked' ? ['reset'] : []), ...inputs.map(({ name }) => name)];
    const given = driven.map((name, place) => `${name}=${values[place]}`).join(' ');
    return `step ${at + 1}, ${given}: ${outputs.map(({ name }) => name).join(' ')} must be ${golden}, ${found === undefined ? 'and there is nothing' : `not ${clipped(found, 200)}`}`;
  }
}

/** Draws with the same initial module may differ in the places, even of one line, so the content has the offers too. */
const contentOf = (assembly: Assembly): Readonly<Record<string, Json>> => ({
  start: marked(assembly, assembly.start),
  offers: offersIn(assembly, assembly.start, new Map()).map(({ about }) => about),
});

/** Why the simulation did not reach its end, if so. */
const whyOf = (found: Simulated): readonly string[] => (found.kind === 'stopped' ? [found.why] : []);

const wrongSteps = (golden: readonly string[], found: readonly string[]): readonly number[] =>
  golden.flatMap((outputs, at) => (outputs === found[at] ? [] : [at]));

/** Extreme inputs first, then random ones. Clocked designs start with a reset, and sometimes have another. */
function stimuliFor({ family, inputs }: Design, count: number, rng: Rng): Stimuli {
  const corners = (bits: number): readonly number[] => [0, 2 ** bits - 1, 1, 2 ** (bits - 1)];
  return Array.from({ length: count }, (_, at) => {
    const step = rng.fork(at);
    const values = inputs.map(({ bits }, place) =>
      at > 0 && at < 9
        ? (corners(bits)[(place === 0 ? at : Math.floor(at / 2)) % 4] as number)
        : step.int(4) === 0
          ? step.pick(corners(bits))
          : step.int(2 ** bits),
    );
    if (family !== 'clocked') return values;
    return [at === 0 || (at > 20 && step.fork('reset').int(30) === 0) ? 1 : 0, ...values];
  });
}
