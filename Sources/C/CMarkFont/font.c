#include "CMarkFont.h"

// C23, which clang has in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char glyphs[] = {
#embed "glyphs.bin"
};

const unsigned char *markFont(size_t *count) {
  *count = sizeof glyphs;
  return glyphs;
}
