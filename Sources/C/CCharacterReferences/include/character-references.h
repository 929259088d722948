#pragma once
#include <stddef.h>

// The named character references of the HTML Living Standard (§13.5), sorted by bytes, with a comma or a line feed after
// each: the name, with its semicolon if it has one, and the code points in hexadecimal.
const unsigned char *characterReferenceNames(size_t *length);
