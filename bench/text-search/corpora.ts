import { indexedText } from '../../envs/shop/catalogue/indexed-text.ts';
import { measuredCatalogue, wishes } from '../shop/measured-catalogue.ts';
import { productQueries, productTexts } from './product-texts.ts';

/** What is indexed, and what it is searched with. */
export interface Corpus {
  readonly name: string;
  /** So many texts, the same every time. */
  texts(count: number): Iterable<string>;
  /** So many queries for that many texts; others with another seed. */
  queries(count: number, seed: number, documents: number): readonly string[];
}

/** The products of the generated shop, searched with all that instructions wish for. */
export const products: Corpus = {
  name: 'generated products',
  *texts(count) {
    for (const product of measuredCatalogue(count).products()) yield indexedText(product);
  },
  queries: (count, seed, documents) => wishes(documents, { count, from: seed * 7_919 }),
};

/** Words by the law of Zipf and Mandelbrot, with a long tail that the shop's texts have not. */
export const words: Corpus = {
  name: 'words by frequency',
  texts: (count) => productTexts(count, 1),
  queries: productQueries,
};
