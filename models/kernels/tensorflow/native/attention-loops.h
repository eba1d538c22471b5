// Attention and its gradient, tile by tile of queries: the scores of a tile stay in the processor's cache, and
// all five products are of small matrices.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "loops.h"
#include "vectors.h"

namespace cairn {
namespace {

#ifdef __AVX512F__
constexpr int widestBlock = 4;  // 16 sums of 16 numbers: half of the 32 registers
#else
constexpr int widestBlock = 1;
#endif
constexpr int blockRows = 4;
constexpr int64_t tileQueries = 32;
/** Up to so many queries, keys are multiplied row by row: turning them would take as long as the product. */
constexpr int64_t fewQueries = 4;

/**
 * c (rows, columns) = or += a (rows, depth) times b (depth, columns). Number k of row i of a is at i aRow + k aStep.
 */
struct Product {
  const float* a;
  int64_t aRow, aStep;
  const float* b;
  int64_t bRow;
  float* c;
  int64_t cRow;
  int64_t rows, depth, columns;
  bool adds;
};

/** Some rows by some vectors of columns, summed in registers. `count` numbers of the last vector. */
template <int Rows, int Vectors, bool Whole>
CAIRN_INLINE void productBlock(const Product& of, int64_t row, int64_t column, int64_t count) {
  const int64_t depth = of.depth, aRow = of.aRow, aStep = of.aStep, bRow = of.bRow;
  const float* __restrict a = of.a + row * aRow;
  const float* __restrict b = of.b + column;
  float* c = of.c + row * of.cRow + column;
  Floats sums[Rows][Vectors];
#pragma GCC unroll 4
  for (int r = 0; r < Rows; r += 1)
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; v += 1)
      sums[r][v] = !of.adds ? Floats{}
                   : Whole  ? load(c + r * of.cRow + v * lanes)
                            : loadFirst(c + r * of.cRow + v * lanes, count, 0);
  for (int64_t k = 0; k < depth; k += 1) {
    Floats right[Vectors];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; v += 1)
      right[v] = Whole ? load(b + k * bRow + v * lanes) : loadFirst(b + k * bRow + v * lanes, count, 0);
#pragma GCC unroll 4
    for (int r = 0; r < Rows; r += 1) {
      const Floats left = splat(a[r * aRow + k * aStep]);
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; v += 1) sums[r][v] += left * right[v];
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < Rows; r += 1)
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; v += 1) {
      float* to = c + r * of.cRow + v * lanes;
      if (Whole)
        store(to, sums[r][v]);
      else
        storeFirst(to, sums[r][v], count);
    }
}

template <int Vectors, bool Whole>
CAIRN_INLINE void productColumns(const Product& of, int64_t column, int64_t count = lanes) {
  int64_t row = 0;
  for (; row + blockRows <= of.rows; row += blockRows)
    productBlock<blockRows, Vectors, Whole>(of, row, column, count);
  for (; row < of.rows; row += 1) productBlock<1, Vectors, Whole>(of, row, column, count);
}

void multiply(const Product& of) {
  int64_t column = 0;
  for (; column + widestBlock * lanes <= of.columns; column += widestBlock * lanes)
    productColumns<widestBlock, true>(of, column);
  for (; column + lanes <= of.columns; column += lanes) productColumns<1, true>(of, column);
  if (column < of.columns) productColumns<1, false>(of, column, of.columns - column);
}

/** Rows (count, size) at that stride as columns (size, padded count), zeros behind them. */
void turn(const float* rows, int64_t stride, int64_t count, int64_t size, float* columns, int64_t padded) {
  for (int64_t at = 0; at < size; at += 1) {
    float* to = columns + at * padded;
    for (int64_t row = 0; row < count; row += 1) to[row] = rows[row * stride + at];
    for (int64_t row = count; row < padded; row += 1) to[row] = 0;
  }
}

CAIRN_INLINE int64_t paddedTo(int64_t count) { return (count + lanes - 1) / lanes * lanes; }

/** Room that a thread keeps for the next call. */
float* room(int which, int64_t size) {
  thread_local std::vector<float> rooms[4];
  if (static_cast<int64_t>(rooms[which].size()) < size) rooms[which].resize(size);
  return rooms[which].data();
}

/** Keys that the queries of a tile see, from the first that all of them begin at. */
int64_t keysOf(const Attention& of, int64_t first, int64_t end) {
  int64_t most = 0;
  for (int64_t query = first; query < end; query += 1)
    most = std::max<int64_t>(most, of.until[query] + 1 - of.from[query]);
  return most;
}

float dot(const float* left, const float* right, int64_t size) {
  Floats sums{};
  eachVector(size, [&](int64_t at, int64_t count) {
    sums += loadSome(left + at, count) * loadSome(right + at, count);
  });
  return sumOf(sums);
}

/**
 * Turns scores of the keys that a query sees into probabilities, with zeros behind them. Returns the log of the sum
 * of the exponentials of the scaled scores.
 */
