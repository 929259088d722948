#pragma once
// System call filters (seccomp(2)) for a process that only calculates, and for one that also reads what programs are made of
// (landlock(7)); in C because prctl is variadic and the filters are made of macros.
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define CIE_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CIE_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

// Closes this descriptor and all above it, without a list of those that are open.
static inline int cie_close_descriptors_from(unsigned int first) {
  return (int)syscall(__NR_close_range, first, ~0U, 0);
}

// No new privileges, no core dump, no debugger; the process is killed when its parent ends.
static inline int cie_drop_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) | prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) |
         prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

// Kills the process at any system call except those for calculation, for memory that is not executable, and for
// descriptors that are already open. Returns 0, or -1 if the kernel has no such filter.
static inline int cie_only_calculate(void) {
#ifdef CIE_AUDIT_ARCH
#define CIE_LOAD(field) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define CIE_ALLOW(number)                                  \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),     \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  // Argument 2 of mmap and mprotect, its low half on these little-endian machines, must not ask for execution.
#define CIE_ALLOW_DATA(number)                                         \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4),                 \
      CIE_LOAD(args[2]),                                               \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),           \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),             \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  struct sock_filter filter[] = {
      CIE_LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CIE_AUDIT_ARCH, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      CIE_LOAD(nr),
      CIE_ALLOW(__NR_read),
      CIE_ALLOW(__NR_write),
      CIE_ALLOW(__NR_brk),
      CIE_ALLOW(__NR_munmap),
      CIE_ALLOW(__NR_mremap),
      CIE_ALLOW(__NR_madvise),
      CIE_ALLOW(__NR_futex),
      CIE_ALLOW(__NR_clock_gettime),
      CIE_ALLOW(__NR_rt_sigreturn),
      CIE_ALLOW(__NR_restart_syscall),
      CIE_ALLOW(__NR_exit),
      CIE_ALLOW(__NR_exit_group),
      CIE_ALLOW_DATA(__NR_mmap),
      CIE_ALLOW_DATA(__NR_mprotect),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  struct sock_fprog program = {
      .len = (unsigned short)(sizeof filter / sizeof *filter), .filter = filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#else
  errno = ENOSYS;
  return -1;
#endif
}

#ifdef CIE_AUDIT_ARCH
// The calls of a program that reads files and writes to descriptors it was given.
static const unsigned int cie_calls_of_drawing[] = {
    __NR_read, __NR_write, __NR_writev, __NR_close, __NR_lseek, __NR_pread64, __NR_fstat, __NR_newfstatat, __NR_statx,
    __NR_fstatfs, __NR_statfs, __NR_faccessat, __NR_faccessat2, __NR_readlinkat, __NR_getdents64, __NR_fcntl,
    __NR_fadvise64, __NR_mmap, __NR_mprotect, __NR_munmap, __NR_mremap, __NR_madvise, __NR_brk, __NR_futex,
    __NR_getrandom, __NR_set_tid_address, __NR_set_robust_list, __NR_rseq, __NR_clock_gettime, __NR_rt_sigaction,
    __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_restart_syscall, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid,
    __NR_execve, __NR_exit, __NR_exit_group,
#ifdef __x86_64__
    __NR_access, __NR_readlink, __NR_stat, __NR_lstat, __NR_arch_prctl,
#endif
};
#endif

// Refuses all calls but those of drawing, and files opened for anything but reading; a program's libraries may ask for
// others and do without. Returns 0, or -1 if the kernel has no such filter.
static inline int cie_only_draw(void) {
#ifdef CIE_AUDIT_ARCH
  enum { count = sizeof cie_calls_of_drawing / sizeof *cie_calls_of_drawing };
  const struct sock_filter start[] = {
      CIE_LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CIE_AUDIT_ARCH, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      CIE_LOAD(nr),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 4),
      CIE_LOAD(args[2]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  enum { first = sizeof start / sizeof *start };
  struct sock_filter filter[first + 2 * count + 1];
  for (int index = 0; index < first; index += 1) filter[index] = start[index];
  for (int index = 0; index < count; index += 1) {
    const struct sock_filter allow[] = {CIE_ALLOW(cie_calls_of_drawing[index])};
    filter[first + 2 * index] = allow[0];
    filter[first + 2 * index + 1] = allow[1];
  }
  filter[first + 2 * count] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  struct sock_fprog program = {.len = first + 2 * count + 1, .filter = filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Leaves files to be read only where programs, libraries and fonts are. Returns 0, or -1 if the kernel has no Landlock.
static inline int cie_only_read_system(void) {
  struct landlock_ruleset_attr attributes = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
  const int rules = (int)syscall(__NR_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
  if (rules < 0) return -1;
  static const char *const folders[] = {"/usr", "/lib", "/lib64", "/etc/fonts", "/etc/ld.so.cache", "/var/cache/fontconfig"};
  for (unsigned int index = 0; index < sizeof folders / sizeof *folders; index += 1) {
    struct landlock_path_beneath_attr rule = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE};
    rule.parent_fd = open(folders[index], O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (rule.parent_fd >= 0) rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
    else rule.parent_fd = open(folders[index], O_RDONLY | O_CLOEXEC);
    if (rule.parent_fd < 0) continue;
    syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
  }
  const int result = (int)syscall(__NR_landlock_restrict_self, rules, 0);
  close(rules);
  return result;
}
