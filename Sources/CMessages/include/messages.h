#include <stddef.h>

/// The table of messages, as the files under `tables` hold it: UTF-8, one after the other.
const unsigned char *messages_bytes(void);

/// How many bytes it has.
size_t messages_length(void);
