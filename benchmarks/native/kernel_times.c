// Sums the run times of a program's kernels by CUPTI: CUDA loads this library into the program where
// CUDA_INJECTION64_PATH names it. At exit it writes, for each kernel and configuration, a line into the file
// KERNEL_TIMES: launches, nanoseconds in all, least nanoseconds, name, blocks and threads.
//
//     gcc -shared -fPIC -I$CUDA/include -I$CUDA/extras/CUPTI/include kernel_times.c -o kernel_times.so -lcupti
#define _GNU_SOURCE
#include <cupti.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 512
#define BUFFER (8u << 20)

static struct {
  char *name;
  unsigned long launches;
  double total, least;
} kernels[MOST];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(const CUpti_ActivityKernel10 *record) {
  char name[4096];
  double time = (double)(record->end - record->start);
  int at;
  snprintf(name, sizeof name, "%s\t%d,%d,%d\t%d,%d,%d", record->name, record->gridX, record->gridY, record->gridZ,
           record->blockX, record->blockY, record->blockZ);
  for (at = 0; at < count && strcmp(kernels[at].name, name); at++)
    ;
  if (at == MOST) return;
  if (at == count) {
    kernels[at].name = strdup(name);
    kernels[at].least = time;
    count++;
  }
  kernels[at].launches++;
  kernels[at].total += time;
  if (time < kernels[at].least) kernels[at].least = time;
}

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *most) {
  *size = BUFFER;
  *buffer = aligned_alloc(64, BUFFER);
  *most = 0;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t filled) {
  CUpti_Activity *record = NULL;
  pthread_mutex_lock(&lock);
  while (cuptiActivityGetNextRecord(buffer, filled, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) add((const CUpti_ActivityKernel10 *)record);
  pthread_mutex_unlock(&lock);
  free(buffer);
}

static void write_times(void) {
  const char *path = getenv("KERNEL_TIMES");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  cuptiActivityFlushAll(1);
  for (int at = 0; at < count; at++)
    fprintf(file, "%lu\t%.0f\t%.0f\t%s\n", kernels[at].launches, kernels[at].total, kernels[at].least, kernels[at].name);
  fclose(file);
}

int InitializeInjection(void) {
  cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  atexit(write_times);
  return 1;
}
