import { canonicalJson, type Json } from '../../core/json.ts';

/** Canonical JSON of parts that are mostly the same few objects. */
export function stableText(part: Json | object): string {
  let text = texts.get(part as object);
  if (text === undefined) {
    text = canonicalJson(part);
    if (typeof part === 'object' && part !== null) texts.set(part, text);
  }
  return text;
}
const texts = new WeakMap<object, string>();
