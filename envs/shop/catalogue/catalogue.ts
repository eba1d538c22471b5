import type { Product } from './product.ts';

/**
 * Products and a search over them. It is read once and shared by all episodes. Products are numbered from 0
 * in catalogue order.
 */
export interface Catalogue {
  /** Whether it comes from our generator or from WebShop's own files. */
  readonly source: 'generated' | 'original';
  /** SHA-256 over the content of all products, in order, as `sha256:` and 64 hexadecimal digits. */
  readonly fingerprint: string;
  readonly size: number;
  product(number: number): Product;
  /** The number of the product with that id, or undefined. */
  find(asin: string): number | undefined;
  /** The cost of a product in dollars: its price, or the point drawn from its range. */
  price(number: number): number;
  /** Numbers of the found products, best first, at most 50. */
  search(query: string): readonly number[];
  close(): Promise<void>;
}
