// ASS scripts: libass; and what Swift cannot write: a callback that takes a va_list.
#pragma once
// Safe to hold, and so are its plain fields. Before libass's header, since the attribute goes to the first declaration.
struct __attribute__((swift_attr("safe"))) ass_image;

#include <ass/ass.h>
#include <stdarg.h>
#include <string.h>

static inline void splitreel_ass_log(int level, const char *format, va_list arguments, void *lacks_rules) {
    (void)level, (void)arguments;
    if (strstr(format, "No usable fontconfig configuration") != NULL) *(int *)lacks_rules = 1;
}

// Whatever a script says of itself is for nobody; `lacks_rules` becomes 1 where libass could not read the rules for
// fonts and took the machine's. It must live as long as the library.
static inline void splitreel_ass_listen(ASS_Library *library, int *lacks_rules) {
    ass_set_message_cb(library, splitreel_ass_log, lacks_rules);
}
