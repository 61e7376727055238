// The stopwatch of CUDA's samples: times in milliseconds.
#pragma once
#include <chrono>

class StopWatchInterface {
 public:
  virtual ~StopWatchInterface() {}
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual void reset() = 0;
  virtual float getTime() = 0;
  virtual float getAverageTime() = 0;
};
class StopWatchLinux : public StopWatchInterface {
 public:
  void start() override { begin = std::chrono::steady_clock::now(), running = true; }
  void stop() override { total += since(), running = false, ++sessions; }
  void reset() override { total = 0, sessions = 0, begin = std::chrono::steady_clock::now(); }
  float getTime() override { return running ? total + since() : total; }
  float getAverageTime() override { return sessions ? total / sessions : 0; }

 private:
  float since() const {
    return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  std::chrono::steady_clock::time_point begin;
  float total = 0;
  bool running = false;
  int sessions = 0;
};

inline bool sdkCreateTimer(StopWatchInterface **timer) { return (*timer = new StopWatchLinux()) != nullptr; }
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer) {
  if (*timer) (*timer)->start();
  return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer) {
  if (*timer) (*timer)->stop();
  return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer) {
  if (*timer) (*timer)->reset();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getTime() : 0; }
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getAverageTime() : 0; }
