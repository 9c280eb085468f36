#include <stddef.h>
#include <stdint.h>

// libFuzzer as a library, which LLVM ships without a header.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));

// Changes bytes in one of libFuzzer's own ways, and returns their new number.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t limit);

// memfd_create(2), which glibc shows to none but GNU sources.
int memfd_create(const char *name, unsigned int flags);
