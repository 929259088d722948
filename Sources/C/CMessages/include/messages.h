#include <stddef.h>

/// The table of messages: the files under `tables`, concatenated, in UTF-8.
const unsigned char *messages_bytes(void);

/// Its length in bytes.
size_t messages_length(void);
