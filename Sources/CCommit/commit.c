#include "CCommit.h"

// The Makefile writes it: one definition of SPLITREEL_COMMIT.
#if __has_include("commit.generated.h")
#include "commit.generated.h"
#endif

#ifndef SPLITREEL_COMMIT
#define SPLITREEL_COMMIT ""
#endif

const char *splitreel_commit(void) { return SPLITREEL_COMMIT; }
