import type { PromptName } from '../../agents/prompt/load-prompt.ts';
import { plainColumns, type TableColumn } from '../results/table-columns.ts';

/** How an env is benchmarked: what is played, and the table that papers print of it. */
export interface BenchPreset {
  /** The panel that is played unless another is named, then others that papers report; empty: any that is held out. */
  readonly panels: readonly string[];
  readonly columns: readonly TableColumn[];
  /** What text agents are told unless another prompt is named. */
  readonly prompt: PresetPrompt;
  /** Envs whose policies play here as they are: same tasks, same actions, and same observations in a mode that both have. */
  readonly takesRunsOf?: readonly string[];
}

/** A prompt, or one for each of what the identity of an opened env, or else its config, says under the key `by`. */
export type PresetPrompt =
  | PromptName
  | { readonly by: string; readonly prompts: Readonly<Record<string, PromptName>> };

const cost: readonly TableColumn[] = [{ kind: 'turns' }, { kind: 'time' }, { kind: 'tokens' }];

/** The columns of papers on ALFWorld, in their order. */
const householdColumns: readonly TableColumn[] = [
  { kind: 'family', family: 'pick', title: 'Pick' },
  { kind: 'family', family: 'look', title: 'Look' },
  { kind: 'family', family: 'clean', title: 'Clean' },
  { kind: 'family', family: 'heat', title: 'Heat' },
  { kind: 'family', family: 'cool', title: 'Cool' },
  { kind: 'family', family: 'pick2', title: 'Pick2' },
  { kind: 'success', title: 'All' },
  ...cost,
];

/** The columns of papers on WebShop: mean reward times 100, and the share of episodes with the whole reward. */
const shopColumns: readonly TableColumn[] = [
  { kind: 'score', title: 'Score' },
  { kind: 'success', title: 'Success' },
  ...cost,
];

/** The same by what is shopped for, the families of generated goals. */
const shopFamilyColumns: readonly TableColumn[] = [
  ...['beauty', 'electronics', 'fashion', 'garden', 'grocery'].map((family): TableColumn => ({
    kind: 'family',
    family,
    title: family,
  })),
  ...shopColumns,
];

const householdPrompts = { current: 'household-react', classic: 'household-react-classic' } as const;

const shopPrompts = {
  text: 'shop-react',
  text_rich: 'shop-react-text-rich',
  html: 'shop-react-html',
  url: 'shop-react-url',
} as const;

const presets: Readonly<Record<string, BenchPreset>> = {
  'household-v1': {
    panels: ['unseen', 'seen', 'unseen-1000'],
    columns: householdColumns,
    prompt: { by: 'dialect', prompts: householdPrompts },
  },
  'household-hard-v1': {
    panels: ['unseen'],
    columns: householdColumns,
    prompt: { by: 'dialect', prompts: householdPrompts },
  },
  'household-small-v1': {
    panels: ['unseen'],
    columns: householdColumns.filter((column) => column.kind !== 'family' || column.family !== 'pick2'),
    prompt: { by: 'dialect', prompts: householdPrompts },
  },
  'alfworld-v1': {
    panels: ['valid_unseen', 'valid_seen'],
    columns: householdColumns,
    prompt: { by: 'dialect', prompts: { ...householdPrompts, other: 'plain' } },
  },
  'shop-v1': {
    panels: ['test'],
    columns: shopColumns,
    prompt: { by: 'observationMode', prompts: shopPrompts },
  },
  'shop-browser-v1': {
    panels: ['test'],
    columns: shopFamilyColumns,
    prompt: { by: 'observationMode', prompts: { text: 'shop-react', page: 'plain' } },
    takesRunsOf: ['shop-v1'],
  },
};

const plainPreset: BenchPreset = {
  panels: [],
  columns: [...plainColumns.filter(({ kind }) => kind !== 'turns' && kind !== 'tokens'), ...cost],
  prompt: 'plain',
};

/** The preset of the env of that id; one that goes with any env where there is none. */
export function benchPresetFor(env: string): BenchPreset {
  return presets[env] ?? plainPreset;
}
