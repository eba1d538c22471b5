// Norm, gate, rotary positions, scores, AdamW and sums, without intermediate results in memory.
#pragma once

#include <cmath>

#include "loops.h"
#include "vectors.h"

namespace cairn {
namespace {

float inverseRoot(const float* x, int64_t width, float epsilon) {
  Floats squares{};
  eachVector(width, [&](int64_t at, int64_t count) {
    const Floats values = loadSome(x + at, count);
    squares += values * values;
  });
  return 1 / std::sqrt(sumOf(squares) / width + epsilon);
}

void norm(const Norm& given, float* out, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; row += 1) {
    const float* x = given.x + row * given.width;
    float* to = out + row * given.width;
    const float inverse = inverseRoot(x, given.width, given.epsilon);
    eachVector(given.width, [&](int64_t at, int64_t count) {
      storeSome(to + at, loadSome(x + at, count) * inverse * loadSome(given.scale + at, count), count);
    });
  }
}

/** With n = x / rms: over x (g s - n mean(g s n)) / rms, over s the sum of g n. */
void normGradient(const Norm& given, const float* gradient, float* overX, float* overScale, int64_t begin,
                  int64_t end) {
  const int64_t width = given.width;
  for (int64_t row = begin; row < end; row += 1) {
    const float* x = given.x + row * width;
    const float* slope = gradient + row * width;
    float* to = overX + row * width;
    const float inverse = inverseRoot(x, width, given.epsilon);
    Floats along{};
    eachVector(width, [&](int64_t at, int64_t count) {
      const Floats over = loadSome(slope + at, count), normed = loadSome(x + at, count) * inverse;
      along += over * loadSome(given.scale + at, count) * normed;
      storeSome(overScale + at, loadSome(overScale + at, count) + over * normed, count);
    });
    const float mean = sumOf(along) / width;
    eachVector(width, [&](int64_t at, int64_t count) {
      const Floats over = loadSome(slope + at, count) * loadSome(given.scale + at, count);
      storeSome(to + at, (over - loadSome(x + at, count) * (inverse * mean)) * inverse, count);
    });
  }
}

CAIRN_INLINE Floats sigmoid(Floats x) { return 1.0f / (1.0f + exponential(-x)); }

void gate(const float* gating, const float* up, float* out, int64_t size) {
  eachVector(size, [&](int64_t at, int64_t count) {
    const Floats x = loadSome(gating + at, count);
    storeSome(out + at, x * sigmoid(x) * loadSome(up + at, count), count);
  });
}

/** silu'(x) = s (1 + x (1 - s)) with s = sigmoid(x). */
void gateGradient(const float* gating, const float* up, const float* gradient, float* overGating,
                  float* overUp, int64_t size) {
  eachVector(size, [&](int64_t at, int64_t count) {
    const Floats x = loadSome(gating + at, count), slope = loadSome(gradient + at, count);
    const Floats open = sigmoid(x);
    storeSome(overUp + at, slope * x * open, count);
    storeSome(overGating + at, slope * loadSome(up + at, count) * open * (1.0f + x * (1.0f - open)), count);
  });
}

void rotate(const Rotation& given, float* out, int64_t begin, int64_t end) {
  const int64_t pairs = given.pairs;
  for (int64_t token = begin; token < end; token += 1) {
    const float *cos = given.cos + token * pairs, *sin = given.sin + token * pairs;
    for (int64_t head = 0; head < given.heads; head += 1) {
      const int64_t place = (token * given.heads + head) * 2 * pairs;
      const float *first = given.x + place, *second = first + pairs;
      float* to = out + place;
      eachVector(pairs, [&](int64_t at, int64_t count) {
        const Floats a = loadSome(first + at, count), b = loadSome(second + at, count);
        const Floats across = loadSome(cos + at, count), along = loadSome(sin + at, count);
        storeSome(to + at, a * across - b * along, count);
        storeSome(to + pairs + at, b * across + a * along, count);
      });
    }
  }
}

/** Numbers whose sum is taken in float32 before it is added to one in float64. */
constexpr int64_t shortSum = 64 * lanes;

void score(const Logits& given, float* logprob, float* logSum, float* entropy, int64_t begin, int64_t end) {
  const int64_t size = given.vocabulary;
  for (int64_t row = begin; row < end; row += 1) {
    const float* logits = given.logits + row * size;
    Floats most = splat(-INFINITY);
    eachVector(size, [&](int64_t at, int64_t count) {
      most = larger(most, loadSome(logits + at, count, -INFINITY));
    });
    float largest = -INFINITY;
    for (int lane = 0; lane < lanes; lane += 1)
      largest = most[lane] > largest || most[lane] != most[lane] ? most[lane] : largest;
    double total = 0, weighted = 0;
    for (int64_t first = 0; first < size; first += shortSum) {
      Floats sums{}, products{};
      eachVector(size - first < shortSum ? size - first : shortSum, [&](int64_t at, int64_t count) {
        const Floats beyond = (loadSome(logits + first + at, count, -1e30f) - largest) * given.factor;
        const Floats share = exponential(beyond);
        sums += share;
        products += share * beyond;
      });
      total += sumOf(sums);
      weighted += sumOf(products);
    }
    const double logTotal = std::log(total);
    logprob[row] = static_cast<float>(
        static_cast<double>(logits[given.targets[row]] - largest) * given.factor - logTotal);
    logSum[row] = static_cast<float>(static_cast<double>(largest) * given.factor + logTotal);
    entropy[row] = static_cast<float>(logTotal - weighted / total);
  }
}

/**
 * With p the probabilities and H their entropy: factor (slope ([is target] - p) - entropySlope p (log p + H)).
 */
void scoreGradient(const Logits& given, const ScoreSlopes& slopes, float* overLogits, int64_t begin,
                   int64_t end) {
  const int64_t size = given.vocabulary;
  for (int64_t row = begin; row < end; row += 1) {
    const float* logits = given.logits + row * size;
    float* to = overLogits + row * size;
    const float logSum = slopes.logSum[row], entropy = slopes.entropy[row];
    const float ofAll = -given.factor * slopes.overLogprob[row];
    const float ofEntropy = -given.factor * slopes.overEntropy[row];
    eachVector(size, [&](int64_t at, int64_t count) {
      const Floats logprob = loadSome(logits + at, count) * given.factor - logSum;
      storeSome(to + at, exponential(logprob) * (ofAll + ofEntropy * (logprob + entropy)), count);
    });
    to[given.targets[row]] -= ofAll;
  }
}

void adam(const AdamArrays& of, const AdamCoefficients& with, int64_t begin, int64_t end) {
  const float *__restrict value = of.value, *__restrict first = of.first;
  const float *__restrict second = of.second, *__restrict gradient = of.gradient;
  float *__restrict nextValue = of.nextValue, *__restrict nextFirst = of.nextFirst;
  float* __restrict nextSecond = of.nextSecond;
  for (int64_t at = begin; at < end; at += 1) {
    const float slope = gradient[at] * with.gradientScale;
    const float mean = first[at] * with.beta1 + slope * with.rest1;
    const float square = second[at] * with.beta2 + slope * slope * with.rest2;
    nextFirst[at] = mean;
    nextSecond[at] = square;
    nextValue[at] =
        value[at] * with.keep - mean * with.stepSize / (std::sqrt(square) * with.secondScale + with.epsilon);
  }
}

double sumOfSquares(const float* values, int64_t size) {
  double total = 0;
  for (int64_t first = 0; first < size; first += shortSum) {
    Floats sums{};
    eachVector(size - first < shortSum ? size - first : shortSum, [&](int64_t at, int64_t count) {
      const Floats some = loadSome(values + first + at, count);
      sums += some * some;
    });
    total += sumOf(sums);
  }
  return total;
}

void bagSum(const float* table, const int32_t* members, const int32_t* start, int64_t width, float* out,
            int64_t begin, int64_t end) {
  for (int64_t bag = begin; bag < end; bag += 1) {
    float* to = out + bag * width;
    const int32_t first = start[bag], last = start[bag + 1];
    if (first == last) {
      std::memset(to, 0, width * sizeof(float));
      continue;
    }
    std::memcpy(to, table + members[first] * width, width * sizeof(float));
    for (int32_t at = first + 1; at < last; at += 1) {
      const float* row = table + members[at] * width;
      eachVector(width, [&](int64_t column, int64_t count) {
        storeSome(to + column, loadSome(to + column, count) + loadSome(row + column, count), count);
      });
    }
  }
}

}  // namespace
}  // namespace cairn
