import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRng } from '../../../../envs/core/rng.ts';
import { applyChanges } from '../../../../envs/engines/planning/action.ts';
import { FactSet } from '../../../../envs/engines/planning/facts.ts';
import { findPlan } from '../../../../envs/engines/planning/find-plan.ts';
import { parseDomain } from '../../../../envs/engines/planning/parse-domain.ts';
import { parseProblem } from '../../../../envs/engines/planning/parse-problem.ts';
import { objectsOf } from '../../../../envs/engines/planning/predicate-table.ts';
import { findRelaxedPlan } from '../../../../envs/engines/planning/relaxed-plan.ts';
import type { Domain, Problem } from '../../../../envs/engines/planning/syntax.ts';
import { PlanningTask } from '../../../../envs/engines/planning/task.ts';
import { PlainWorld } from './plain-world.ts';

interface Pair {
  readonly domain: Domain;
  readonly problem: Problem;
  readonly task: PlanningTask;
}

const golden = (file: string): string =>
  readFileSync(new URL(`../../../golden/alfworld/${file}`, import.meta.url), 'utf8');

function read(domainText: string, problemText: string): Pair {
  const domain = parseDomain({ name: 'domain', text: domainText });
  const problem = parseProblem({ name: 'problem', text: problemText }, domain);
  return { domain, problem, task: new PlanningTask(domain, problem, domain.predicates.keys()) };
}

/** Uses every feature of the supported PDDL in ways that a shortcut would get wrong. */
const oddDomain = `(define (domain odd)
  (:requirements :adl)
  (:types a b - thing c - b thing)
  (:constants k - c)
  (:predicates (p ?x - thing) (q ?x - thing ?y - thing) (still ?x - thing ?y - thing) (on) (deep ?x - c))
  (:action both :parameters (?x - (either a c) ?y - b) :precondition (and (still ?x ?y) (not (= ?x ?y)))
    :effect (and (p ?x) (not (p ?y)) (when (on) (q ?x ?y)) (when (not (on)) (and (on) (not (q ?y ?x))))))
  (:action sweep :parameters (?x - thing) :precondition (or (p ?x) (exists (?y - thing) (and (q ?x ?y) (not (p ?y)))))
    :effect (and (forall (?y - b) (when (imply (p ?y) (still ?x ?y)) (q ?y ?x))) (not (on)) (not (p ?x))))
  (:action swap :parameters (?x ?y - thing) :precondition (and (q ?x ?y) (forall (?z - c) (or (p ?z) (not (q ?z ?z)))))
    :effect (and (not (q ?x ?y)) (q ?y ?x)))
  (:action ask :parameters (?x - b) :precondition (not (exists (?y - a ?z - c) (and (q ?y ?z) (q ?z ?x) (not (still ?y ?x)))))
    :effect (and (deep k) (not (deep k)) (when (q k ?x) (p k))))
  (:action never :parameters (?x - c) :precondition (and (on) (not (on))) :effect (p ?x))
  (:action elsewhere :parameters (?x - thing) :precondition (q ?x nowhere) :effect (p ?x)))`;

const oddProblem = `(define (problem odd-1) (:domain odd)
  (:objects a1 a2 - a b1 - b c1 - c t1 - thing)
  (:init (p a1) (q a1 b1) (q c1 k) (still a1 b1) (still a2 c1) (still c1 k) (still k k) (still t1 b1) (deep k))
  (:goal (and (p k) (forall (?x - a) (or (p ?x) (exists (?y - c) (q ?y ?x)))))))`;

const pairs: Readonly<Record<string, () => Pair>> = {
  odd: () => read(oddDomain, oddProblem),
  harbour: () => read(golden('harbour-domain.pddl'), golden('harbour-problem.pddl')),
  attic: () => read(golden('attic-domain.pddl'), golden('attic-problem.pddl')),
};

/** The most choices of values that the plain world tries for an action. The goldens of TextWorld cover larger actions. */
const mostChoices = 100_000;

/** The facts of changing predicates, as texts. */
function changing({ task }: Pair, world: FactSet): ReadonlySet<string> {
  const texts = [...task.fluents()].flatMap((table) =>
    Array.from({ length: table.size }, (_, rank) => table.base + rank)
      .filter((fact) => world.holds(fact))
      .map((fact) => [table.name, ...objectsOf(table, fact).map((object) => task.objects[object])].join(' ')),
  );
  return new Set(texts);
}

