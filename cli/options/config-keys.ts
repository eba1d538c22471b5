import { describeCondition, type ConfigKey } from '../../envs/core/config-keys.ts';
import { layOut } from '../terminal/table.ts';

/** A key, with its value if known. */
export interface ShownKey extends ConfigKey {
  readonly value?: unknown;
  /** Its own flag, if it has one. */
  readonly flag?: string;
}

/** Two lines for each key: name, value, default and type; then its meaning. */
export function layOutKeys(keys: readonly ShownKey[]): readonly string[] {
  const valued = keys.some((key) => 'value' in key);
  const rows = layOut(
    keys.map((key) => [
      key.name,
      ...(valued ? [JSON.stringify(key.value) ?? 'not set'] : []),
      defaultWords(key),
      key.type,
    ]),
    { indent: 2 },
  );
  return rows.flatMap((row, index) => {
    const key = keys[index];
    return key === undefined ? [row] : [row, `      ${sayWords(key)}`];
  });
}

function defaultWords(key: ShownKey): string {
  if (key.default !== undefined) return `default ${JSON.stringify(key.default)}`;
  return key.required ? 'must be given' : 'may be left out';
}

function sayWords({ says, flag, when }: ShownKey): string {
  const asides = [
    ...(flag === undefined ? [] : [flag]),
    ...(when.length === 0 ? [] : [`only with ${when.map(describeCondition).join(' and ')}`]),
  ];
  const aside = asides.length === 0 ? '' : ` (${asides.join('; ')})`;
  return `${says === '' ? 'nothing is said of it' : says}${aside}`;
}
