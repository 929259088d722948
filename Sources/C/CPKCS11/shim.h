// PKCS #11 v2.40 as p11-kit declares it (Debian's libp11-kit-dev). By its full path and not by pkg-config, which would
// link libp11-kit: the header is all that a module needs.
#include <p11-kit-1/p11-kit/pkcs11.h>
