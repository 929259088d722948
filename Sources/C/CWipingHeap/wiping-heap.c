// Freed memory without its contents, for a program that stays: a request with a PIN passes through the buffers of the HTTP
// library, of a JSON parser and of Swift's texts, each of which frees them as they are.
//
// A program's definition of free and realloc comes before glibc's in all libraries, and glibc's are reached by names that
// have been there since its first release. A sanitizer has an allocator for itself, to which these would be fatal.

#define _GNU_SOURCE 1
#include "CWipingHeap.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#ifdef HAS_SANITIZER

void cie_wipe_freed_memory(void) {}
void cie_wipe_stack(void) {}

#else

#include <dlfcn.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// A text of up to 15 bytes is in a Swift value itself, and so on the stack.
__attribute__((noinline)) void cie_wipe_stack(void) {
  char used[96 << 10];
  explicit_bzero(used, sizeof used);
}

void __libc_free(void *block);
void *__libc_realloc(void *block, size_t size);

typedef void *reallocation(void *block, size_t size);

static int is_wiping;

// The realloc of a preloaded allocator, otherwise glibc's; while it is looked for, glibc's.
static reallocation *usual(void) {
  static reallocation *found;
  reallocation *known = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
  if (known) return known;
  __atomic_store_n(&found, __libc_realloc, __ATOMIC_RELEASE);
  known = (reallocation *)dlsym(RTLD_NEXT, "realloc");
  if (known) __atomic_store_n(&found, known, __ATOMIC_RELEASE);
  return known ? known : __libc_realloc;
}

void cie_wipe_freed_memory(void) { is_wiping = 1; }

void free(void *block) {
  if (is_wiping && block) explicit_bzero(block, malloc_usable_size(block));
  __libc_free(block);
}

void *realloc(void *block, size_t size) {
  // A jump, so that the allocator sees the caller.
  if (!is_wiping || !block || !size) {
    reallocation *next = usual();
    __attribute__((musttail)) return next(block, size);
  }
  size_t old = malloc_usable_size(block);
  // A little room is worth no copy; more of it goes back.
  if (size <= old && size >= old / 2) return block;
  void *moved = malloc(size);
  if (!moved) return NULL;
  memcpy(moved, block, old < size ? old : size);
  free(block);
  return moved;
}

#endif
