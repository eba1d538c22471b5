// Compiled once for each level: -DCAIRN_LEVEL=NAME, with the instructions of that level switched on.
#include "attention-loops.h"
#include "loops.h"
#include "row-loops.h"

namespace cairn {

extern const Loops CAIRN_LEVEL;
const Loops CAIRN_LEVEL = {norm,  normGradient, gate, gateGradient, rotate, score,
                           scoreGradient, adam,  sumOfSquares, bagSum, attend, attendBackwards};

}  // namespace cairn
