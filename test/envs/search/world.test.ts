import { describe, expect, it } from 'vitest';
import { WorldDraw } from '../../../envs/engines/questions/world/draw.ts';
import { openWorld } from '../../../envs/search/world/open-world.ts';
import { pageDocument } from '../../../envs/search/world/page-text.ts';
import { entityKinds, relations } from '../../../envs/engines/questions/world/relations.ts';
import { WorldGraph } from '../../../envs/engines/questions/world/world-graph.ts';
import { worldPanels, worldQuestions } from '../../../envs/engines/questions/world/world-questions.ts';
import { useFolder } from '../../support/own-folder.ts';

const at = useFolder();
const { signal } = new AbortController();
const small = { seed: 1, documents: 1_000, wordings: 4 };
const graph = new WorldGraph(small);

describe('the draws of a world', () => {
  it('permute, and can be inverted', () => {
    const draw = new WorldDraw(7);
    for (const bound of [2, 5, 35, 1_000]) {
      const moved = Array.from({ length: bound }, (_, value) => draw.permuteBelow(value, bound, 3));
      expect(new Set(moved)).toEqual(new Set(moved.keys()));
      expect(moved.map((value) => draw.unpermuteBelow(value, bound, 3))).toEqual([...moved.keys()]);
    }
  });
});

describe('the pages of a world', () => {
  it('pages are a function of seed and number alone', () => {
    const first = pageDocument(graph, 123);
    expect(pageDocument(new WorldGraph(small), 123)).toEqual(first);
    expect(pageDocument(new WorldGraph({ ...small, seed: 2 }), 123)).not.toEqual(first);
  });

  it('give every entity a name of its own', () => {
    const large = new WorldGraph({ ...small, documents: 1_000_000 });
    const names = new Set<string>();
    let count = 0;
    for (let document = 0; document < 1_000_000; document += 7) {
      const page = large.page(document);
      if (page.kind !== 'main') continue;
      names.add(large.nameOf(page.about));
      count += 1;
    }
    expect(names.size).toBe(count);
  });

  it('state each fact of their subject, and mark what misleads', () => {
    const kinds = new Map<string, number>();
    for (let document = 0; document < small.documents; document += 1) {
      const page = graph.page(document);
      kinds.set(page.kind, (kinds.get(page.kind) ?? 0) + 1);
      const { contents } = pageDocument(graph, document);
      if (page.kind === 'main') {
        expect(graph.documentOf(page.about)).toBe(document);
        for (const relation of relations.filter(({ from }) => from === page.about.kind))
          expect(contents).toContain(graph.textOf(graph.objectOf(page.about, relation)));
      }
      if (page.wrong === undefined) continue;
      expect(contents).not.toContain(` ${graph.textOf(graph.objectOf(page.about, page.wrong))}.`);
      expect(graph.misleadingAbout(page.about).map((other) => other.document)).toContain(document);
    }
    expect(Object.fromEntries(kinds)).toEqual({
      main: 700,
      outdated: 100,
      rumour: 100,
      namesake: 50,
      note: 50,
    });
  });

  it('relate entities of one class only', () => {
    for (const kind of entityKinds) {
      for (let ofClass = 0; ofClass < 10; ofClass += 1) {
        const entity = graph.member(kind, ofClass, 1);
        expect(graph.classOf(entity)).toBe(ofClass);
        for (const relation of relations.filter(({ from }) => from === kind)) {
          const object = graph.objectOf(entity, relation);
          if (typeof object !== 'string') expect(graph.classOf(object)).toBe(ofClass);
        }
      }
    }
  });
});

describe('the questions of a world', () => {
  const panels = worldPanels.map((panel) => worldQuestions(graph, 1, panel, [1, 2, 3, 4, 5]));

  it('questions are distinct, and name their answers and documents', () => {
    const all = panels.flat();
    expect(new Set(all.map(({ question }) => question)).size).toBe(1_400);
    for (const { question, answers, supporting, hops, path } of all) {
      expect([supporting.length, path.length]).toEqual([hops, hops]);
      expect(question).toContain(path[0]);
      expect(question).not.toContain(answers[0]);
    }
    expect(all.some(({ traps }) => traps > 0)).toBe(true);
  });

  it('a held-out panel names no entity of another panel', () => {
    const named = panels.map((list) => new Set(list.flatMap(({ path }) => path)));
    const [train, dev, test] = named;
    for (const name of test ?? []) expect(train?.has(name) === true || dev?.has(name) === true).toBe(false);
    for (const name of dev ?? []) expect(train?.has(name)).toBe(false);
  });

  it('can be answered by searching for one name after the other', async () => {
    const { retriever } = await openWorld({ ...small, cacheFolder: at(), signal });
    for (const { path, supporting, answers } of panels[2] ?? []) {
      for (const [step, name] of path.entries()) {
        const hits = retriever.searchNow(name, 3);
        const hit = hits.find(({ id }) => id === supporting[step]);
        expect(hit?.text).toContain(path[step + 1] ?? answers[0]);
      }
    }
  });

  it('a large world has a stored index, which is built again when it is damaged', async () => {
    const { truncate, readdir } = await import('node:fs/promises');
    const large = { ...small, documents: 20_020, cacheFolder: at('large'), signal };
    const rebuilds: string[] = [];
    const options = { ...large, onRebuild: (why: string) => rebuilds.push(why) };
    const first = (await openWorld(options)).retriever.searchNow('mayor', 3);
    expect((await openWorld(options)).retriever.searchNow('mayor', 3)).toEqual(first);
    expect(rebuilds).toEqual([]);
    const [file = ''] = await readdir(at('large'));
    await truncate(at('large', file), 5_000);
    expect((await openWorld(options)).retriever.searchNow('mayor', 3)).toEqual(first);
    expect(rebuilds).toHaveLength(1);
  });
});
