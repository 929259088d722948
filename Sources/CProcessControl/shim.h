#pragma once
// System calls that Swift does not see, because they are variadic or take macros.
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// No core dump, and no debugger of the same user (prctl(2), PR_SET_DUMPABLE). What is refused is left as it is.
static inline void cie_keep_memory_private(void) {
  struct rlimit none = {0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// The columns of a terminal; 0 where it does not say, or is none.
static inline int cie_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
