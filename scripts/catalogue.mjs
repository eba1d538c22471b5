// Measures the environments for the catalogue and records the results in bench/catalogue/catalogue.json, from which `cairn-gym envs` and
// `npm run docs` (docs/envs) take them. `npm run catalogue -- household game-maze` measures only these. Needs a build.
import { availableParallelism, cpus, loadavg } from 'node:os';
import { readFile, writeFile } from 'node:fs/promises';

/** @type {(file: string) => Promise<object>} */
const built = async (file) =>
  /** @type {object} */ (await import(new URL(`../dist/${file}`, import.meta.url).href));
const { builtInEnvs } = /** @type {typeof import('../envs/catalog.ts')} */ (await built('envs/catalog.js'));
const { createRegistry } = /** @type {typeof import('../envs/core/registry.ts')} */ (
  await built('envs/core/registry.js')
);
const { createContext } = /** @type {typeof import('../envs/core/context.ts')} */ (
  await built('envs/core/context.js')
);
const { fingerprintDefinition } = /** @type {typeof import('../lab/catalogue/entry.ts')} */ (
  await built('lab/catalogue/entry.js')
);
const { measureEnv } = /** @type {typeof import('../lab/catalogue/measure-env.ts')} */ (
  await built('lab/catalogue/measure-env.js')
);

const file = new URL('../bench/catalogue/catalogue.json', import.meta.url);
const plan = { episodes: 50, playerMs: 800 };
const machine = {
  node: process.version,
  processor: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  loadBefore: Number((loadavg()[0] ?? 0).toFixed(1)),
};

/** Milliseconds of the processor that this process has used. */
const clock = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const { envs: recorded = {} } =
  /** @type {{ envs?: Record<string, import('../lab/catalogue/record.ts').CatalogueRecord> }} */ (
    JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
  );
const registry = createRegistry([...builtInEnvs]);
const names = process.argv.slice(2);
const chosen = names.length === 0 ? registry.definitions : names.map((name) => registry.find(name));
for (const definition of chosen) {
  const { id } = definition;
  const context = createContext({
    seed: 0,
    now: () => performance.now(),
    path: 'catalogue',
    system: process.env,
  });
  const result = await measureEnv(definition, { plan, context, clock });
  recorded[id] = {
    definition: fingerprintDefinition(definition),
    date: new Date().toISOString().slice(0, 10),
    result,
  };
  const says =
    result.kind === 'unmeasured'
      ? `not measured: ${result.why}`
      : `random ${result.random?.success ?? '-'}, expert ${result.expert?.success ?? '-'}, ${result.stepsPerSecond ?? '-'} steps/s`;
  process.stderr.write(`catalogue: ${id}, ${says}\n`);
}
const known = Object.fromEntries(
  registry.definitions.flatMap(({ id }) => (recorded[id] === undefined ? [] : [[id, recorded[id]]])),
);
const document = { command: 'npm run catalogue', machine, envs: known };
await writeFile(file, `${JSON.stringify(document, undefined, 2)}\n`);
