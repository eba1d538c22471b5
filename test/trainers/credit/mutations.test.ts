import { stop } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { checks } from './checks.ts';
import { loadCredit, type Mutation } from './mutants.ts';

/** The seeded faults: each formula, bent a little. A check that stays green under its mutation proves nothing. */
const mutations: readonly Mutation[] = [
  {
    name: 'epsilon dropped',
    file: 'parts/peers.ts',
    find: ' + rule.epsilon',
    replace: '',
    red: 'episode term over rows, unbiased deviation, epsilon added to it',
  },
  {
    name: 'unbiased deviation becomes population',
    file: 'parts/peers.ts',
    find: "rule.std === 'unbiased' ? 1 : 0",
    replace: '0',
    red: 'episode term over trajectories, unbiased deviation',
  },
  {
    name: 'population deviation becomes unbiased',
    file: 'parts/peers.ts',
    find: "rule.std === 'unbiased' ? 1 : 0",
    replace: '1',
    red: 'episode term over rows, population deviation',
  },
  {
    name: 'variance in place of deviation',
    file: 'parts/peers.ts',
    find: 'Math.sqrt((scale[group] as number) / degrees)',
    replace: '(scale[group] as number) / degrees',
    red: 'step term over the unbiased deviation of the anchor',
  },
  {
    name: 'deviation although only the mean was asked for',
    file: 'parts/peers.ts',
    find: "rule.normalise === 'mean' ? new",
    replace: "rule.normalise !== 'mean' ? new",
    red: 'episode term over trajectories, distance from the mean alone',
  },
  {
    name: 'self included although left out',
    file: 'parts/peers.ts',
    find: "rule.self === 'left-out'",
    replace: 'false',
    red: 'leave-one-out baseline of the episode leaves the whole trajectory out',
  },
  {
    name: 'only one row of oneself left out',
    file: 'parts/peers.ts',
    find: 'Math.round(ownUnits[block] as number)',
    replace: '1',
    red: 'leave-one-out baseline of a step leaves all visits of its trajectory out',
  },
  {
    name: 'a baseline of 0 where nobody else is there',
    file: 'parts/peers.ts',
    find: 'others === 0 ? (values[row] as number)',
    replace: 'others === 0 ? 0',
    red: 'leave-one-out baseline of a step leaves all visits of its trajectory out',
  },
  {
    name: 'values that differ only by rounding are compared',
    file: 'parts/peers.ts',
    find: 'high - low <= rounding',
    replace: 'high === low',
    red: 'returns that differ only by rounding give exactly 0',
  },
  {
    name: 'weights ignored in the squares',
    file: 'parts/peers.ts',
    find: 'weight * distance * distance',
    replace: 'distance * distance',
    red: 'trajectory weights share one unit among the rows, so that a penalty cannot blow up',
  },
  {
    name: 'gamma off by one: the own reward is discounted too',
    file: 'parts/returns.ts',
    find: '(propagated ? paid + charge : paid) + gamma * following',
    replace: 'gamma * ((propagated ? paid + charge : paid) + following)',
    red: 'step returns discount what comes later',
  },
  {
    name: 'returns undiscounted',
    file: 'parts/returns.ts',
    find: '+ gamma * following',
    replace: '+ following',
    red: 'the dead end: GRPO praises the step into it, GiGPO blames it',
  },
  {
    name: 'own-step penalty propagates',
    file: 'parts/returns.ts',
    find: '(propagated ? paid + charge : paid) +',
    replace: '(paid + charge) +',
    red: 'a penalty is the step own: it is charged after discounting and to no other row',
  },
  {
    name: 'own-step penalty forgotten in the return',
    file: 'parts/returns.ts',
    find: 'propagated ? following : following + charge',
    replace: 'following',
    red: 'a penalty is the step own: it is charged after discounting and to no other row',
  },
  {
    name: 'own-step penalty forgotten in the row score',
    file: 'parts/returns.ts',
    find: 'score + (penalty[row] as number)',
    replace: 'score',
    red: 'a penalty is the step own: it is charged after discounting and to no other row',
  },
  {
    name: 'propagated penalty forgotten in the score',
    file: 'parts/returns.ts',
    find: 'if (propagated) score += penalty[row] as number;',
    replace: '',
    red: 'a propagated penalty is a reward like any other',
  },
  {
    name: 'penalty counted as what the env paid',
    file: 'parts/batch-rows.ts',
    find: 'reward?.total ?? Number.NaN',
    replace: '(reward?.total ?? Number.NaN) - penalty',
    red: 'a penalty is the step own: it is charged after discounting and to no other row',
  },
  {
    name: 'weightings swapped',
    file: 'parts/credit-terms.ts',
    find: "rule.episodeWeighting === 'rows' ? 1",
    replace: "rule.episodeWeighting !== 'rows' ? 1",
    red: 'episode term over trajectories, unbiased deviation',
  },
  {
    name: 'a lone score is compared with its own rows',
    file: 'parts/credit-terms.ts',
    find: 'if (scored > 1)',
    replace: 'if (scored > 0)',
    red: 'a score that stands alone is compared with nothing, not with its own rows',
  },
  {
    name: 'later visits count although only the first should',
    file: 'parts/credit-terms.ts',
    find: "rule.visits === 'every' || anchors.revisit[row] === 0",
    replace: 'true',
    red: 'every visit of an anchor counts, unless only the first does',
  },
  {
    name: 'first visits forgotten in place of later ones',
    file: 'parts/credit-terms.ts',
    find: 'anchors.revisit[row] === 0',
    replace: 'anchors.revisit[row] === 1',
    red: 'every visit of an anchor counts, unless only the first does',
  },
  {
    name: 'single survivors compare their own visits',
    file: 'parts/credit-terms.ts',
    find: "if (verdict !== 'credited')",
    replace: "if (verdict === 'all-faulted')",
    red: 'all-faulted groups and single survivors are dropped and counted',
  },
  {
    name: 'a step alone at its anchor keeps its return',
    file: 'parts/peers.ts',
    find: 'group < 0 || table.weights[row] === 0 || moments.equal[group] === 1) continue;',
    replace:
      'group < 0 || table.weights[row] === 0) continue; if (moments.units[group] === 1) { advantages[row] = table.values[row] as number; continue; }',
    red: 'a step alone at its anchor gets exactly 0',
  },
  {
    name: 'never scored taken for zero',
    file: 'parts/batch-rows.ts',
    find: 'reward?.total ?? Number.NaN',
    replace: 'reward?.total ?? 0',
    red: 'never scored is not zero: what depends on it is left out',
  },
  {
    name: 'faulted members take part',
    file: 'parts/batch-rows.ts',
    find: "trajectory.stop.kind === 'faulted'",
    replace: 'trajectory.steps.length < 0',
    red: 'a faulted member is inert and has no credit',
  },
  {
    name: 'anchors reach over task groups',
    file: 'parts/anchors.ts',
    find: 'const base = found;',
    replace: 'const base = 0;',
    red: 'anchors do not reach over task groups',
  },
  {
    name: 'every visit taken for a first',
    file: 'parts/anchors.ts',
    find: 'lastTrajectory[anchor] = trajectory;',
    replace: '',
    red: 'statistics of repeats: singletons, revisits, sizes',
  },
  {
    name: 'omega ignored',
    file: 'parts/trajectory-columns.ts',
    find: 'omega * (step[row] as number)',
    replace: '(step[row] as number)',
    red: 'step term compares returns at equal anchors, and omega weighs it',
  },
  {
    name: 'omega ignored in the share of steps',
    file: 'parts/credit-statistics.ts',
    find: 'Math.abs(stepWeight * (step[row] as number))',
    replace: 'Math.abs(step[row] as number)',
    red: 'the share of credit that comes from steps',
  },
  {
    name: 'information and state keys swapped',
    file: 'parts/anchor-key.ts',
    find: 'information: ({ steps }, index) => steps[index]?.anchorKey',
    replace: 'information: ({ steps }, index) => steps[index]?.stateKey',
    red: 'each kind of anchor reads its own key',
  },
  {
    name: 'keys told apart by their beginnings alone',
    file: 'parts/key-numbering.ts',
    find: 'return (key) => {',
    replace: 'return (whole) => {\n    const key = whole.slice(0, 40);',
    red: 'keys that differ in one place only are told apart, however many they are',
  },
  {
    name: 'frequent characters start blocks in long texts',
    file: 'parts/sequence-matcher.ts',
    find: 'characters.length >= autojunkLength',
    replace: 'false',
    red: 'likeness ratios, with the rule against frequent characters in long texts',
  },
  {
    name: 'blocks do not grow backwards',
    file: 'parts/sequence-matcher.ts',
    find: 'atA > aStart && atB > bStart &&',
    replace: 'false &&',
    red: 'likeness ratios, with the rule against frequent characters in long texts',
  },
  {
    name: 'similar only above the threshold',
    file: 'parts/sequence-matcher.ts',
    find: 'similarityRatio(a, b) >= threshold',
    replace: 'similarityRatio(a, b) > threshold',
    red: 'similar texts share an anchor from the threshold on',
  },
];

afterAll(() => stop());

describe('seeded mutations', () => {
  test('an unmutated build passes every check', async () => {
    const credit = await loadCredit();
    for (const check of checks) expect(() => check.run(credit), check.name).not.toThrow();
  });

  for (const mutation of mutations) {
    test(`the checks detect: ${mutation.name}`, async () => {
      const check = checks.find(({ name }) => name === mutation.red);
      if (check === undefined) throw new Error(`there is no check named "${mutation.red}"`);
      const credit = await loadCredit(mutation);
      expect(() => check.run(credit)).toThrow();
    });
  }
});
