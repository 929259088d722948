#include <stddef.h>

/// The font of visible marks, in the form that `make-mark-font` says; `count` gets the number of its bytes.
const unsigned char *markFont(size_t *count);
