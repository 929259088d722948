#pragma once
// System calls that Swift does not see, because they are variadic or take macros.
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

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

// A file in memory, without a name (memfd_create(2)); MFD_CLOEXEC is 1.
static inline int cie_memory_file(void) { return (int)syscall(SYS_memfd_create, "cie-read", 1u); }

// A descriptor that can be read once a child process has ended (pidfd_open(2)).
static inline int cie_process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0u); }
