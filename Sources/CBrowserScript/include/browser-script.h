#include <stddef.h>

/// What runs inside Firefox for the time of a login: JavaScript in UTF-8.
const unsigned char *firefox_script_bytes(void);

/// How many bytes it has.
size_t firefox_script_length(void);
