// The replaceable allocation functions of C++ ([new.delete]), with a budget for the thread that has one.
//
// qpdf inflates object streams and builds its objects without a limit: three kilobytes of a file take gigabytes. A program's
// own operator new is also that of the libraries it opens, and std::bad_alloc is an error that qpdf reports like others.

#include "memory-budget.h"

#include <malloc.h>
#include <stdlib.h>

#include <algorithm>
#include <new>

static const size_t margin = 1 << 20;

static thread_local cie_memory_budget *current = nullptr;

cie_memory_budget *cie_memory_budget_use(cie_memory_budget *budget) {
  cie_memory_budget *before = current;
  current = budget;
  return before;
}

void *operator new(size_t size) {
  cie_memory_budget *budget = current;
  if (budget && (size > budget->rest || size > budget->limit - std::min(budget->limit, budget->live))) {
    budget->isSpent = true;
    // The handling of the error takes memory, too.
    budget->rest = margin;
    budget->limit = budget->live + margin;
    throw std::bad_alloc();
  }
  void *block = malloc(std::max<size_t>(size, 1));
  if (!block) throw std::bad_alloc();
  if (budget) {
    budget->rest -= size;
    budget->live += malloc_usable_size(block);
  }
  return block;
}

void operator delete(void *block) noexcept {
  // A block may be older than the budget, so that more is given back than was taken.
  if (current && block) current->live -= std::min(current->live, malloc_usable_size(block));
  free(block);
}

void operator delete(void *block, size_t) noexcept { operator delete(block); }
