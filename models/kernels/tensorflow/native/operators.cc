// Registers our kernels with TensorFlow, for the processor, by its C interface. The binding of TensorFlow.js
// runs them like operators of TensorFlow's own. native-kernels.ts calls them by these names.
#include <tensorflow/c/kernels.h>
#include <tensorflow/c/ops.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "loops.h"
#include "threads.h"

namespace cairn {

extern const Loops plain;
#if defined(__x86_64__)
extern const Loops widest, wide;
#endif

const Loops& loops() {
#if defined(__x86_64__)
  static const int level = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? 2
                           : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")       ? 1
                                                                                                   : 0;
  // Tests lower it, to compute what other processors compute.
  const char* named = std::getenv("CAIRN_KERNEL_LEVEL");
  const int wanted = named == nullptr ? level : std::min(level, std::atoi(named));
  return wanted == 2 ? widest : wanted == 1 ? wide : plain;
#else
  return plain;
#endif
}

namespace {

/** To be raised with each change of a kernel's inputs, outputs or meaning, there and in native-kernels.ts. */
constexpr int32_t version = 1;

/** Numbers below which another thread gains nothing. */
constexpr int64_t leastNumbers = 1 << 15;
int64_t leastRows(int64_t width) { return leastNumbers / std::max<int64_t>(1, width) + 1; }

/** One call of a kernel: its tensors, and its failure. */
class Call {
 public:
  explicit Call(TF_OpKernelContext* context) : context_(context), status_(TF_NewStatus()) {
    inputs_.resize(TF_NumInputs(context));
    for (size_t at = 0; at < inputs_.size(); at += 1) TF_GetInput(context, at, &inputs_[at], status_);
    outputs_.resize(TF_NumOutputs(context));
  }
  ~Call() {
    if (TF_GetCode(status_) != TF_OK) TF_OpKernelContext_Failure(context_, status_);
    for (TF_Tensor* input : inputs_)
      if (input != nullptr) TF_DeleteTensor(input);
    for (TF_Tensor* output : outputs_)
      if (output != nullptr) TF_DeleteTensor(output);
    TF_DeleteStatus(status_);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  bool isSound() const { return TF_GetCode(status_) == TF_OK; }
  int64_t size(int at) const { return isSound() ? TF_TensorElementCount(inputs_[at]) : 0; }
  /** Of a matrix; a vector has one row. */
  int64_t columns(int at) const {
    const int sides = isSound() ? TF_NumDims(inputs_[at]) : 0;
    return sides == 0 ? 1 : TF_Dim(inputs_[at], sides - 1);
  }
  int64_t rows(int at) const { return columns(at) == 0 ? 0 : size(at) / columns(at); }
  const float* floats(int at) const { return static_cast<const float*>(data(at)); }
  const int32_t* integers(int at) const { return static_cast<const int32_t*>(data(at)); }
  /** Of an input that the kernel writes into. */
  float* written(int at) const { return static_cast<float*>(data(at)); }

  /** An output of a shape; null where memory is full. */
  float* make(int at, const std::vector<int64_t>& shape) {
    int64_t size = 1;
    for (const int64_t side : shape) size *= side;
    return isSound() ? static_cast<float*>(allocate(at, TF_FLOAT, shape, size * sizeof(float))) : nullptr;
  }
  float* makeLike(int at, int input) {
    std::vector<int64_t> shape;
    for (int side = 0; isSound() && side < TF_NumDims(inputs_[input]); side += 1)
      shape.push_back(TF_Dim(inputs_[input], side));
    return make(at, shape);
  }
  void* allocate(int at, TF_DataType type, const std::vector<int64_t>& shape, size_t bytes) {
    outputs_[at] = TF_AllocateOutput(context_, at, type, shape.data(), shape.size(), bytes, status_);
    return isSound() ? TF_TensorData(outputs_[at]) : nullptr;
  }

  /** Fails the call unless a condition holds: a kernel must not read beyond a tensor. */
  bool expects(bool holds, const char* what) {
    if (isSound() && !holds) TF_SetStatus(status_, TF_INVALID_ARGUMENT, what);
    return isSound();
  }
  /** Whether all entries of an input are at least `least` and below `end`. */
  bool within(int at, int64_t least, int64_t end) const {
    const int32_t* values = integers(at);
    return std::all_of(values, values + size(at),
                       [&](int32_t value) { return value >= least && value < end; });
  }

 private:
  void* data(int at) const { return isSound() ? TF_TensorData(inputs_[at]) : nullptr; }

  TF_OpKernelContext* const context_;
  TF_Status* const status_;
  std::vector<TF_Tensor*> inputs_, outputs_;
};

void describe(Call& call) {
  void* out = call.allocate(0, TF_INT32, {}, sizeof(int32_t));
  if (out != nullptr) *static_cast<int32_t*>(out) = version;
}

Norm normOf(const Call& call) {
  return {call.floats(0), call.floats(1), call.columns(0), call.size(2) == 1 ? *call.floats(2) : 0};
}

/** x, scale, epsilon. */
void runNorm(Call& call) {
  const Norm given = normOf(call);
  const bool fits = call.size(1) == given.width && call.size(2) == 1;
  if (!call.expects(fits, "CairnRmsNorm: the scale is of another width")) return;
  float* out = call.makeLike(0, 0);
  if (out == nullptr) return;
  share(call.rows(0), leastRows(given.width),
        [&](int64_t begin, int64_t end) { loops().norm(given, out, begin, end); });
}

/** Rows whose gradients by the scale are summed by one thread: the sums are the same with any number of threads. */
constexpr int64_t rowsOfSum = 256;

/** x, scale, epsilon, gradient. */
void runNormGradient(Call& call) {
  const Norm given = normOf(call);
  const bool fits = call.size(1) == given.width && call.size(2) == 1 && call.size(3) == call.size(0);
  if (!call.expects(fits, "CairnRmsNormGradient: shapes that do not fit")) return;
  float *overX = call.makeLike(0, 0), *overScale = call.makeLike(1, 1);
  if (overX == nullptr || overScale == nullptr) return;
  const int64_t rows = call.rows(0), chunks = (rows + rowsOfSum - 1) / rowsOfSum;
  std::vector<float> sums(chunks * given.width);
  share(chunks, leastRows(given.width) / rowsOfSum + 1, [&](int64_t begin, int64_t end) {
    for (int64_t chunk = begin; chunk < end; chunk += 1)
      loops().normGradient(given, call.floats(3), overX, sums.data() + chunk * given.width, chunk * rowsOfSum,
                           std::min(rows, (chunk + 1) * rowsOfSum));
  });
  std::fill(overScale, overScale + given.width, 0.0f);
  for (int64_t at = 0; at < chunks * given.width; at += 1) overScale[at % given.width] += sums[at];
}

/** gating, up. */
void runGate(Call& call) {
  if (!call.expects(call.size(0) == call.size(1), "CairnGate: its inputs are of two sizes")) return;
  float* out = call.makeLike(0, 0);
  if (out == nullptr) return;
  share(call.size(0), leastNumbers / 4, [&](int64_t begin, int64_t end) {
    loops().gate(call.floats(0) + begin, call.floats(1) + begin, out + begin, end - begin);
  });
}

/** gating, up, gradient. */
void runGateGradient(Call& call) {
  const bool fits = call.size(0) == call.size(1) && call.size(0) == call.size(2);
  if (!call.expects(fits, "CairnGateGradient: its inputs are of different sizes")) return;
  float *overGating = call.makeLike(0, 0), *overUp = call.makeLike(1, 1);
  if (overGating == nullptr || overUp == nullptr) return;
  share(call.size(0), leastNumbers / 4, [&](int64_t begin, int64_t end) {
    loops().gateGradient(call.floats(0) + begin, call.floats(1) + begin, call.floats(2) + begin,
                         overGating + begin, overUp + begin, end - begin);
  });
}

/** x, cos, sin. */
void runRotate(Call& call) {
  const int64_t pairs = call.columns(1), heads = pairs == 0 ? 0 : call.columns(0) / (2 * pairs);
  const bool fits = call.size(1) == call.size(2) && call.rows(0) == call.rows(1) &&
                    heads * 2 * pairs == call.columns(0);
  if (!call.expects(fits, "CairnRotate: shapes that do not fit")) return;
  float* out = call.makeLike(0, 0);
  if (out == nullptr) return;
  const Rotation given{call.floats(0), call.floats(1), call.floats(2), heads, pairs};
  share(call.rows(0), leastRows(call.columns(0)),
        [&](int64_t begin, int64_t end) { loops().rotate(given, out, begin, end); });
}

/** logits, targets, factor. */
void runScore(Call& call) {
  const int64_t rows = call.rows(0), vocabulary = call.columns(0);
  const bool fits = call.size(1) == rows && call.size(2) == 1 && call.within(1, 0, vocabulary);
  if (!call.expects(fits, "CairnScoreRows: targets that do not fit the logits")) return;
  float *logprob = call.make(0, {rows, 1}), *logSum = call.make(1, {rows, 1});
  float* entropy = call.make(2, {rows, 1});
  if (logprob == nullptr || logSum == nullptr || entropy == nullptr) return;
  const Logits given{call.floats(0), call.integers(1), vocabulary, *call.floats(2)};
  share(rows, leastRows(4 * vocabulary),
        [&](int64_t begin, int64_t end) { loops().score(given, logprob, logSum, entropy, begin, end); });
}

/** logits, targets, factor, logSum, entropy, overLogprob, overEntropy. */
void runScoreGradient(Call& call) {
  const int64_t rows = call.rows(0), vocabulary = call.columns(0);
  bool fits = call.size(1) == rows && call.size(2) == 1 && call.within(1, 0, vocabulary);
  for (int at = 3; at < 7; at += 1) fits = fits && call.size(at) == rows;
  if (!call.expects(fits, "CairnScoreRowsGradient: shapes that do not fit")) return;
  float* out = call.makeLike(0, 0);
  if (out == nullptr) return;
  const Logits given{call.floats(0), call.integers(1), vocabulary, *call.floats(2)};
  const ScoreSlopes slopes{call.floats(3), call.floats(4), call.floats(5), call.floats(6)};
  share(rows, leastRows(4 * vocabulary),
        [&](int64_t begin, int64_t end) { loops().scoreGradient(given, slopes, out, begin, end); });
}

/** value, first, second, gradient, coefficients in the order of their struct. */
void runAdam(Call& call) {
  const int64_t size = call.size(0);
  const bool fits = call.size(1) == size && call.size(2) == size && call.size(3) == size && call.size(4) == 9;
  if (!call.expects(fits, "CairnAdamW: its inputs are of different sizes")) return;
  float *value = call.makeLike(0, 0), *first = call.makeLike(1, 0), *second = call.makeLike(2, 0);
  if (value == nullptr || first == nullptr || second == nullptr) return;
  const float* c = call.floats(4);
  const AdamCoefficients with{c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8]};
  const AdamArrays of{call.floats(0), call.floats(1), call.floats(2), call.floats(3), value, first, second};
  share(size, leastNumbers, [&](int64_t begin, int64_t end) { loops().adam(of, with, begin, end); });
}

/** values. */
void runSumOfSquares(Call& call) {
  constexpr int64_t part = 1 << 16;
  float* out = call.make(0, {});
  if (out == nullptr) return;
  const int64_t size = call.size(0), parts = (size + part - 1) / part;
  std::vector<double> sums(parts);
  share(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; at += 1)
      sums[at] = loops().sumOfSquares(call.floats(0) + at * part, std::min(part, size - at * part));
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  *out = static_cast<float>(total);
}

/** table, members, start. */
void runBagSum(Call& call) {
  const int64_t width = call.columns(0), bags = call.size(2) - 1;
  const int32_t* start = call.integers(2);
  const bool fits = bags >= 0 && call.within(1, 0, std::max<int64_t>(1, call.rows(0))) &&
                    call.within(2, 0, call.size(1) + 1) && std::is_sorted(start, start + bags + 1);
  if (!call.expects(fits, "CairnBagSum: bags that do not fit the table")) return;
  float* out = call.make(0, {bags, width});
  if (out == nullptr) return;
  share(bags, leastRows(width), [&](int64_t begin, int64_t end) {
    loops().bagSum(call.floats(0), call.integers(1), start, width, out, begin, end);
  });
}

/** matrix, which is changed, fresh, rows. */
void runWriteRows(Call& call) {
  const int64_t width = call.columns(0);
  const bool fits = call.columns(1) == width && call.rows(1) == call.size(2) &&
                    call.within(2, 0, call.rows(0));
  if (!call.expects(fits, "CairnWriteRows: rows that do not fit the matrix")) return;
  const int32_t* rows = call.integers(2);
  for (int64_t at = 0; at < call.size(2); at += 1)
    std::copy_n(call.floats(1) + at * width, width, call.written(0) + rows[at] * width);
}

/** Whether the sight of queries lies within the keys; fills in the spans, with at most `most` queries each. */
bool spansOf(const Attention& of, int64_t tokens, int64_t keys, int64_t most, std::vector<Span>& spans) {
  spans.clear();
  for (int64_t query = 0; query < tokens; query += 1) {
    if (of.from[query] < 0 || of.until[query] < of.from[query] || of.until[query] >= keys) return false;
    if (query > 0 && of.from[query] == of.from[query - 1] && spans.back().queries < most)
      spans.back().queries += 1;
    else
      spans.push_back({query, 1});
  }
  return true;
}

/** query, key, value, sight (from, until, whatever else), head counts (2). */
bool readAttention(Call& call, Attention& of) {
  const bool hasCounts = call.expects(call.size(4) == 2, "CairnAttention: it takes two numbers of heads");
  if (!hasCounts) return false;
  const int64_t tokens = call.rows(0), heads = call.integers(4)[0], groups = call.integers(4)[1];
  const bool fits = heads > 0 && groups > 0 && heads % groups == 0 && call.columns(0) % heads == 0 &&
                    call.columns(1) == call.columns(0) / heads * groups && call.size(1) == call.size(2) &&
                    call.size(3) >= 2 * tokens;
  if (!call.expects(fits, "CairnAttention: shapes that do not fit")) return false;
  const int32_t* sight = call.integers(3);
  of = {call.floats(0), call.floats(1),   call.floats(2), sight,
        sight + tokens, heads, groups, call.columns(0) / heads};
  return true;
}

/** Queries of a unit of work: turning their keys takes little beside it. */
constexpr int64_t queriesAtOnce = 256;

void runAttention(Call& call) {
  Attention of;
  std::vector<Span> spans;
  if (!readAttention(call, of)) return;
  const int64_t tokens = call.rows(0);
  const bool fits = spansOf(of, tokens, call.rows(1), queriesAtOnce, spans);
  if (!call.expects(fits, "CairnAttention: sight beyond the keys")) return;
  float *output = call.makeLike(0, 0), *logSum = call.make(1, {tokens, of.heads});
  if (output == nullptr || logSum == nullptr) return;
  share(static_cast<int64_t>(spans.size()) * of.heads, 1, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; unit += 1)
      loops().attend(of, unit % of.heads, spans[unit / of.heads], output, logSum);
  });
}

