const placeholder = /\{\{(\w+)\}\}|\{(\w+)\}/g;

/**
 * Replaces `{name}` in one pass, so that inserted text is not read as a placeholder. `{{name}}` stands for
 * the text `{name}`.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(placeholder, (_match, literal: string | undefined, name: string | undefined) =>
    literal === undefined ? (values[name ?? ''] ?? '') : `{${literal}}`,
  );
}

/** The error in a template's placeholders; undefined if there is none. */
export function checkTemplate(
  template: string,
  required: readonly string[],
  optional: readonly string[],
): string | undefined {
  const found = new Set([...template.matchAll(placeholder)].flatMap(([, , name]) => name ?? []));
  const known = [...required, ...optional];
  const unknown = [...found].find((name) => !known.includes(name));
  const words = (names: readonly string[]): string => names.map((name) => `{${name}}`).join(' and ');
  if (unknown !== undefined)
    return `{${unknown}} is not defined here; ${words(known)} can be used. Write {{${unknown}}} for the text itself`;
  const missing = required.filter((name) => !found.has(name));
  return missing.length === 0 ? undefined : `it must contain ${words(missing)}`;
}
