#pragma once
/* Not <PCSC/winscard.h>: its inner includes need the include path that only pkg-config gives. */
#include <winscard.h>
#include <reader.h>