/** As for attention; then output, logSum, gradient. */
void runAttentionGradient(Call& call) {
  Attention of;
  std::vector<Span> spans;
  if (!readAttention(call, of)) return;
  const int64_t tokens = call.rows(0);
  const bool fits = call.size(5) == call.size(0) && call.size(6) == tokens * of.heads &&
                    call.size(7) == call.size(0) && spansOf(of, tokens, call.rows(1), tokens, spans);
  if (!call.expects(fits, "CairnAttentionGradient: shapes or sight that do not fit")) return;
  AttentionSlopes with{call.floats(5),        call.floats(6),        call.floats(7),
                       call.makeLike(0, 0), call.makeLike(1, 1), call.makeLike(2, 2)};
  if (with.query == nullptr || with.key == nullptr || with.value == nullptr) return;
  std::fill(with.key, with.key + call.size(1), 0.0f);
  std::fill(with.value, with.value + call.size(2), 0.0f);
  // Spans that share keys add to the same gradients: then one thread has all of a head.
  bool areApart = true;
  int64_t seen = 0;
  for (const Span& span : spans) {
    areApart = areApart && of.from[span.firstQuery] >= seen;
    for (int64_t query = span.firstQuery; query < span.firstQuery + span.queries; query += 1)
      seen = std::max<int64_t>(seen, of.until[query] + 1);
  }
  const int64_t parts = areApart ? spans.size() : 1, each = areApart ? 1 : spans.size();
  share(of.keyValueHeads * parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; unit += 1)
      for (int64_t at = 0; at < each; at += 1)
        loops().attendBackwards(of, unit % of.keyValueHeads, spans[unit / of.keyValueHeads * each + at],
                                with);
  });
}

