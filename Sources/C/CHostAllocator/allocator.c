// Makes Swift work with an allocator other than glibc's.
//
// A module uses its host's malloc. Chromium's keeps private bytes at the end of a block, and malloc_usable_size then
// returns sizes that are not a multiple of 8. Swift 6.3 assumes that they are when a string outgrows 128 bytes, and puts a
// pointer at the end, over those bytes: the host aborts at the next free. Rounding the result down is not enough, because
// an array may request a size that is not a multiple of 8, and Swift would find its block too small: requests are rounded
// up, too. The linker's --wrap makes the static Swift runtime call these functions (CiePKCS11/Exports).

#include <stddef.h>
#include <stdint.h>

#include "CHostAllocator.h"

void *__real_malloc(size_t size);
size_t __real_malloc_usable_size(void *block);

static const size_t step = 8;

void *__wrap_malloc(size_t size) {
  size_t rounded = size > SIZE_MAX - (step - 1) ? size : (size + (step - 1)) & ~(step - 1);
  return __real_malloc(rounded);
}

size_t __wrap_malloc_usable_size(void *block) {
  return __real_malloc_usable_size(block) & ~(step - 1);
}
