#include "CBuild.h"

#include <stddef.h>

#ifdef LIVEPHOTO_COMMIT
#define TEXT(words) #words
#define EXPANDED_TEXT(macro) TEXT(macro)
const char *const livephoto_commit = EXPANDED_TEXT(LIVEPHOTO_COMMIT);
#else
const char *const livephoto_commit = NULL;
#endif
