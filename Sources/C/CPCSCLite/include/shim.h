#pragma once
/* The headers include each other without their folder. pkg-config names it, but also -pthread, which SwiftPM warns of in
   each build of an integrator; wintypes.h and pcsclite.h beside this file stand in for it. */
#include <PCSC/winscard.h>
#include <PCSC/reader.h>
