#include <stddef.h>

/// The script that runs inside Firefox during a login: JavaScript in UTF-8.
const unsigned char *firefox_script_bytes(void);

/// Its length in bytes.
size_t firefox_script_length(void);
