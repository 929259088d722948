#pragma once
// System calls that Swift does not see, because they are variadic or take macros. Headers that include <sys/types.h> are
// left out, because types of Glibc's module would then count as this one's.
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// A variable of the environment; null also in a program with more privileges than its user (secure_getenv(3), a GNU
// extension that Swift does not import).
char *secure_getenv(const char *name);
static inline const char *cie_environment(const char *name) { return secure_getenv(name); }

// The access control list of an open file (acl(5)), as the kernel stores it; its length, negative if there is none.
extern ssize_t fgetxattr(int descriptor, const char *name, void *bytes, size_t count);
static inline long cie_access_list(int descriptor, void *bytes, size_t count) {
  return fgetxattr(descriptor, "system.posix_acl_access", bytes, count);
}

// Closes all descriptors from a number on in the child process (closefrom(3)); glibc's <spawn.h> declares it for some
// dialects only.
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);
static inline int cie_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// No core dump, and no debugger of the same user (prctl(2), PR_SET_DUMPABLE). Errors are ignored.
static inline void cie_keep_memory_private(void) {
  struct rlimit none = {0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// The columns of a terminal; 0 if unknown, or if it is not a terminal.
static inline int cie_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// A file in memory, without a name (memfd_create(2)); MFD_CLOEXEC is 1.
static inline int cie_memory_file(void) { return (int)syscall(SYS_memfd_create, "cie-read", 1u); }

// A descriptor that can be read once a child process has ended (pidfd_open(2)).
static inline int cie_process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0u); }

// Links the user keyring, which the kernel keeps while the user has processes (user-keyring(7)), to the process keyring
// (KEYCTL_LINK): its keys can be found and read only if it is linked to one that the process possesses.
static inline long cie_reach_user_keyring(void) { return syscall(SYS_keyctl, 8L, -4L, -2L); }

// Creates or updates a key (add_key(2)).
static inline long cie_add_user_key(const char *description, const void *bytes, size_t count) {
  return syscall(SYS_add_key, "user", description, bytes, count, -4L);
}

// The number of a key (KEYCTL_SEARCH).
static inline long cie_find_user_key(const char *description) {
  return syscall(SYS_keyctl, 10L, -4L, "user", description, 0L);
}

// Reads a key (KEYCTL_READ), as far as it fits; returns its length.
static inline long cie_read_key(long key, void *bytes, size_t count) {
  return syscall(SYS_keyctl, 11L, key, bytes, count);
}

// Removes a key (KEYCTL_UNLINK).
static inline long cie_remove_user_key(long key) { return syscall(SYS_keyctl, 9L, key, -4L); }

// 1 if the program at the other end of a Unix socket is of this process's user (SO_PEERCRED, unix(7)); of a listener counts
// its user at listen(2).
static inline int cie_is_peer_of_own_user(int socket) {
  struct {
    int process;
    unsigned int user, group;
  } peer;
  unsigned int length = sizeof peer;
  return syscall(SYS_getsockopt, socket, 1 /* SOL_SOCKET */, 17 /* SO_PEERCRED */, &peer, &length) == 0 &&
         length == sizeof peer && peer.user == geteuid();
}
