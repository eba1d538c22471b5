#!/usr/bin/env bash
# Measures the backend `tensorflow` on an NVIDIA GPU beside PyTorch: products, training steps and writing. It ends within eight minutes.
#
#   bash bench/model/gpu/on-tensorflow.sh [LIBRARY] [--out FILE]    writes JSON, by default to on-tensorflow.json
#   bash bench/model/gpu/on-tensorflow.sh --check [LIBRARY]         the same steps with a small shape, on any device
#
# LIBRARY is one of
#   --from FOLDER    an installed package, such as VENV/lib/python3.12/site-packages/tensorflow
#   --wheel FILE     a wheel of `tensorflow` 2.21.0; its CUDA libraries come from the Python of CAIRN_PYTHON
#   --parts FOLDER   such a wheel cut by `split`, for machines that take only small files
# Without it pip installs `tensorflow[and-cuda]` into a virtual environment of its own.
#
# It needs Node, g++, `npm ci --ignore-scripts` and a build (`node scripts/setup.mjs --build`). CAIRN_PYTHON names a
# Python with torch, transformers and PEFT (default: python3). Without them only Cairn is measured.
set -euo pipefail
cd "$(dirname "$0")/../../.."

seconds=480
check=''
source=()
out=on-tensorflow.json
python=${CAIRN_PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "on-tensorflow: $1" >&2
  exit 1
}
say() { echo "on-tensorflow, ${SECONDS} s: $1" >&2; }
left() { echo $((seconds - SECONDS > 5 ? seconds - SECONDS : 5)); }

while [ $# -gt 0 ]; do
  case $1 in
    --check) check=--check ;;
    --from | --wheel | --parts)
      [ $# -ge 2 ] || fail "$1 takes a path."
      source=("$1" "$2")
      shift
      ;;
    --out)
      [ $# -ge 2 ] || fail '--out takes a file.'
      out=$2
      shift
      ;;
    *) fail "there is no flag $1: it takes --from, --wheel, --parts, --out and --check." ;;
  esac
  shift
done
[ -f dist/bench/model/gpu/large-model.js ] || fail 'build first: node scripts/setup.mjs --build.'

if [ ${#source[@]} -eq 0 ] && [ -n "$check" ]; then
  provision=()
elif [ ${#source[@]} -eq 0 ]; then
  nvidia-smi > /dev/null || fail 'nvidia-smi finds no GPU; --check runs without one.'
  venv=${XDG_CACHE_HOME:-$HOME/.cache}/cairn/tensorflow-cuda-2.21.0 # stays: the binding refers to it
  say "pip installs tensorflow[and-cuda] into $venv"
  python3 -m venv "$venv"
  timeout 300 "$venv/bin/pip" install -q 'tensorflow[and-cuda]==2.21.0' \
    || fail 'pip could not install tensorflow[and-cuda]: give --from, --wheel or --parts.'
  packages=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  provision=(--from "$packages/tensorflow")
elif [ "${source[0]}" = --parts ]; then
  wheel="$work/tensorflow-2.21.0.whl"
  find "${source[1]}" -type f | sort | xargs cat > "$wheel"
  provision=(--wheel "$wheel")
else
  provision=("${source[@]}")
fi

say 'building the binding'
timeout "$(left)" node scripts/provision.mjs tensorflow "${provision[@]}" \
  || fail 'the backend could not be built; its own words stand above.'

# The CUDA libraries of PyTorch, for a TensorFlow that has none of its own.
find_cuda='import glob, site; print(":".join(p for s in site.getsitepackages() for p in glob.glob(s + "/nvidia/*/lib")))'
cuda=$("$python" -c "$find_cuda" 2> /dev/null || true)
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}${cuda:+:$cuda}
export TF_FORCE_GPU_ALLOW_GROWTH=true # otherwise PyTorch finds no memory
export NVIDIA_TF32_OVERRIDE=0         # both in float32
export TF_CPP_MIN_LOG_LEVEL=1
if "$python" -c 'import torch, transformers' 2> /dev/null; then
  export CAIRN_PYTHON=$python
else
  unset CAIRN_PYTHON
  say "$python lacks torch or transformers: only Cairn is measured"
fi

say 'measuring'
timeout "$(left)" node dist/bench/model/gpu/large-model.js --backend tensorflow --seconds "$(($(left) - 60))" $check \
  > "$work/result.json" || fail 'the measurement failed; its own words stand above.'
node -e '
  const found = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
  const parts = ["products", "decode", "adapter", "adapterRecomputed", "weights"];
  const missing = parts.filter((part) => found[part]?.own === undefined);
  if (missing.length > 0) console.error("left out: " + missing.join(", "));
  process.exitCode = missing.length > 0 && process.argv[2] === "--check" ? 1 : 0;
' "$work/result.json" "$check" || fail 'the check failed: parts are missing.'
if [ -n "$check" ]; then
  say 'the check passed'
else
  mv "$work/result.json" "$out"
  say "the result is in $out"
fi
