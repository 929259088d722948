// The built-in trust anchors.
#ifndef CTRUSTANCHORS_H
#define CTRUSTANCHORS_H

/// The CSCA certificates of Italy, in PEM.
const char *_Nonnull italianAnchors(void);

/// The CSCA certificates whose master lists are trusted, in PEM.
const char *_Nonnull masterListAnchors(void);

#endif
