import type { Product } from './product.ts';

/**
 * The text of a product that the search indexes: title, description, first feature and options, in lower
 * case. The original's indexing script joins them in the same way but stops at a product without features.
 * Here such a product has an empty first feature.
 */
export function indexedText({ name, description, bulletPoints, options }: Product): string {
  const optionText = options.map((option) => `${option.name}: ${option.values.join(', ')}`).join(', and ');
  return [name, description, bulletPoints[0] ?? '', optionText].join(' ').toLowerCase();
}
