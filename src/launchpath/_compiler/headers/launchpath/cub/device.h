// CUB's functions of a whole device, which only host code calls: declarations, for host code is read but not run.
#pragma once
#include <launchpath/cub/base.h>
#include <launchpath/cub/double_buffer.h>

namespace __LP_CUB {
#define __LP_CUB_CALL(_Name) template <class... _A> static __attribute__((host)) __LP_CUB_ERROR _Name(_A &&...);
struct CachingDeviceAllocator {
  template <class... _A> __attribute__((host)) CachingDeviceAllocator(_A &&...);
  __LP_CUB_CALL(DeviceAllocate)
  __LP_CUB_CALL(DeviceFree)
  __LP_CUB_CALL(FreeAllCached)
  __LP_CUB_CALL(SetMaxCachedBytes)
};
struct DeviceReduce {
  __LP_CUB_CALL(Reduce)
  __LP_CUB_CALL(Sum)
  __LP_CUB_CALL(Min)
  __LP_CUB_CALL(Max)
  __LP_CUB_CALL(ArgMin)
  __LP_CUB_CALL(ArgMax)
  __LP_CUB_CALL(ReduceByKey)
  __LP_CUB_CALL(TransformReduce)
};
struct DeviceScan {
  __LP_CUB_CALL(ExclusiveSum)
  __LP_CUB_CALL(ExclusiveScan)
  __LP_CUB_CALL(InclusiveSum)
  __LP_CUB_CALL(InclusiveScan)
  __LP_CUB_CALL(InclusiveScanInit)
  __LP_CUB_CALL(ExclusiveSumByKey)
  __LP_CUB_CALL(ExclusiveScanByKey)
  __LP_CUB_CALL(InclusiveSumByKey)
  __LP_CUB_CALL(InclusiveScanByKey)
};
struct DeviceSelect {
  __LP_CUB_CALL(If)
  __LP_CUB_CALL(Flagged)
  __LP_CUB_CALL(FlaggedIf)
  __LP_CUB_CALL(Unique)
  __LP_CUB_CALL(UniqueByKey)
};
struct DevicePartition {
  __LP_CUB_CALL(If)
  __LP_CUB_CALL(Flagged)
};
struct DeviceRadixSort {
  __LP_CUB_CALL(SortKeys)
  __LP_CUB_CALL(SortKeysDescending)
  __LP_CUB_CALL(SortPairs)
  __LP_CUB_CALL(SortPairsDescending)
};
typedef DeviceRadixSort DeviceSegmentedRadixSort;
struct DeviceSegmentedSort : DeviceRadixSort {
  __LP_CUB_CALL(StableSortKeys)
  __LP_CUB_CALL(StableSortKeysDescending)
  __LP_CUB_CALL(StableSortPairs)
  __LP_CUB_CALL(StableSortPairsDescending)
};
struct DeviceMergeSort {
  __LP_CUB_CALL(SortKeys)
  __LP_CUB_CALL(SortKeysCopy)
  __LP_CUB_CALL(SortPairs)
  __LP_CUB_CALL(SortPairsCopy)
  __LP_CUB_CALL(StableSortKeys)
  __LP_CUB_CALL(StableSortKeysCopy)
  __LP_CUB_CALL(StableSortPairs)
};
struct DeviceMerge {
  __LP_CUB_CALL(MergeKeys)
  __LP_CUB_CALL(MergePairs)
};
typedef DeviceReduce DeviceSegmentedReduce;
struct DeviceRunLengthEncode {
  __LP_CUB_CALL(Encode)
  __LP_CUB_CALL(NonTrivialRuns)
};
struct DeviceHistogram {
  __LP_CUB_CALL(HistogramEven)
  __LP_CUB_CALL(HistogramRange)
  template <int, int, class... _A> static __attribute__((host)) __LP_CUB_ERROR MultiHistogramEven(_A &&...);
  template <int, int, class... _A> static __attribute__((host)) __LP_CUB_ERROR MultiHistogramRange(_A &&...);
};
struct DeviceAdjacentDifference {
  __LP_CUB_CALL(SubtractLeft)
  __LP_CUB_CALL(SubtractLeftCopy)
  __LP_CUB_CALL(SubtractRight)
  __LP_CUB_CALL(SubtractRightCopy)
};
struct DeviceSpmv {
  __LP_CUB_CALL(CsrMV)
};
struct DeviceMemcpy {
  __LP_CUB_CALL(Batched)
};
struct DeviceCopy {
  __LP_CUB_CALL(Batched)
};
struct DeviceFor {
  __LP_CUB_CALL(Bulk)
  __LP_CUB_CALL(ForEach)
  __LP_CUB_CALL(ForEachN)
  __LP_CUB_CALL(ForEachCopy)
  __LP_CUB_CALL(ForEachCopyN)
};
struct DeviceTransform {
  __LP_CUB_CALL(Transform)
};
#undef __LP_CUB_CALL
}  // namespace __LP_CUB
