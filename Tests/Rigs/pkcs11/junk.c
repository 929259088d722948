// Every function of the module with invalid arguments: null, handles that never existed, lengths without memory,
// sessions that another thread has just closed. Any answer is accepted; a trap would be the host's end.

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "driver.h"

enum { threads = 4, rounds = 4000 };

static CK_BYTE page[8192];

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

// Numbers at the edges, and small ones, which are handles now and then.
static unsigned long number(uint64_t *state) {
  static const unsigned long edges[] = {0, 1, 2, 3, 4, 8, 64, 65, 255, 256, 1UL << 31, 1UL << 32, 1UL << 63, ~0UL, ~0UL - 1};
  uint64_t drawn = next(state);
  return drawn % 2 ? edges[drawn / 2 % (sizeof edges / sizeof *edges)] : drawn / 2 % 40;
}

// A place with enough room, or null.
static void *place(uint64_t *state) { return next(state) % 3 ? page + next(state) % 1024 * 4 : NULL; }

// A length for memory that is really read: no longer than the page.
static unsigned long length(uint64_t *state) { return next(state) % 300; }

static void *throw_junk(void *seed) {
  uint64_t state = (uintptr_t)seed * 0x9E3779B97F4A7C15u + 1;
  CK_BYTE own[4096];
  CK_ATTRIBUTE template[8];
  for (int round = 0; round < rounds; round++) {
    CK_ULONG count = number(&state);
    CK_MECHANISM mechanism = {next(&state) % 4 ? CKM_RSA_PKCS : number(&state), NULL, next(&state) % 8 ? 0 : number(&state)};
    for (int index = 0; index < 8; index++) {
      template[index].type = next(&state) % 0x200;
      template[index].pValue = place(&state);
      template[index].ulValueLen = template[index].pValue ? length(&state) : number(&state);
    }
    CK_ULONG given = next(&state) % 2 ? next(&state) % 9 : 65 + number(&state) % (1UL << 62);
    CK_ULONG *counted = next(&state) % 4 ? &count : NULL;
    CK_SESSION_HANDLE session = number(&state), opened = 0;
    switch (next(&state) % 32) {
      case 0: p11->C_GetInfo(next(&state) % 2 ? (void *)own : NULL); break;
      case 1: p11->C_GetFunctionList(NULL); break;
      case 2: count %= 500, p11->C_GetSlotList(next(&state) % 3, (CK_SLOT_ID *)(next(&state) % 2 ? own : NULL), counted); break;
      case 3: p11->C_GetSlotInfo(number(&state), next(&state) % 2 ? (void *)own : NULL); break;
      case 4: p11->C_GetTokenInfo(number(&state), next(&state) % 2 ? (void *)own : NULL); break;
      case 5: count %= 500, p11->C_GetMechanismList(number(&state), (CK_ULONG *)(next(&state) % 2 ? own : NULL), counted); break;
      case 6: p11->C_GetMechanismInfo(number(&state), number(&state), next(&state) % 2 ? (void *)own : NULL); break;
      case 7: p11->C_InitToken(number(&state), place(&state), number(&state), place(&state)); break;
      // Never eight bytes, because a valid code would be tried.
      case 8: p11->C_InitPIN(session, place(&state), number(&state) == 8 ? 9 : number(&state) | 16); break;
      case 9: p11->C_SetPIN(session, place(&state), number(&state) | 16, place(&state), number(&state)); break;
      case 10: case 11: p11->C_OpenSession(number(&state), number(&state), place(&state), NULL, next(&state) % 4 ? &opened : NULL); break;
      case 12: p11->C_CloseSession(session); break;
      case 13: if (next(&state) % 16 == 0) p11->C_CloseAllSessions(number(&state)); break;
      case 14: p11->C_GetSessionInfo(session, next(&state) % 2 ? (void *)own : NULL); break;
      case 15: p11->C_Login(session, number(&state), place(&state), number(&state) | 16); break;
      case 16: p11->C_Logout(session); break;
      case 17: p11->C_FindObjectsInit(session, next(&state) % 4 ? template : NULL, given); break;
      case 18: p11->C_FindObjects(session, (CK_ULONG *)(next(&state) % 4 ? own : NULL), number(&state), counted); break;
      case 19: p11->C_FindObjectsFinal(session); break;
      case 20: p11->C_GetAttributeValue(session, number(&state), next(&state) % 4 ? template : NULL, given); break;
      case 21: p11->C_GetObjectSize(session, number(&state), counted); break;
      case 22: p11->C_SignInit(session, next(&state) % 4 ? &mechanism : NULL, number(&state)); break;
      case 23: count %= 4096, p11->C_Sign(session, page, length(&state), next(&state) % 2 ? own : NULL, counted); break;
      case 24: p11->C_Sign(session, NULL, number(&state), NULL, counted); break;
      case 25: p11->C_SignUpdate(session, next(&state) % 2 ? page : NULL, length(&state)); break;
      case 26: p11->C_SignUpdate(session, NULL, number(&state)); break;
      case 27: count %= 4096, p11->C_SignFinal(session, next(&state) % 2 ? own : NULL, counted); break;
      case 28: p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, counted, place(&state)); break;
      case 29: p11->C_Initialize(NULL); break;
      case 30: p11->C_GetFunctionStatus(session), p11->C_GenerateRandom(session, place(&state), number(&state)); break;
      // The unsupported ones.
      default: p11->C_CreateObject(session, template, given, counted), p11->C_DigestInit(session, &mechanism),
               p11->C_Verify(session, page, number(&state), page, number(&state)),
               p11->C_DeriveKey(session, &mechanism, count, template, given, counted); break;
    }
  }
  return NULL;
}

void junk(void) {
  CK_C_INITIALIZE_ARGS arguments = {.pReserved = page};
  EXPECT(CKR_ARGUMENTS_BAD, p11->C_Initialize(&arguments));
  arguments.pReserved = NULL;
  arguments.LockMutex = (CK_LOCKMUTEX)(void *)junk;
  EXPECT(CKR_ARGUMENTS_BAD, p11->C_Initialize(&arguments));
  // Before there is a module, none of them has an effect.
  for (uintptr_t seed = 1; seed <= 2; seed++) throw_junk((void *)seed);
  CK_INFO info;
  if (p11->C_GetInfo(&info) == CKR_CRYPTOKI_NOT_INITIALIZED) OK(p11->C_Initialize(NULL));
  EXPECT(CKR_ARGUMENTS_BAD, p11->C_Finalize(page));
  // No entry of the list is null.
  void **entries = (void **)p11;
  for (size_t index = 1; index < sizeof *p11 / sizeof *entries; index++) HOLDS(entries[index]);
  log_in();
  pthread_t all[threads];
  for (uintptr_t index = 0; index < threads; index++) HOLDS(!pthread_create(&all[index], NULL, throw_junk, (void *)(index + 3)));
  for (int index = 0; index < threads; index++) HOLDS(!pthread_join(all[index], NULL));
  OK(p11->C_Finalize(NULL));
  // And it works as before.
  OK(p11->C_Initialize(NULL));
  sign(log_in(), CKM_RSA_PKCS, 36, 0);
  OK(p11->C_Finalize(NULL));
}
