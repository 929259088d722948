// The common part of the driver's modes: the module, a session, and the assertions.
#ifndef DRIVER_H
#define DRIVER_H

#include <stdio.h>
#include <stdlib.h>

#include <p11-kit-1/p11-kit/pkcs11.h>

// Ends the driver, with the place, unless a call returns exactly this.
#define EXPECT(value, call)                                                                     \
  do {                                                                                          \
    CK_RV expected_ = (value), found_ = (call);                                                 \
    if (found_ != expected_) {                                                                  \
      fprintf(stderr, "%s:%d: %s: 0x%lx, not 0x%lx\n", __FILE__, __LINE__, #call, found_, expected_); \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)
#define OK(call) EXPECT(CKR_OK, call)
#define HOLDS(condition)                                                  \
  do {                                                                    \
    if (!(condition)) {                                                   \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

extern CK_FUNCTION_LIST *p11;
extern const char *module_path, *pin;

void *load(void);
CK_SLOT_ID token_slot(void);
CK_SESSION_HANDLE open_session(void);
CK_SESSION_HANDLE log_in(void);
CK_OBJECT_HANDLE private_key(CK_SESSION_HANDLE session);
void sign(CK_SESSION_HANDLE session, CK_MECHANISM_TYPE type, size_t length, size_t pieces);
CK_RV log_in_with(CK_SESSION_HANDLE session, CK_USER_TYPE user, const char *code);

void in_child(void (*body)(void));
void uses(void);
void junk(void);
void idle(void);
void last_try(void);
void codes(const char *puk);

#endif
