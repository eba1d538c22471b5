import type { Product } from './product.ts';

/**
 * What the search knows of a product: its title, description, first feature and options, in lower case. The original's indexing
 * script joins them so, and stops at a product without features; here such a product has an empty first one.
 */
export function indexedText({ name, description, bulletPoints, options }: Product): string {
  const optionText = options.map((option) => `${option.name}: ${option.values.join(', ')}`).join(', and ');
  return [name, description, bulletPoints[0] ?? '', optionText].join(' ').toLowerCase();
}
