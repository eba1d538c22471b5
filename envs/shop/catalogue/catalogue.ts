import type { Product } from './product.ts';

/** Products and the search over them: read once, shared by every episode. Products are numbered from 0 in catalogue order. */
export interface Catalogue {
  /** Whether it was made by our generator or read from WebShop's own files. */
  readonly source: 'generated' | 'original';
  /** SHA-256 over the content of all products, in order, as `sha256:` and 64 hexadecimal digits. */
  readonly fingerprint: string;
  readonly size: number;
  product(number: number): Product;
  /** The product of that id, or undefined. */
  find(asin: string): number | undefined;
  /** What buying it costs, in dollars: the price, or the point drawn from its range. */
  price(number: number): number;
  /** Numbers of the products found, best first, at most 50. */
  search(query: string): readonly number[];
  close(): Promise<void>;
}
