/** `1234567` as `1,234,567`. */
export const grouped = (whole: number): string => String(whole).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** The noun as it stands behind a number: `task` behind 1, else `tasks`. */
export const plural = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);
