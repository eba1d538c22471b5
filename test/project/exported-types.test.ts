import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Declarations } from '../support/declarations.ts';
import { root } from '../support/run-program.ts';

const entries = [
  'envs/index.d.ts',
  'agents/index.d.ts',
  'trainers/index.d.ts',
  'lab/index.d.ts',
  'sandbox/index.d.ts',
];

describe('types of the package', () => {
  it('can be imported from an entry when a declaration of an entry names them', () => {
    const declarations = new Declarations(path.join(root, 'dist'));
    const exported = entries.flatMap((entry) => declarations.exportsOf(entry));
    const known = new Set(exported.map(({ file, name }) => `${name} of ${file}`));
    const missing = exported.flatMap((each) =>
      declarations
        .typesIn(each)
        .flatMap(({ file, name }) =>
          known.has(`${name} of ${file}`) ? [] : [`${name} of ${file}, in ${each.name}`],
        ),
    );
    expect([...new Set(missing)].toSorted()).toEqual([]);
  });
});