describe.each(Object.entries(pairs))('the problem %s', (name, make) => {
  it('agrees with a plain interpreter over many random actions', () => {
    const pair = make();
    const { domain, problem, task } = pair;
    const rng = createRng(1).fork(name);
    const plain = new PlainWorld(domain, problem);
    const world = new FactSet(task.initial.words);
    const fluents = new Set([...task.fluents()].map((table) => table.name));
    const done = new Set<string>();
    for (let step = 0; step < (name === 'attic' ? 25 : 150); step += 1) {
      const deeds: { readonly index: number; readonly values: Int32Array }[] = [];
      for (const [index, action] of task.actions.entries()) {
        const { schema } = action;
        const found = new Set<string>();
        action.forEachApplicable(world, () => {
          const values = action.values();
          deeds.push({ index, values });
          found.add([...values].map((value) => task.objects[value]).join(' '));
        });
        if (
          schema.parameters.reduce((product, variable) => product * plain.choices([variable], []).length, 1) >
          mostChoices
        )
          continue;
        for (const frame of plain.applicable(schema)) {
          const after = plain.after(schema, frame);
          const changes =
            after.size !== plain.facts.size || [...after].some((fact) => !plain.facts.has(fact));
          const key = schema.parameters.map(({ slot }) => frame[slot]).join(' ');
          if (changes) expect(found, `${schema.name} ${key}`).toContain(key);
          found.delete(key);
        }
        expect([...found], `${schema.name}: not applicable`).toEqual([]);
      }
      expect(task.isSolved(world)).toBe(plain.holds(problem.goal, []));
      if (deeds.length === 0) break;
      const { index, values } = rng.pick(deeds);
      const action = task.actions[index];
      if (action === undefined) throw new Error('no action');
      const frame = Object.assign(
        [],
        Object.fromEntries(
          action.schema.parameters.map(({ slot }, at) => [slot, task.objects[values[at] as number]]),
        ),
      ) as string[];
      plain.become(plain.after(action.schema, frame));
      applyChanges(action.changes(values, world), world);
      done.add(action.schema.name);
      expect(changing(pair, world)).toEqual(
        new Set([...plain.facts].filter((fact) => fluents.has(fact.split(' ')[0] ?? ''))),
      );
    }
    expect(done.size).toBeGreaterThan(2);
  });

  it('gives a plan that the plain interpreter follows to the goal', () => {
    const { domain, problem, task } = make();
    const plain = new PlainWorld(domain, problem);
    const plan = findPlan(task) ?? [];
    for (const { action, values } of plan) {
      const schema = task.actions[action]?.schema;
      if (schema === undefined) throw new Error('no action');
      const frame = Object.assign(
        [],
        Object.fromEntries(
          schema.parameters.map(({ slot }, at) => [slot, task.objects[values[at] as number]]),
        ),
      ) as string[];
      expect(plain.holds(schema.precondition, frame)).toBe(true);
      plain.become(plain.after(schema, frame));
    }
    expect(plan.length).toBeGreaterThan(0);
    expect(plain.holds(problem.goal, [])).toBe(true);
  });
});

describe('findPlan and findRelaxedPlan', () => {
  const noWay = (goal: string): PlanningTask =>
    read(oddDomain, `${oddProblem.slice(0, oddProblem.indexOf('(:goal'))}(:goal ${goal}))`).task;

  it('return an empty plan when the goal holds', () => {
    const task = noWay('(and)');
    expect(findPlan(task)).toEqual([]);
    expect(findRelaxedPlan(task, task.initial)).toMatchObject({ length: 0 });
  });

  it('return no plan when there is none, relaxed or not', () => {
    expect(findRelaxedPlan(noWay('(still a1 a2)'), noWay('(still a1 a2)').initial)).toBeUndefined();
    expect(findPlan(noWay('(still a1 a2)'))).toBeUndefined();
    expect(findPlan(noWay('(and (on) (not (on)))'), { most: 50 })).toBeUndefined();
  });
});
