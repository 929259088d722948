#include "browser-script.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char firefox[] = {
#embed "firefox/connection.js" suffix(,)
#embed "firefox/tabs.js" suffix(,)
#embed "firefox/pages.js" suffix(,)
#embed "firefox/watch.js" suffix(,)
};

const unsigned char *firefox_script_bytes(void) { return firefox; }

size_t firefox_script_length(void) { return sizeof firefox; }
