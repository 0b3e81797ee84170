// The commit that the program was built from. Only the program's start sees it, so that a new commit compiles two small
// files and no module.
#pragma once

// A static text; empty where the program was not built by the Makefile, or outside of git.
const char *_Nonnull splitreel_commit(void);