template <void (*body)(Call&)>
void compute(void*, TF_OpKernelContext* context) {
  Call call(context);
  if (call.isSound()) body(call);
}

void unknownShapes(TF_ShapeInferenceContext* context, TF_Status* status) {
  TF_ShapeInferenceContextSetUnknownShape(context, status);
}

struct Operator {
  const char* name;
  std::vector<const char*> inputs, outputs;
  void (*compute)(void*, TF_OpKernelContext*);
};

void add(const Operator& of) {
  TF_Status* status = TF_NewStatus();
  TF_OpDefinitionBuilder* builder = TF_NewOpDefinitionBuilder(of.name);
  for (const char* input : of.inputs) TF_OpDefinitionBuilderAddInput(builder, input);
  for (const char* output : of.outputs) TF_OpDefinitionBuilderAddOutput(builder, output);
  TF_OpDefinitionBuilderSetShapeInferenceFunction(builder, &unknownShapes);
  TF_OpDefinitionBuilderSetIsStateful(builder, of.outputs.empty());
  TF_RegisterOpDefinition(builder, status);
  if (TF_GetCode(status) == TF_OK) {
    TF_KernelBuilder* kernel = TF_NewKernelBuilder(of.name, "CPU", nullptr, of.compute, nullptr);
    TF_RegisterKernelBuilder(of.name, kernel, status);
  }
  TF_DeleteStatus(status);  // what is missing is noticed where it is asked for
}

