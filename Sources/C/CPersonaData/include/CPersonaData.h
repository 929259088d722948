// The data files of the personas, compiled into the program.
#ifndef CPERSONADATA_H
#define CPERSONADATA_H

#include <stddef.h>
#include <stdint.h>

/// One file of a persona.
struct PersonaFile {
  const uint8_t *_Nullable bytes;
  size_t count;
};

/// The file of this name in a persona's folder, such as "travel-document/dg1.der"; empty if there is none.
struct PersonaFile personaFile(const char *_Nonnull persona, const char *_Nonnull name);

#endif
