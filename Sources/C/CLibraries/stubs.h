// A stub for each function, with the name that the linker looks for. It jumps to the address in its slot: at first that of
// `bindFunction`, which opens the library. In assembler, because arguments pass through, also those of variadic functions.
// Hidden, because libraries that call each other must not be bound to them. The slots fill whole pages of the data that is
// read-only after relocation, and are writable only while a library is opened.
#if defined(__x86_64__)
#define STUBS_PAGE 4096
#define STUB "leaq 0b(%rip), %r11\n jmpq *(%r11)\n"
#elif defined(__aarch64__)
#define STUBS_PAGE 65536
#define STUB "adrp x16, 0b\n add x16, x16, :lo12:0b\n ldar x17, [x16]\n br x17\n"
#endif

#define STRING(text) #text
#define SECTION(page) ".pushsection .data.rel.ro.slots,\"aw\",%progbits\n .balign " STRING(page) "\n"

#ifdef STUBS_PAGE
__asm__(SECTION(STUBS_PAGE) "slots:\n .popsection\n");

#define LIBRARY(library, files, packages)
#define FUNCTION(library, name)                                          \
  __asm__(".pushsection .data.rel.ro.slots,\"aw\",%progbits\n"            \
          "0: .quad bindFunction\n .popsection\n"                         \
          ".text\n .globl " #name "\n .hidden " #name "\n"                \
          ".type " #name ", %function\n .balign 16\n" #name ":\n" STUB    \
          ".size " #name ", . - " #name "\n");
#include "libraries.inc"
#undef LIBRARY
#undef FUNCTION

__asm__(SECTION(STUBS_PAGE) "slotsEnd:\n .popsection\n");
#endif

// Makes the linker leave out libraries of which no function is missing. The flag must stand before them on its command line:
// flags of the package's manifest stand behind, those in object files (swift-autolink-extract) before.
__asm__(".pushsection .swift1_autolink_entries,\"e\",%progbits\n .asciz \"-Wl,--as-needed\"\n .popsection\n");

// bindFunction: saves the registers of arguments (System V ABI; AAPCS64 §6.4), has the slot filled, and jumps there.
#if defined(__x86_64__)
__asm__(
    ".text\n .type bindFunction, %function\n bindFunction:\n .cfi_startproc\n"
    "pushq %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n"
    "movq %rsp, %rbp\n .cfi_def_cfa_register %rbp\n"
    "pushq %rax\n pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n pushq %r10\n"
    "subq $128, %rsp\n"
    "movaps %xmm0, (%rsp)\n movaps %xmm1, 16(%rsp)\n movaps %xmm2, 32(%rsp)\n movaps %xmm3, 48(%rsp)\n"
    "movaps %xmm4, 64(%rsp)\n movaps %xmm5, 80(%rsp)\n movaps %xmm6, 96(%rsp)\n movaps %xmm7, 112(%rsp)\n"
    "movq %r11, %rdi\n call fillSlot\n movq %rax, %r11\n"
    "movaps (%rsp), %xmm0\n movaps 16(%rsp), %xmm1\n movaps 32(%rsp), %xmm2\n movaps 48(%rsp), %xmm3\n"
    "movaps 64(%rsp), %xmm4\n movaps 80(%rsp), %xmm5\n movaps 96(%rsp), %xmm6\n movaps 112(%rsp), %xmm7\n"
    "addq $128, %rsp\n"
    "popq %r10\n popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n popq %rax\n popq %rbp\n"
    ".cfi_def_cfa %rsp, 8\n jmpq *%r11\n .cfi_endproc\n .size bindFunction, . - bindFunction\n");
#elif defined(__aarch64__)
__asm__(
    ".text\n .type bindFunction, %function\n bindFunction:\n .cfi_startproc\n"
    "stp x29, x30, [sp, #-16]!\n .cfi_def_cfa_offset 16\n .cfi_offset x29, -16\n .cfi_offset x30, -8\n"
    "mov x29, sp\n .cfi_def_cfa x29, 16\n"
    "stp x0, x1, [sp, #-16]!\n stp x2, x3, [sp, #-16]!\n stp x4, x5, [sp, #-16]!\n"
    "stp x6, x7, [sp, #-16]!\n stp x8, x9, [sp, #-16]!\n"
    "stp q0, q1, [sp, #-32]!\n stp q2, q3, [sp, #-32]!\n stp q4, q5, [sp, #-32]!\n stp q6, q7, [sp, #-32]!\n"
    "mov x0, x16\n bl fillSlot\n mov x17, x0\n"
    "ldp q6, q7, [sp], #32\n ldp q4, q5, [sp], #32\n ldp q2, q3, [sp], #32\n ldp q0, q1, [sp], #32\n"
    "ldp x8, x9, [sp], #16\n ldp x6, x7, [sp], #16\n"
    "ldp x4, x5, [sp], #16\n ldp x2, x3, [sp], #16\n ldp x0, x1, [sp], #16\n ldp x29, x30, [sp], #16\n"
    ".cfi_def_cfa sp, 0\n br x17\n .cfi_endproc\n .size bindFunction, . - bindFunction\n");
#endif