/** As soon as the library is loaded, as TensorFlow's own operators are. */
const bool areRegistered = [] {
  const std::vector<const char*> attention = {"query: float", "key: float", "value: float", "sight: int32",
                                              "heads: int32"};
  std::vector<const char*> attentionGradient = attention;
  attentionGradient.insert(attentionGradient.end(), {"output: float", "log_sum: float", "gradient: float"});
  for (const Operator& of : std::vector<Operator>{
           {"CairnKernels", {}, {"version: int32"}, compute<describe>},
           {"CairnRmsNorm", {"x: float", "scale: float", "epsilon: float"}, {"out: float"}, compute<runNorm>},
           {"CairnRmsNormGradient",
            {"x: float", "scale: float", "epsilon: float", "gradient: float"},
            {"over_x: float", "over_scale: float"},
            compute<runNormGradient>},
           {"CairnGate", {"gating: float", "up: float"}, {"out: float"}, compute<runGate>},
           {"CairnGateGradient",
            {"gating: float", "up: float", "gradient: float"},
            {"over_gating: float", "over_up: float"},
            compute<runGateGradient>},
           {"CairnRotate", {"x: float", "cos: float", "sin: float"}, {"out: float"}, compute<runRotate>},
           {"CairnScoreRows",
            {"logits: float", "targets: int32", "factor: float"},
            {"logprob: float", "log_sum: float", "entropy: float"},
            compute<runScore>},
           {"CairnScoreRowsGradient",
            {"logits: float", "targets: int32", "factor: float", "log_sum: float", "entropy: float",
             "over_logprob: float", "over_entropy: float"},
            {"over_logits: float"},
            compute<runScoreGradient>},
           {"CairnAdamW",
            {"value: float", "first: float", "second: float", "gradient: float", "coefficients: float"},
            {"next_value: float", "next_first: float", "next_second: float"},
            compute<runAdam>},
           {"CairnSumOfSquares", {"values: float"}, {"sum: float"}, compute<runSumOfSquares>},
           {"CairnBagSum",
            {"table: float", "members: int32", "start: int32"},
            {"sums: float"},
            compute<runBagSum>},
           {"CairnWriteRows", {"matrix: float", "fresh: float", "rows: int32"}, {}, compute<runWriteRows>},
           {"CairnAttention", attention, {"out: float", "log_sum: float"}, compute<runAttention>},
           {"CairnAttentionGradient",
            attentionGradient,
            {"over_query: float", "over_key: float", "over_value: float"},
            compute<runAttentionGradient>},
       })
    add(of);
  return true;
}();

}  // namespace
}  // namespace cairn
