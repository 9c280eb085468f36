#include "CBuild.h"

#include <stddef.h>

#ifdef LIVEPHOTO_COMMIT
const char *const livephoto_commit = LIVEPHOTO_COMMIT;
#else
const char *const livephoto_commit = NULL;
#endif
