// Threads that share out the rows of a kernel.
#pragma once

#include <cstdint>
#include <functional>

namespace cairn {

/**
 * Calls `body(begin, end)` for parts of `count` units of at least `least` units each, in several threads where
 * there are several parts. What a unit computes must not depend on the parts. The threads are as many as
 * TF_NUM_INTRAOP_THREADS says, else one for each core.
 */
void share(int64_t count, int64_t least, const std::function<void(int64_t begin, int64_t end)>& body);

}  // namespace cairn
