import initSqlJs, { type Database, type SqlJs } from 'sql.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../envs/core/json.ts';
import { applyStep } from '../../../envs/sql/draft/apply-step.ts';
import type { Draft } from '../../../envs/sql/draft/draft.ts';
import { offeredActions } from '../../../envs/sql/draft/offered.ts';
import { renderDraft } from '../../../envs/sql/draft/render-draft.ts';
import type { Cell } from '../../../envs/sql/engine/result.ts';
import { readQuestion } from '../../../envs/sql/generate/fill-form.ts';
import { heldOutForms, trainForms } from '../../../envs/sql/generate/forms.ts';
import { GeneratedSource, type GeneratedQuestion } from '../../../envs/sql/generate/generated-source.ts';
import { mutantsOf } from '../../../envs/sql/generate/mutants.ts';
import { isSameResult } from '../../../envs/sql/reward/match-rows.ts';
import { stepsOf } from '../../../envs/sql/searcher.ts';
import { valuesOf } from '../../../envs/sql/task.ts';

let engine: SqlJs;
let source: GeneratedSource;
beforeAll(async () => {
  engine = await initSqlJs();
  source = new GeneratedSource(engine, 1);
});
afterAll(() => source.close());

/** The first `most` questions of every panel. */
function* questions(most: number): Generator<GeneratedQuestion> {
  for (const { name, size } of source.panels)
    for (let index = 0; index < Math.min(size, most); index += 1)
      yield source.question({ panel: name, index });
}

const rowsOf = (database: Database, sql: string): readonly (readonly Cell[])[] | undefined => {
  try {
    return (database.exec(sql)[0]?.values ?? []) as Cell[][];
  } catch {
    return undefined;
  }
};

