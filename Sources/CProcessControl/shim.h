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

// Keys in the keyring of the user, which the kernel keeps while the user has processes (user-keyring(7)): they are found
// and read by who has the keyring in one of its own, so the process's gets it first (KEYCTL_LINK).
static inline long cie_reach_user_keyring(void) { return syscall(SYS_keyctl, 8L, -4L, -2L); }

// Makes a key, or gives it other contents (add_key(2)).
static inline long cie_add_user_key(const char *description, const void *bytes, size_t count) {
  return syscall(SYS_add_key, "user", description, bytes, count, -4L);
}

// The number of a key (KEYCTL_SEARCH).
static inline long cie_find_user_key(const char *description) {
  return syscall(SYS_keyctl, 10L, -4L, "user", description, 0L);
}

// The bytes of a key (KEYCTL_READ), as far as they fit; how many it has.
static inline long cie_read_key(long key, void *bytes, size_t count) {
  return syscall(SYS_keyctl, 11L, key, bytes, count);
}

// Takes a key away (KEYCTL_UNLINK).
static inline long cie_remove_user_key(long key) { return syscall(SYS_keyctl, 9L, key, -4L); }
