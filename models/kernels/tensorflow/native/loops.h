// The loops of the kernels, compiled once for each level of the processor's vectors. All matrices are row-major
// float32.
#pragma once

#include <cstdint>

namespace cairn {

struct Norm {
  const float* x;      // (rows, width)
  const float* scale;  // (width)
  int64_t width;
  float epsilon;
};

struct Rotation {
  const float* x;    // (tokens, heads 2 pairs)
  const float* cos;  // (tokens, pairs)
  const float* sin;  // (tokens, pairs)
  int64_t heads, pairs;
};

struct Logits {
  const float* logits;     // (rows, vocabulary)
  const int32_t* targets;  // (rows)
  int64_t vocabulary;
  /** All logits are multiplied by it first. */
  float factor;
};

struct ScoreSlopes {
  const float* logSum;       // (rows)
  const float* entropy;      // (rows)
  const float* overLogprob;  // (rows)
  const float* overEntropy;  // (rows)
};

/** See models/kernels/adam-coefficients.ts. */
struct AdamCoefficients {
  float gradientScale, beta1, rest1, beta2, rest2, keep, stepSize, secondScale, epsilon;
};

struct AdamArrays {
  const float *value, *first, *second, *gradient;
  float *nextValue, *nextFirst, *nextSecond;
};

/** Attention of packed tokens: query t sees the keys `from[t]` to `until[t]`, both included. */
struct Attention {
  const float* query;  // (tokens, heads size)
  const float* key;    // (keys, keyValueHeads size)
  const float* value;  // (keys, keyValueHeads size)
  const int32_t *from, *until;
  int64_t heads, keyValueHeads, size;
};

struct AttentionSlopes {
  const float* output;      // (tokens, heads size)
  const float* logSum;      // (tokens, heads)
  const float* overOutput;  // (tokens, heads size)
  float* query;             // (tokens, heads size)
  float* key;               // (keys, keyValueHeads size); added to
  float* value;             // (keys, keyValueHeads size); added to
};

/** Neighbouring queries that see from the same key on. */
struct Span {
  int64_t firstQuery, queries;
};

struct Loops {
  void (*norm)(const Norm&, float* out, int64_t begin, int64_t end);
  /** Adds to `overScale`, (width). */
  void (*normGradient)(const Norm&, const float* gradient, float* overX, float* overScale, int64_t begin,
                       int64_t end);
  void (*gate)(const float* gating, const float* up, float* out, int64_t size);
  void (*gateGradient)(const float* gating, const float* up, const float* gradient, float* overGating,
                       float* overUp, int64_t size);
  void (*rotate)(const Rotation&, float* out, int64_t begin, int64_t end);
  void (*score)(const Logits&, float* logprob, float* logSum, float* entropy, int64_t begin, int64_t end);
  void (*scoreGradient)(const Logits&, const ScoreSlopes&, float* overLogits, int64_t begin, int64_t end);
  void (*adam)(const AdamArrays&, const AdamCoefficients&, int64_t begin, int64_t end);
  double (*sumOfSquares)(const float* values, int64_t size);
  void (*bagSum)(const float* table, const int32_t* members, const int32_t* start, int64_t width, float* out,
                 int64_t begin, int64_t end);
  /** One head of a span of queries. */
  void (*attend)(const Attention&, int64_t head, Span, float* output, float* logSum);
  /** One head of keys and values, and all heads of queries that share it. */
  void (*attendBackwards)(const Attention&, int64_t keyValueHead, Span, const AttentionSlopes&);
};

/** The loops for the widest vectors that this processor has. */
const Loops& loops();

}  // namespace cairn