float softmax(float* scores, int64_t seen, int64_t padded, float scale) {
  Floats most = splat(-INFINITY);
  eachVector(seen, [&](int64_t at, int64_t count) {
    most = larger(most, loadSome(scores + at, count, -INFINITY));
  });
  float largest = -INFINITY;
  for (int lane = 0; lane < lanes; lane += 1)
    largest = most[lane] > largest || most[lane] != most[lane] ? most[lane] : largest;
  Floats sums{};
  eachVector(seen, [&](int64_t at, int64_t count) {
    const Floats share = exponential((loadSome(scores + at, count, -INFINITY) - largest) * scale);
    sums += share;
    storeSome(scores + at, share, count);
  });
  const float total = sumOf(sums), over = 1 / total;
  eachVector(seen, [&](int64_t at, int64_t count) {
    storeSome(scores + at, loadSome(scores + at, count) * over, count);
  });
  for (int64_t at = seen; at < padded; at += 1) scores[at] = 0;
  return largest * scale + std::log(total);
}

void attend(const Attention& of, int64_t head, Span span, float* output, float* logSum) {
  const int64_t size = of.size, wide = of.heads * size, narrow = of.keyValueHeads * size;
  const int64_t shared = head * of.keyValueHeads / of.heads, start = of.from[span.firstQuery];
  const int64_t offset = start * narrow + shared * size;
  const float *key = of.key + offset, *value = of.value + offset;
  const float scale = 1 / std::sqrt(static_cast<float>(size));
  const int64_t end = span.firstQuery + span.queries;
  const bool isFew = span.queries <= fewQueries;
  const int64_t all = keysOf(of, span.firstQuery, end), stride = paddedTo(all);
  float* scores = room(0, std::min(tileQueries, span.queries) * stride);
  float* turned = isFew ? nullptr : room(1, size * stride);
  if (!isFew) turn(key, narrow, all, size, turned, stride);
  for (int64_t first = span.firstQuery; first < end; first += tileQueries) {
    const int64_t rows = std::min(tileQueries, end - first), keys = keysOf(of, first, first + rows);
    const int64_t padded = paddedTo(keys);
    const float* query = of.query + first * wide + head * size;
    if (isFew)
      for (int64_t row = 0; row < rows; row += 1)
        for (int64_t at = 0; at < keys; at += 1)
          scores[row * stride + at] = dot(query + row * wide, key + at * narrow, size);
    else
      multiply({query, wide, 1, turned, stride, scores, stride, rows, size, padded, false});
    for (int64_t row = 0; row < rows; row += 1)
      logSum[(first + row) * of.heads + head] =
          softmax(scores + row * stride, of.until[first + row] + 1 - start, padded, scale);
    float* to = output + first * wide + head * size;
    multiply({scores, stride, 1, value, narrow, to, wide, rows, keys, size, false});
  }
}

/**
 * dS = P (dP - D), with P the probabilities and D the inner product of output and its gradient (Dao 2023,
 * algorithm 2).
 */
void attendBackwards(const Attention& of, int64_t shared, Span span, const AttentionSlopes& with) {
  const int64_t size = of.size, wide = of.heads * size, narrow = of.keyValueHeads * size;
  const int64_t start = of.from[span.firstQuery], end = span.firstQuery + span.queries;
  const int64_t offset = start * narrow + shared * size, group = of.heads / of.keyValueHeads;
  const float scale = 1 / std::sqrt(static_cast<float>(size));
  const int64_t all = keysOf(of, span.firstQuery, end), stride = paddedTo(all);
  float* shares = room(0, std::min(tileQueries, span.queries) * stride);
  float* slopes = room(1, std::min(tileQueries, span.queries) * stride);
  float *keys = room(2, size * stride), *values = room(3, size * stride);
  turn(of.key + offset, narrow, all, size, keys, stride);
  turn(of.value + offset, narrow, all, size, values, stride);
  for (int64_t head = shared * group; head < (shared + 1) * group; head += 1) {
    for (int64_t first = span.firstQuery; first < end; first += tileQueries) {
      const int64_t rows = std::min(tileQueries, end - first), seen = keysOf(of, first, first + rows);
      const int64_t padded = paddedTo(seen), place = first * wide + head * size;
      const float *query = of.query + place, *over = with.overOutput + place;
      multiply({query, wide, 1, keys, stride, shares, stride, rows, size, padded, false});
      multiply({over, wide, 1, values, stride, slopes, stride, rows, size, padded, false});
      for (int64_t row = 0; row < rows; row += 1) {
        float *share = shares + row * stride, *slope = slopes + row * stride;
        const int64_t visible = of.until[first + row] + 1 - start;
        const float logSum = with.logSum[(first + row) * of.heads + head];
        const float along = dot(over + row * wide, with.output + place + row * wide, size);
        eachVector(visible, [&](int64_t at, int64_t count) {
          const Floats chance = exponential(loadSome(share + at, count) * scale - logSum);
          storeSome(slope + at, chance * (loadSome(slope + at, count) - along) * scale, count);
          storeSome(share + at, chance, count);
        });
        for (int64_t at = visible; at < padded; at += 1) share[at] = slope[at] = 0;
      }
      float* overQuery = with.query + place;
      multiply({slopes, stride, 1, of.key + offset, narrow, overQuery, wide, rows, seen, size, false});
      multiply({slopes, 1, stride, query, wide, with.key + offset, narrow, seen, rows, size, true});
      multiply({shares, 1, stride, over, wide, with.value + offset, narrow, seen, rows, size, true});
    }
  }
}

}  // namespace
}  // namespace cairn
