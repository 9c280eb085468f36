// How this program was built. In C, so that another commit recompiles one small file and nothing else.
#pragma once

// What LIVEPHOTO_COMMIT was in the environment of the build; NULL if it was not set.
extern const char *const livephoto_commit;
