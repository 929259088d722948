/* An allocator without memory for some libraries only: preloaded, it fails the n-th allocation requested
 * from inside of the libraries named in FAIL_LIBRARIES (parts of file names, or `program`, separated by colons), and all after it
 * where FAIL_ON is set. The file FAIL_COUNT has their number, a long of this machine.
 *
 * The return address identifies the caller: each of these libraries calls malloc, calloc, realloc and strdup from its
 * own text.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

enum { MOST_RANGES = 16 };
static struct range { uintptr_t begin, end; } ranges[MOST_RANGES];
static int range_count;
static atomic_long none, *asked = &none;
static long wanted = -1;
static int goes_on;
static atomic_int ready;

static int is_named(const char *path, const char *names) {
  for (const char *at = names; *at;) {
    size_t length = strcspn(at, ":");
    char name[64] = {0};
    if (length && length < sizeof name) {
      memcpy(name, at, length);
      if (strstr(path, name)) return 1;
    }
    at += length + (at[length] == ':');
  }
  return 0;
}

static int note(struct dl_phdr_info *info, size_t size, void *names) {
  (void)size;
  if (!is_named(*info->dlpi_name ? info->dlpi_name : "program", names)) return 0;
  for (int i = 0; i < info->dlpi_phnum && range_count < MOST_RANGES; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    ranges[range_count++] = (struct range){
      info->dlpi_addr + part->p_vaddr, info->dlpi_addr + part->p_vaddr + part->p_memsz};
  }
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *names = getenv("FAIL_LIBRARIES"), *number = getenv("FAIL_AT");
  if (!names) return;
  wanted = number ? atol(number) : -1;
  goes_on = getenv("FAIL_ON") != NULL;
  const char *counter = getenv("FAIL_COUNT");
  int file = counter ? open(counter, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  if (file >= 0 && ftruncate(file, sizeof *asked) == 0) {
    void *shared = mmap(NULL, sizeof *asked, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) asked = shared;
  }
  if (file >= 0) close(file);
  dl_iterate_phdr(note, (void *)names);
  /* The program's own children are not limited. */
  unsetenv("LD_PRELOAD");
  atomic_store(&ready, 1);
}

/* Decides whether this allocation fails. */
static int fails(uintptr_t caller) {
  if (!atomic_load(&ready)) return 0;
  for (int i = 0; i < range_count; i++) {
    if (caller < ranges[i].begin || caller >= ranges[i].end) continue;
    long number = atomic_fetch_add(asked, 1) + 1;
    return number == wanted || (goes_on && wanted > 0 && number > wanted);
  }
  return 0;
}

#define CALLER ((uintptr_t)__builtin_return_address(0))

void *malloc(size_t size) { return fails(CALLER) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(CALLER) ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return fails(CALLER) ? NULL : __libc_realloc(block, size); }
char *strdup(const char *text) {
  size_t length = strlen(text) + 1;
  char *copy = fails(CALLER) ? NULL : __libc_malloc(length);
  return copy ? memcpy(copy, text, length) : NULL;
}
