// Logins: their ends, the codes that are never tried, and codes that change.

#include <unistd.h>

#include "driver.h"

static CK_STATE state_of(CK_SESSION_HANDLE session) {
  CK_SESSION_INFO info;
  OK(p11->C_GetSessionInfo(session, &info));
  return info.state;
}

// With CIE_PKCS11_IDLE=2,1.
void idle(void) {
  OK(p11->C_Initialize(NULL));
  CK_SESSION_HANDLE session = log_in();
  CK_MECHANISM mechanism = {CKM_RSA_PKCS, NULL, 0};
  sign(session, CKM_RSA_PKCS, 36, 0);
  CK_OBJECT_HANDLE key = private_key(session);
  HOLDS(state_of(session) == CKS_RW_USER_FUNCTIONS);
  while (state_of(session) != CKS_RW_PUBLIC_SESSION) usleep(100000);
  EXPECT(CKR_USER_NOT_LOGGED_IN, p11->C_SignInit(session, &mechanism, key));
  // Other programs have the card now: a separate process is one.
  in_child(uses);
  OK(log_in_with(session, CKU_USER, pin));
  sign(session, CKM_RSA_PKCS, 36, 0);
  OK(p11->C_Finalize(NULL));
}

static CK_FLAGS token_flags(void) {
  CK_TOKEN_INFO info;
  OK(p11->C_GetTokenInfo(token_slot(), &info));
  return info.flags;
}

void last_try(void) {
  OK(p11->C_Initialize(NULL));
  CK_SESSION_HANDLE session = open_session();
  HOLDS(!(token_flags() & (CKF_USER_PIN_COUNT_LOW | CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED)));
  EXPECT(CKR_PIN_INCORRECT, log_in_with(session, CKU_USER, "00000000"));
  HOLDS(token_flags() & CKF_USER_PIN_COUNT_LOW);
  EXPECT(CKR_PIN_INCORRECT, log_in_with(session, CKU_USER, "00000000"));
  HOLDS(token_flags() & CKF_USER_PIN_FINAL_TRY);
  // If the card were asked, the first of these would block it, or the second would log in.
  EXPECT(CKR_PIN_LOCKED, log_in_with(session, CKU_USER, "00000000"));
  EXPECT(CKR_PIN_LOCKED, log_in_with(session, CKU_USER, pin));
  HOLDS(!(token_flags() & CKF_USER_PIN_LOCKED));
  OK(p11->C_Finalize(NULL));
}

void codes(const char *puk) {
  CK_BYTE *old = (CK_BYTE *)pin, new[] = "24681357";
  OK(p11->C_Initialize(NULL));
  CK_SESSION_HANDLE session = open_session(), reading;
  EXPECT(CKR_PIN_LEN_RANGE, p11->C_SetPIN(session, old, 8, new, 7));
  OK(p11->C_SetPIN(session, old, 8, new, 8));
  EXPECT(CKR_PIN_INCORRECT, log_in_with(session, CKU_USER, pin));
  OK(log_in_with(session, CKU_USER, (char *)new));
  OK(p11->C_Logout(session));
  EXPECT(CKR_USER_NOT_LOGGED_IN, p11->C_InitPIN(session, old, 8));
  OK(p11->C_OpenSession(token_slot(), CKF_SERIAL_SESSION, NULL, NULL, &reading));
  EXPECT(CKR_SESSION_READ_ONLY_EXISTS, log_in_with(session, CKU_SO, puk));
  OK(p11->C_CloseSession(reading));
  EXPECT(CKR_PIN_INCORRECT, log_in_with(session, CKU_SO, "00000000"));
  OK(log_in_with(session, CKU_SO, puk));
  EXPECT(CKR_USER_ANOTHER_ALREADY_LOGGED_IN, log_in_with(session, CKU_USER, pin));
  OK(p11->C_InitPIN(session, old, 8));
  OK(p11->C_Logout(session));
  OK(log_in_with(session, CKU_USER, pin));
  OK(p11->C_Finalize(NULL));
}
