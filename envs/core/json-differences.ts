import { canonicalJson, type Json } from './json.ts';

/** A difference of two documents. A side is absent where its document has no value there. */
export interface Difference {
  /** The path, such as `catalogue.products`. */
  readonly key: string;
  readonly one?: Json;
  readonly other?: Json;
}

/** Lists the differences of two documents by path. Lists are compared as a whole. */
export function differencesOf(one: Json, other: Json): readonly Difference[] {
  const [ofOne, ofOther] = [leavesOf(one), leavesOf(other)];
  const keys = [...new Set([...ofOne.keys(), ...ofOther.keys()])];
  return keys.flatMap((key) => {
    const [here, there] = [ofOne.get(key), ofOther.get(key)];
    if (here !== undefined && there !== undefined && canonicalJson(here) === canonicalJson(there)) return [];
    return [
      { key, ...(here === undefined ? {} : { one: here }), ...(there === undefined ? {} : { other: there }) },
    ];
  });
}

function leavesOf(value: Json, path = ''): ReadonlyMap<string, Json> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [
      ...leavesOf(part, path === '' ? name : `${path}.${name}`),
    ]),
  );
}
