// The table of all personas. A new one is a folder in data, two lines and a row here, and a name in Persona+All.swift.
#include "CPersonaData.h"
#include <string.h>

// C23, which clang has in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define TEXT_(words) #words
#define TEXT(words) TEXT_(words)
#define JOINED_(first, second) first##_##second
#define JOINED(first, second) JOINED_(first, second)

struct NamedFile {
  const char *name;
  struct PersonaFile file;
};

#define PERSONA gemalto
#include "persona.inc"
#define PERSONA gemalto2
#include "persona.inc"
#define PERSONA nxp
#include "persona.inc"
#define PERSONA st
#include "persona.inc"
#define PERSONA itj4
#include "persona.inc"
#define PERSONA unknown
#include "persona.inc"
#define PERSONA senior
#include "persona.inc"
#define PERSONA early
#include "persona.inc"
#define PERSONA recalled
#include "persona.inc"

#define ROW(persona) {#persona, JOINED(persona, files), sizeof JOINED(persona, files) / sizeof(struct NamedFile)}

static const struct {
  const char *persona;
  const struct NamedFile *files;
  size_t count;
} personas[] = {
    ROW(gemalto), ROW(gemalto2), ROW(nxp),   ROW(st),       ROW(itj4),
    ROW(unknown), ROW(senior),   ROW(early), ROW(recalled),
};

struct PersonaFile personaFile(const char *persona, const char *name) {
  for (size_t row = 0; row < sizeof personas / sizeof *personas; row++) {
    if (strcmp(personas[row].persona, persona) != 0) continue;
    for (size_t index = 0; index < personas[row].count; index++)
      if (strcmp(personas[row].files[index].name, name) == 0) return personas[row].files[index].file;
  }
  return (struct PersonaFile){NULL, 0};
}
