import { Environment, type RuntimeValue } from '@huggingface/jinja';
import { quote } from './python-text.ts';

/** A value of a template's world that stands for a plain one. */
export const valueOf = (plain: unknown): RuntimeValue => new Environment().set('value', plain);

export const isText = (value: RuntimeValue): value is RuntimeValue & { readonly value: string } =>
  typeof value.value === 'string';
export const isItems = (value: RuntimeValue): value is RuntimeValue & { readonly value: RuntimeValue[] } =>
  Array.isArray(value.value);
export const isUndefined = (value: RuntimeValue): boolean => value.type === 'UndefinedValue';
const isNumber = (value: RuntimeValue): value is RuntimeValue & { readonly value: number | boolean } =>
  typeof value.value === 'number' || typeof value.value === 'boolean';
const isMapping = (
  value: RuntimeValue,
): value is RuntimeValue & { readonly value: Map<string, RuntimeValue> } => value.value instanceof Map;

/** What Python's `str` makes of a value. */
export const printed = (value: RuntimeValue): string => (isText(value) ? value.value : represented(value));

/** What Python's `repr` makes of a value; a value that is undefined prints as nothing. */
function represented(value: RuntimeValue): string {
  if (isText(value)) return quote(value.value);
  if (isUndefined(value)) return '';
  if (value.type === 'NullValue') return 'None';
  if (value.type === 'FloatValue') return floatText(Number(value.value));
  if (isNumber(value))
    return value.value === true ? 'True' : value.value === false ? 'False' : String(value.value);
  if (isItems(value)) {
    const items = value.value.map(represented).join(', ');
    if (value.type !== 'TupleValue') return `[${items}]`;
    return value.value.length === 1 ? `(${items},)` : `(${items})`;
  }
  if (isMapping(value))
    return `{${[...value.value].map(([key, each]) => `${quote(key)}: ${represented(each)}`).join(', ')}}`;
  throw new Error(`a ${value.type} cannot be printed`);
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16))
    return value.toExponential().replace(/e([+-])(\d)$/u, 'e$10$2');
  return Number.isInteger(value) ? (Object.is(value, -0) ? '-0.0' : value.toFixed(1)) : String(value);
}

/** Python's `==`: numbers by their value, lists and mappings by their content, and nothing across kinds. */
export function areEqual(one: RuntimeValue, other: RuntimeValue): boolean {
  if (isNumber(one) && isNumber(other)) return Number(one.value) === Number(other.value);
  if (isText(one) && isText(other)) return one.value === other.value;
  if (isItems(one) && isItems(other)) {
    const { value: others } = other;
    return (
      one.type === other.type &&
      one.value.length === others.length &&
      one.value.every((item, place) => {
        const against = others[place];
        return against !== undefined && areEqual(item, against);
      })
    );
  }
  if (isMapping(one) && isMapping(other) && one.type === 'ObjectValue' && other.type === 'ObjectValue') {
    return (
      one.value.size === other.value.size &&
      [...one.value].every(([key, item]) => {
        const against = other.value.get(key);
        return against !== undefined && areEqual(item, against);
      })
    );
  }
  if (one.type !== other.type) return false;
  return one === other || one.type === 'NullValue' || isUndefined(one);
}
