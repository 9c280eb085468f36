// How this program was built. In C, so that another commit recompiles one small file and nothing else.
#pragma once

// The commit of the sources, or what LIVEPHOTO_COMMIT was when they were built. NULL outside a repository.
extern const char *const livephoto_commit;
