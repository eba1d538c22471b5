import { describe, expect, it } from 'vitest';
import { defaultPanel } from '../../../lab/evaluate/default-panel.ts';
import type { PanelInfo } from '../../../envs/core/task.ts';

const panels: Readonly<Record<string, PanelInfo>> = {
  train: { name: 'train', size: 9, purpose: 'train', summary: 'to learn from' },
  dev: { name: 'dev', size: 3, purpose: 'dev', summary: 'for every choice' },
  seen: { name: 'valid_seen', size: 2, purpose: 'held-out', summary: 'known rooms' },
  unseen: { name: 'valid_unseen', size: 1, purpose: 'held-out', summary: 'other rooms' },
};

function choose(
  names: readonly string[],
  wishes: Partial<Parameters<typeof defaultPanel>[1]>,
): { readonly name: string; readonly said: readonly string[] } {
  const said: string[] = [];
  const there = names.flatMap((name) => panels[name] ?? []);
  return {
    name: defaultPanel(there, {
      usual: 'dev',
      names: ['valid_unseen'],
      purposes: ['dev', 'held-out'],
      say: (line) => void said.push(line),
      ...wishes,
    }),
    said,
  };
}

describe('default panel', () => {
  it('uses the usual panel, without a message', () => {
    expect(choose(['train', 'dev', 'seen', 'unseen'], {})).toEqual({ name: 'dev', said: [] });
  });

  it.each([
    [
      ['train', 'seen', 'unseen'],
      'valid_unseen',
      'there is no panel dev: valid_unseen is played, of 1 task; --panel names another',
    ],
    [
      ['train', 'seen'],
      'valid_seen',
      'there is no panel dev: valid_seen is played, of 2 tasks; --panel names another',
    ],
    [['train'], 'train', 'there is no panel dev: train is played, of 9 tasks; --panel names another'],
  ])('falls back to the next best of %j, with a message', (names, name, line) => {
    expect(choose(names, {})).toEqual({ name, said: [line] });
  });

  it('uses any equally good panel when none is usual', () => {
    expect(
      choose(['train', 'dev', 'seen'], {
        usual: undefined,
        names: ['unseen'],
        purposes: ['held-out', 'dev'],
      }),
    ).toEqual({ name: 'valid_seen', said: [] });
  });
});
