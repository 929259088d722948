#include "CTrustAnchors.h"

// C23, which clang has in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char italy[] = {
#embed "anchors/italy.pem" suffix(, )
  0
};

static const char masterListSigners[] = {
#embed "anchors/master-list-signers.pem" suffix(, )
  0
};

const char *italianAnchors(void) { return italy; }

const char *masterListAnchors(void) { return masterListSigners; }
