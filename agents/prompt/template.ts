const placeholder = /\{\{(\w+)\}\}|\{(\w+)\}/g;

/** Fills `{name}` in one pass, so that nothing that is put in is read as a placeholder; `{{name}}` stands for `{name}` itself. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(placeholder, (_match, literal: string | undefined, name: string | undefined) =>
    literal === undefined ? (values[name ?? ''] ?? '') : `{${literal}}`,
  );
}

/** What is wrong with the placeholders of a template; undefined where nothing is. */
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
    return `{${unknown}} stands for nothing here, ${words(known)} would; write {{${unknown}}} for the words themselves`;
  const missing = required.filter((name) => !found.has(name));
  return missing.length === 0 ? undefined : `${words(missing)} must be in it`;
}