describe('a generated question', () => {
  it('gets a database that distinguishes its query from every wrong variant', () => {
    const strength = new Map<string, number>();
    let asked = 0;
    for (const { gold, goldRows, drawn, database } of questions(138)) {
      asked += 1;
      const open = new engine.Database(new Uint8Array(database.bytes)); // the file, not the database that was open when the question was drawn
      expect(rowsOf(open, gold)).toEqual(goldRows);
      for (const { mistake, sql } of mutantsOf(drawn.draft, database.schema)) {
        const rows = rowsOf(open, sql);
        expect(
          rows !== undefined &&
            isSameResult(rows, goldRows, { matching: 'rows', isOrdered: drawn.draft.order !== undefined }),
          `${mistake}: ${sql} for ${gold}`,
        ).toBe(false);
        strength.set(mistake, (strength.get(mistake) ?? 0) + 1);
      }
      const { order, limit, ...rest } = drawn.draft;
      if (order !== undefined) {
        const shown = renderDraft({
          ...rest,
          order,
          shows: [...rest.shows, order.by === 'count' ? { kind: 'count' } : { kind: 'column', of: order.by }],
        });
        const keys = (rowsOf(open, shown) ?? [])
          .map((row) => row.at(-1))
          .slice(0, limit === undefined ? undefined : limit + 1);
        expect(new Set(keys).size, `ties: ${shown}`).toBe(keys.length);
      }
      open.close();
    }
    const variants = [...strength.values()].reduce((sum, count) => sum + count, 0);
    console.log(
      `${(variants / asked).toFixed(1)} wrong variants a question, all told apart:`,
      JSON.stringify(Object.fromEntries(strength)),
    );
    console.log(
      'draws turned down:',
      JSON.stringify(Object.fromEntries(source.rejected)),
      'of so many questions:',
      asked,
    );
    expect(variants / asked).toBeGreaterThan(6);
    for (const why of [
      'no rows',
      'ties where the order counts',
      'not told from: case passed over',
      'not told from: another comparison',
    ])
      expect(source.rejected.get(why)).toBeGreaterThan(10);
    expect(strength.size).toBeGreaterThanOrEqual(18);
    for (const [mistake, count] of strength) expect(count, mistake).toBeGreaterThan(5);
  });

  it('shares its answer with less than 1 % of the other queries on its database', () => {
    let same = 0;
    let compared = 0;
    for (const panel of ['dev', 'unseen-forms']) {
      const all = Array.from({ length: 138 }, (_, index) => source.question({ panel, index }));
      for (const one of all) {
        const open = new engine.Database(new Uint8Array(one.database.bytes));
        for (const other of all.filter(
          ({ database, gold }) => database.id === one.database.id && gold !== one.gold,
        )) {
          compared += 1;
          const rows = rowsOf(open, other.gold);
          if (
            rows !== undefined &&
            isSameResult(rows, one.goldRows, {
              matching: 'rows',
              isOrdered: one.drawn.draft.order !== undefined,
            })
          )
            same += 1;
        }
        open.close();
      }
    }
    expect(compared).toBeGreaterThan(1_000);
    expect(same / compared).toBeLessThan(0.01);
  });

  it('can be built from what is offered, and the searcher reads its query', () => {
    for (const { question, gold, database, drawn } of questions(138)) {
      const { schema } = database;
      const values = valuesOf({ question });
      let draft: Draft | undefined;
      for (const step of stepsOf(drawn.draft, schema)) {
        expect(offeredActions(schema, values, draft).map(canonicalJson)).toContain(canonicalJson(step));
        draft = applyStep(draft, step, schema);
      }
      expect(draft === undefined ? undefined : renderDraft(draft)).toBe(gold);
      expect(offeredActions(schema, values, draft)).toContainEqual({ kind: 'finish' });
      const read = readQuestion([...trainForms, ...heldOutForms], question, schema);
      expect(read === undefined ? undefined : renderDraft(read)).toBe(gold);
    }
  });

  it('gets the same offers whatever its answer is', () => {
    for (const { question, database, gold } of questions(40)) {
      const offered = offeredActions(database.schema, valuesOf({ question }), undefined);
      expect(offered).toEqual(
        offeredActions(structuredClone(database.schema), valuesOf({ question: `${question}` }), undefined),
      );
      const texts = [...gold.matchAll(/'([^']*)'/g)].map(([, text]) => text);
      expect(
        valuesOf({ question: question.replaceAll(/"[^"]*"/g, 'it') }).texts.filter((text) =>
          texts.includes(text),
        ),
      ).toEqual([]);
    }
  });
});

describe('generated databases', () => {
  it('contain valid keys, missing values, ties, and texts that differ by case only', () => {
    const seen = { missing: 0, ties: 0, cases: 0 };
    const ids = new Set<string>();
    for (const { database } of questions(138)) {
      if (ids.has(database.id)) continue;
      ids.add(database.id);
      const open = new engine.Database(new Uint8Array(database.bytes));
      expect(rowsOf(open, 'PRAGMA foreign_key_check')).toEqual([]);
      expect(rowsOf(open, 'PRAGMA integrity_check')).toEqual([['ok']]);
      for (const { name, columns } of database.schema) {
        for (const column of columns) {
          if (Number(rowsOf(open, `SELECT COUNT(*) FROM ${name} WHERE ${column.name} IS NULL`)?.[0]?.[0]) > 0)
            seen.missing += 1;
          if (
            column.type === 'number' &&
            !column.isKey &&
            Number(
              rowsOf(
                open,
                `SELECT COUNT(${column.name}) - COUNT(DISTINCT ${column.name}) FROM ${name}`,
              )?.[0]?.[0],
            ) > 0
          )
            seen.ties += 1;
          if (
            column.type === 'text' &&
            Number(
              rowsOf(
                open,
                `SELECT COUNT(DISTINCT ${column.name}) - COUNT(DISTINCT lower(${column.name})) FROM ${name}`,
              )?.[0]?.[0],
            ) > 0
          )
            seen.cases += 1;
        }
      }
      open.close();
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(ids.size);
  });
});

describe('generated panels', () => {
  it('share no task and no database with train, and held-out ones have new worlds or forms', () => {
    const contents = new Map<string, Set<string>>();
    for (const { name, size } of source.panels)
      contents.set(
        name,
        new Set(
          Array.from({ length: size }, (_, index) => canonicalJson(source.contentOf({ panel: name, index }))),
        ),
      );
    const train = Array.from({ length: source.panels[0]?.size ?? 0 }, (_, index) =>
      source.question({ panel: 'train', index }),
    );
    const known = {
      databases: new Set(train.map(({ database }) => database.digest)),
      schemas: new Set(train.map(({ database }) => canonicalJson(database.schema))),
      forms: new Set(train.map(({ form }) => form)),
      golds: new Set(train.map(({ gold }) => gold)),
    };
    const overlaps = source.panels.slice(1).map(({ name, size }) => {
      const all = Array.from({ length: size }, (_, index) => source.question({ panel: name, index }));
      const share = (test: (one: GeneratedQuestion) => boolean): number =>
        Math.round((100 * all.filter(test).length) / size);
      return {
        name,
        tasks: share(
          (one) =>
            contents
              .get('train')
              ?.has(
                canonicalJson({ question: one.question, gold: one.gold, database: one.database.digest }),
              ) === true,
        ),
        databases: share(({ database }) => known.databases.has(database.digest)),
        schemas: share(({ database }) => known.schemas.has(canonicalJson(database.schema))),
        forms: share(({ form }) => known.forms.has(form)),
        golds: share(({ gold }) => known.golds.has(gold)),
      };
    });
    console.log('share of what is known from train, %:', JSON.stringify(overlaps));
    expect(overlaps.map(({ golds: _golds, ...rest }) => rest)).toEqual([
      { name: 'dev', tasks: 0, databases: 0, schemas: 100, forms: 100 },
      { name: 'test', tasks: 0, databases: 0, schemas: 100, forms: 100 },
      { name: 'unseen-schemas', tasks: 0, databases: 0, schemas: 0, forms: 100 },
      { name: 'unseen-forms', tasks: 0, databases: 0, schemas: 100, forms: 0 },
    ]);
    const all = [...contents.values()].flatMap((set) => [...set]);
    expect(new Set(all).size).toBe(all.length);
    for (const { name, size } of source.panels) expect(contents.get(name)?.size).toBeGreaterThan(0.99 * size); // a task hardly ever occurs twice
  });

  it('repeat wherever and in whatever order they are made', async () => {
    const other = new GeneratedSource(engine, 1);
    const refs = source.panels.flatMap(({ name }) => [7, 3, 100].map((index) => ({ panel: name, index })));
    expect(refs.toReversed().map((ref) => other.contentOf(ref))).toEqual(
      refs.toReversed().map((ref) => source.contentOf(ref)),
    );
    await other.close();
    const seeded = new GeneratedSource(engine, 2);
    expect(seeded.contentOf({ panel: 'train', index: 0 })).not.toEqual(
      source.contentOf({ panel: 'train', index: 0 }),
    );
    await seeded.close();
  });
});
