#pragma once
// A system call filter (seccomp(2)) for a process that only calculates; in C because prctl is variadic and the filter
// is made of macros.
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
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
