#include "threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace cairn {
namespace {

int64_t wantedThreads() {
  const char* named = std::getenv("TF_NUM_INTRAOP_THREADS");
  const int64_t wanted = named == nullptr ? 0 : std::atoll(named);
  return wanted > 0 ? wanted : std::max<int64_t>(1, std::thread::hardware_concurrency());
}

/** Lives as long as the process, as its threads do. */
class Pool {
 public:
  explicit Pool(int64_t threads) : threads_(threads) {
    for (int64_t thread = 1; thread < threads; thread += 1) std::thread([this] { wait(); }).detach();
  }

  int64_t threads() const { return threads_; }

  /** False where another thread of the process has it. */
  bool run(int64_t parts, const std::function<void(int64_t)>& body) {
    std::unique_lock<std::mutex> turn(turns_, std::try_to_lock);
    if (!turn.owns_lock()) return false;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      body_ = &body;
      parts_ = parts;
      next_ = 0;
      busy_ = threads_ - 1;
      round_ += 1;
    }
    begins_.notify_all();
    work();
    std::unique_lock<std::mutex> lock(mutex_);
    ends_.wait(lock, [this] { return busy_ == 0; });
    return true;
  }

 private:
  void work() {
    for (int64_t part = next_++; part < parts_; part = next_++) (*body_)(part);
  }

  void wait() {
    for (int64_t seen = 0;;) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        begins_.wait(lock, [&] { return round_ != seen; });
        seen = round_;
      }
      work();
      std::lock_guard<std::mutex> lock(mutex_);
      busy_ -= 1;
      if (busy_ == 0) ends_.notify_all();
    }
  }

  const int64_t threads_;
  std::mutex turns_, mutex_;
  std::condition_variable begins_, ends_;
  const std::function<void(int64_t)>* body_ = nullptr;
  std::atomic<int64_t> next_{0};
  int64_t parts_ = 0, busy_ = 0, round_ = 0;
};

/** Parts for each thread, so that one that is held up leaves its share to others. */
constexpr int64_t partsOfThread = 4;

}  // namespace

void share(int64_t count, int64_t least, const std::function<void(int64_t, int64_t)>& body) {
  static Pool* const pool = new Pool(wantedThreads());
  const int64_t parts = std::min(count / std::max<int64_t>(1, least), partsOfThread * pool->threads());
  const auto part = [&](int64_t number) { body(count * number / parts, count * (number + 1) / parts); };
  if (pool->threads() > 1 && parts > 1 && pool->run(parts, part)) return;
  body(0, count);
}

}  // namespace cairn
