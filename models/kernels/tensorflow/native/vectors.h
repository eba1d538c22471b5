// Sixteen numbers at once, in the widest registers of the level that this file is compiled for. The levels are in
// scripts/system-parts/tensorflow.mjs.
#pragma once

#include <cstdint>
#include <cstring>

#define CAIRN_INLINE static inline __attribute__((always_inline))

namespace cairn {
namespace {

constexpr int64_t lanes = 16;

typedef float Floats __attribute__((vector_size(64)));
typedef int32_t Integers __attribute__((vector_size(64)));
typedef float LooseFloats __attribute__((vector_size(64), aligned(4), may_alias));

CAIRN_INLINE Floats splat(float value) { return Floats{} + value; }
CAIRN_INLINE Floats load(const float* from) { return *reinterpret_cast<const LooseFloats*>(from); }
CAIRN_INLINE void store(float* to, Floats values) { *reinterpret_cast<LooseFloats*>(to) = values; }

/** The first `count` of them, and `rest` behind. */
CAIRN_INLINE Floats loadFirst(const float* from, int64_t count, float rest) {
  Floats values = splat(rest);
  std::memcpy(&values, from, count * sizeof(float));
  return values;
}
CAIRN_INLINE void storeFirst(float* to, Floats values, int64_t count) {
  std::memcpy(to, &values, count * sizeof(float));
}

CAIRN_INLINE float sumOf(Floats values) {
  float sum = 0;
  for (int lane = 0; lane < lanes; lane += 1) sum += values[lane];
  return sum;
}
CAIRN_INLINE float largestOf(Floats values) {
  float largest = values[0];
  for (int lane = 1; lane < lanes; lane += 1) largest = values[lane] > largest ? values[lane] : largest;
  return largest;
}
/** NaN where either is. */
CAIRN_INLINE Floats larger(Floats left, Floats right) {
  return left > right ? left : (right == right ? right : right + left);
}

/**
 * e^x, to 2 units in the last place: 2^n times a polynomial of the rest (Cephes, expf). It is 0 below -87.3 and
 * constant above 88. NaN stays NaN.
 */
CAIRN_INLINE Floats exponential(Floats x) {
  const float lowest = -87.3f, highest = 88.0f, magic = 12582912.0f;  // 1.5 * 2^23: adding it rounds
  Floats inside = x > highest ? splat(highest) : x;
  inside = inside < lowest ? splat(lowest) : inside;
  const Floats shifted = inside * 1.44269504088896341f + magic;
  const Integers power = reinterpret_cast<Integers>(shifted) - reinterpret_cast<Integers>(splat(magic));
  const Floats whole = shifted - magic;
  const Floats rest = inside - whole * 0.693359375f - whole * -2.12194440e-4f;
  Floats sum = rest * 1.9875691500e-4f + 1.3981999507e-3f;
  sum = sum * rest + 8.3334519073e-3f;
  sum = sum * rest + 4.1665795894e-2f;
  sum = sum * rest + 1.6666665459e-1f;
  sum = sum * rest + 5.0000001201e-1f;
  sum = sum * rest * rest + rest + 1.0f;
  const Floats scale = reinterpret_cast<Floats>((power + 127) << 23);
  return x < lowest ? Floats{} : sum * scale;
}

/** Calls `body(at, count)` for each vector of an array; `count` is below 16 for the last one only. */
template <typename Body>
CAIRN_INLINE void eachVector(int64_t size, Body body) {
  int64_t at = 0;
  for (; at + lanes <= size; at += lanes) body(at, lanes);
  if (at < size) body(at, size - at);
}

CAIRN_INLINE Floats loadSome(const float* from, int64_t count, float rest = 0) {
  return count == lanes ? load(from) : loadFirst(from, count, rest);
}
CAIRN_INLINE void storeSome(float* to, Floats values, int64_t count) {
  if (count == lanes)
    store(to, values);
  else
    storeFirst(to, values, count);
}

}  // namespace
}  // namespace cairn
