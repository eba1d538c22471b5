/** JSON that a person wrote. Throws also where it has a key `__proto__`: no config has one, and schemas of maps drop it unsaid. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    if (key === '__proto__') throw new PrototypeKeyError();
    return value;
  });
}

export class PrototypeKeyError extends Error {
  override readonly message = 'it has the unknown key "__proto__"';
}
