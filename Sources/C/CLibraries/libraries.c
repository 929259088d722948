#include "CLibraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stubs.h"

// The files are one behind the other, and end with an empty name.
static const struct {
  const char *files, *packages;
} libraries[] = {
#define LIBRARY(library, files, packages) [library_##library] = {files "\0", packages},
#define FUNCTION(library, name)
#include "libraries.inc"
#undef LIBRARY
#undef FUNCTION
};

static void *openFile(enum Library library) {
  void *handle = NULL;
  for (const char *file = libraries[library].files; *file && !handle; file += strlen(file) + 1)
    handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  // The reason that counts is that of the first.
  return handle ? handle : dlopen(libraries[library].files, RTLD_NOW | RTLD_LOCAL);
}

static MissingLibraryHandler handler;
static void *handlerContext;

void setMissingLibraryHandler(MissingLibraryHandler end, void *context) {
  handlerContext = context;
  handler = end;
}

#ifdef STUBS_PAGE

static const struct {
  enum Library library;
  const char *name;
} functions[] = {
#define LIBRARY(library, files, packages)
#define FUNCTION(library, name) {library_##library, #name},
#include "libraries.inc"
#undef LIBRARY
#undef FUNCTION
};

enum { functionCount = sizeof functions / sizeof *functions };

// One for each function, in the same order.
extern __attribute__((visibility("hidden"))) void *slots[], *slotsEnd[];

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

// Fills the slots of a library once all of its functions are found, and leaves them as they are otherwise.
static const char *fillSlots(enum Library library) {
  void *found[functionCount];
  void *const handle = openFile(library);
  if (!handle) return dlerror();
  // Another release of a library below may be loaded with it than the one whose objects it is to work on.
  if (library == library_xmlsec && dlsym(handle, "xmlFreeDoc") != dlsym(openFile(library_xml2), "xmlFreeDoc"))
    return "libxmlsec1 is of another libxml2";
  if (library == library_xmlsecOpenSSL && dlsym(handle, "xmlSecInit") != dlsym(openFile(library_xmlsec), "xmlSecInit"))
    return "libxmlsec1-openssl is of another libxmlsec1";
  for (size_t index = 0; index < functionCount; index++) {
    if (functions[index].library != library) continue;
    found[index] = dlsym(handle, functions[index].name);
    if (!found[index]) return dlerror();
  }
  const size_t size = (size_t)((char *)slotsEnd - (char *)slots);
  if (mprotect(slots, size, PROT_READ | PROT_WRITE) != 0) return "mprotect";
  for (size_t index = 0; index < functionCount; index++)
    if (functions[index].library == library) __atomic_store_n(&slots[index], found[index], __ATOMIC_RELEASE);
  mprotect(slots, size, PROT_READ);
  return NULL;
}

static const char *openLibrary(enum Library library) {
  pthread_mutex_lock(&opening);
  const char *const reason = fillSlots(library);
  pthread_mutex_unlock(&opening);
  return reason;
}

// Fills a slot for bindFunction, and returns its new contents.
__attribute__((used, visibility("hidden"))) void *fillSlot(void **slot) {
  requireLibrary(functions[slot - slots].library);
  return *slot;
}

#else

// Machines without stubs have the libraries linked.
static const char *openLibrary(enum Library library) {
  return openFile(library) ? NULL : dlerror();
}

#endif

bool hasLibrary(enum Library library) { return openLibrary(library) == NULL; }

// Ends the program, because the caller of a function expects no error in its place.
void requireLibrary(enum Library library) {
  const char *const reason = openLibrary(library);
  if (!reason) return;
  if (handler) handler(handlerContext, libraries[library].packages, reason);
  dprintf(STDERR_FILENO, "%s (package %s)\n", reason, libraries[library].packages);
  _exit(EXIT_FAILURE);
}
