// Bounds the memory of a C++ library that inflates and parses what strangers wrote.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Memory that a thread may take by C++'s operator new while the budget is in force.
struct cie_memory_budget {
  /// Bytes that may be in use at a time.
  size_t limit;
  /// Bytes in use.
  size_t live;
  /// Bytes that may still be taken, whether given back or not: a bound of the work.
  size_t rest;
  /// True after a request that was refused with std::bad_alloc.
  bool isSpent;
};

/// Puts a budget in force for this thread, or none if it is null.
///
/// @return The budget that was in force before.
struct cie_memory_budget *cie_memory_budget_use(struct cie_memory_budget *budget);

#ifdef __cplusplus
}
#endif
