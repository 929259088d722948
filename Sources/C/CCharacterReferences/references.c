#include "character-references.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char names[] = {
#embed "names.txt"
};

const unsigned char *characterReferenceNames(size_t *length) {
  *length = sizeof names;
  return names;
}
