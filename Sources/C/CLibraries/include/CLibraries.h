// Libraries that are opened when one of their functions is called first, because most commands need none of them, and
// opening them all takes longer than such a command. The functions are called by their own names.
#ifndef CLIBRARIES_H
#define CLIBRARIES_H

#include <stdbool.h>

/// A library that is opened on use.
enum Library {
#define LIBRARY(library, files, packages) library_##library,
#define FUNCTION(library, name)
#include "../libraries.inc"
#undef LIBRARY
#undef FUNCTION
};

/// Ends the program because a library cannot be opened: the packages of it, one of which is enough, separated by `|`, and
/// the loader's words.
typedef void (*MissingLibraryHandler)(
    void *_Nullable context, const char *_Nonnull package, const char *_Nonnull reason);

/// Sets what ends the program. Without it, and where it returns, a line on standard error does.
void setMissingLibraryHandler(_Nonnull MissingLibraryHandler handler, void *_Nullable context);

/// Opens a library with all functions that are used of it, as the first call of one does; ends the program where that fails.
void requireLibrary(enum Library library);

/// Opens a library with all functions that are used of it, if that is possible.
bool hasLibrary(enum Library library);

#endif
