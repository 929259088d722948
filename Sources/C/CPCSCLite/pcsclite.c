/* A target needs a source; the library itself is the system's. */
#include "shim.h"
