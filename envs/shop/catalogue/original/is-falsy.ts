/** Whether Python regards a value as false: missing, null, false, 0, and the empty string, list or object. */
export function isFalsy(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
