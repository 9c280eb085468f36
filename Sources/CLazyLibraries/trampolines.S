// Each function of functions.h: a jump to where `livephoto_targets` leads, which at first is `resolve`. That keeps the
// arguments, whatever they are, asks `livephoto_resolve` for the function, and goes on there as if it had been called.
#ifdef __linux__

#ifdef __x86_64__

// System V ABI: arguments are in six registers, vector ones in eight, how many of these in al; r11 is for linkers.
        .text
        .p2align 4
        .type resolve, %function
resolve:
        .cfi_startproc
        endbr64
        pushq %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq $192, %rsp
        movaps %xmm0, 0(%rsp)
        movaps %xmm1, 16(%rsp)
        movaps %xmm2, 32(%rsp)
        movaps %xmm3, 48(%rsp)
        movaps %xmm4, 64(%rsp)
        movaps %xmm5, 80(%rsp)
        movaps %xmm6, 96(%rsp)
        movaps %xmm7, 112(%rsp)
        movq %rdi, 128(%rsp)
        movq %rsi, 136(%rsp)
        movq %rdx, 144(%rsp)
        movq %rcx, 152(%rsp)
        movq %r8, 160(%rsp)
        movq %r9, 168(%rsp)
        movq %rax, 176(%rsp)
        movq %r11, %rdi
        callq livephoto_resolve
        movq %rax, %r11
        movaps 0(%rsp), %xmm0
        movaps 16(%rsp), %xmm1
        movaps 32(%rsp), %xmm2
        movaps 48(%rsp), %xmm3
        movaps 64(%rsp), %xmm4
        movaps 80(%rsp), %xmm5
        movaps 96(%rsp), %xmm6
        movaps 112(%rsp), %xmm7
        movq 128(%rsp), %rdi
        movq 136(%rsp), %rsi
        movq 144(%rsp), %rdx
        movq 152(%rsp), %rcx
        movq 160(%rsp), %r8
        movq 168(%rsp), %r9
        movq 176(%rsp), %rax
        leave
        .cfi_def_cfa %rsp, 8
        jmpq *%r11
        .cfi_endproc
        .size resolve, . - resolve

.macro to_target
        endbr64
        leaq 1f(%rip), %r11
        jmpq *(%r11)
.endm

#elif defined(__aarch64__)

// AAPCS64: arguments are in x0 to x7, vector ones in q0 to q7, the place for a large result in x8; x16 and x17 are for
// linkers, and what is jumped to through them may begin with `bti c` (written as its hint for older assemblers).
        .text
        .p2align 4
        .type resolve, %function
resolve:
        .cfi_startproc
        hint #34
        stp x29, x30, [sp, #-224]!
        .cfi_def_cfa_offset 224
        .cfi_offset x29, -224
        .cfi_offset x30, -216
        mov x29, sp
        .cfi_def_cfa_register x29
        stp x0, x1, [sp, #16]
        stp x2, x3, [sp, #32]
        stp x4, x5, [sp, #48]
        stp x6, x7, [sp, #64]
        str x8, [sp, #80]
        stp q0, q1, [sp, #96]
        stp q2, q3, [sp, #128]
        stp q4, q5, [sp, #160]
        stp q6, q7, [sp, #192]
        mov x0, x16
        bl livephoto_resolve
        mov x17, x0
        ldp x0, x1, [sp, #16]
        ldp x2, x3, [sp, #32]
        ldp x4, x5, [sp, #48]
        ldp x6, x7, [sp, #64]
        ldr x8, [sp, #80]
        ldp q0, q1, [sp, #96]
        ldp q2, q3, [sp, #128]
        ldp q4, q5, [sp, #160]
        ldp q6, q7, [sp, #192]
        ldp x29, x30, [sp], #224
        .cfi_def_cfa sp, 0
        .cfi_restore x29
        .cfi_restore x30
        br x17
        .cfi_endproc
        .size resolve, . - resolve

.macro to_target
        hint #34
        adrp x16, 1f
        add x16, x16, :lo12:1f
        ldr x17, [x16]
        br x17
.endm

#else
#error "Trampolines are written for x86-64 and AArch64; write some for this architecture."
#endif

// Hidden, so that the libraries' own calls do not come here.
.macro trampoline name
        .text
        .p2align 4
        .globl \name
        .hidden \name
        .type \name, %function
\name:
        .cfi_startproc
        to_target
        .cfi_endproc
        .size \name, . - \name

        .data
1:
        .quad resolve
.endm

        .data
        .p2align 3
        .globl livephoto_targets
        .hidden livephoto_targets
        .type livephoto_targets, %object
livephoto_targets:

#define LIBRARY(name, major)
#define FUNCTION(library, name) trampoline name
#include "functions.h"

        .size livephoto_targets, . - livephoto_targets

        .section .note.GNU-stack, "", %progbits
#endif
