// Swift on an allocator that is not glibc's.
//
// A module lives on its host's malloc. Chromium's keeps bytes of its own at the end of a block, and malloc_usable_size
// then answers numbers that are no multiple of 8. Swift 6.3 takes the answer for one when a string outgrows 128 bytes,
// puts a pointer at its end, and so over those bytes: the host aborts at the next free. Rounding the answer down is not
// enough, because the request of an array need not be a multiple of 8 and Swift then finds its block too small: what is
// asked for is rounded up, too. The linker's --wrap lets the static Swift runtime call these (CiePKCS11Exports).

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
