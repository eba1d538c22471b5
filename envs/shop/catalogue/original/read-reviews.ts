import { z } from 'zod';
import type { Review } from '../product.ts';
import { fileError, type FilePlace } from './file-error.ts';
import { productFileLimits } from './limits.ts';
import { parseItem } from './parse-piece.ts';
import { PiecesByAsin } from './pieces-by-asin.ts';
import { piecesOf } from './pieces.ts';

/** The reviews of a product. */
export interface Reviews {
  readonly reviews: readonly Review[];
  readonly rating: string;
}

/** The published version shows this for every product. */
export const noReviews: Reviews = { reviews: [], rating: 'N.A.' };

const figure = z.string().or(z.number().transform(String));
const reviewSchema = z
  .object({
    title: z.string().default(''),
    review: z.string().default(''),
    score: figure.optional(),
    stars: figure.optional(),
  })
  .refine(({ score, stars }) => (score ?? stars) !== undefined)
  .transform(({ title, review, score, stars }): Review => ({
    title,
    body: review,
    score: score ?? stars ?? '',
  }));
const reviewsSchema = z.object({
  asin: z.string(),
  average_rating: figure,
  reviews: z.array(reviewSchema),
});

/**
 * `reviews.json`, a list with one item per product, held in memory unparsed and parsed product by product.
 */
export class ReviewsFile {
  readonly #file: string;
  readonly #pieces: PiecesByAsin;

  private constructor(file: string, pieces: PiecesByAsin) {
    this.#file = file;
    this.#pieces = pieces;
  }

  /** @throws UsageError when the file cannot be read or an item is malformed */
  static async read(file: string, signal: AbortSignal): Promise<ReviewsFile> {
    const pieces = new PiecesByAsin();
    for await (const { number, start, bytes } of piecesOf(file, {
      shape: 'list',
      limits: productFileLimits,
      signal,
    })) {
      pieces.add(readItem(bytes, { file, item: number, byte: start }).asin, { bytes, item: number, start });
    }
    return new ReviewsFile(file, pieces);
  }

  find(asin: string): Reviews {
    const piece = this.#pieces.find(asin);
    if (piece === undefined) return noReviews;
    const item = readItem(piece.bytes, { file: this.#file, item: piece.item, byte: piece.start, name: asin });
    return { reviews: item.reviews, rating: item.average_rating };
  }
}

function readItem(bytes: Buffer, place: FilePlace): z.output<typeof reviewsSchema> {
  const parsed = reviewsSchema.safeParse(parseItem(bytes, place));
  if (parsed.success) return parsed.data;
  throw fileError(
    place,
    `its ${parsed.error.issues[0]?.path.join('.') ?? 'content'} is not what the original reads there.`,
  );
}
