/** A number that Python writes as a float: `3` is `3.0`. */
export class PythonFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** JSON values, with Python's floats marked. */
export type PythonJson =
  | null
  | boolean
  | string
  | number
  | PythonFloat
  | readonly PythonJson[]
  | { readonly [key: string]: PythonJson };

/**
 * Writes JSON as FastAPI does: `json.dumps(value, ensure_ascii=False, separators=(',', ':'))`. Lone surrogates, which
 * FastAPI cannot encode, are escaped.
 */
export function writePythonJson(value: PythonJson): string {
  if (value instanceof PythonFloat) return writeFloat(value.value);
  if (typeof value === 'string') return writeText(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writePythonJson).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, part]) => `${writeText(key)}:${writePythonJson(part)}`)
    .join(',')}}`;
}

const isList = (value: object): value is readonly PythonJson[] => Array.isArray(value);

/** `JSON.stringify` escapes as Python does, apart from DEL, which both leave as it is. */
const writeText = (text: string): string => JSON.stringify(text);

/** The shortest digits that give the same float, as both languages find them, in Python's form. */
function writeFloat(value: number): string {
  const text = String(value);
  const [digits = '', exponent] = text.split('e');
  if (exponent === undefined) return digits.includes('.') ? digits : `${digits}.0`;
  const power = Number(exponent);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
