// The certificates that are believed from the start, compiled into the program.
#ifndef CTRUSTANCHORS_H
#define CTRUSTANCHORS_H

/// The CSCA certificates of Italy, in PEM.
const char *_Nonnull italianAnchors(void);

/// The CSCA certificates whose master lists are believed, in PEM.
const char *_Nonnull masterListAnchors(void);

#endif
