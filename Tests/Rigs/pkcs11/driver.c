// A host of the PKCS #11 module, for calls of programs that no tool makes.
//
//   pkcs11-driver MODULE PIN uses|fork|threads|dlclose|junk|idle|last-try|codes PUK|events PID

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "driver.h"

CK_FUNCTION_LIST *p11;
const char *module_path, *pin;

void *load(void) {
  void *library = dlopen(module_path, RTLD_NOW | RTLD_LOCAL);
  if (!library) fprintf(stderr, "%s\n", dlerror());
  HOLDS(library);
  CK_C_GetFunctionList get = (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList");
  HOLDS(get);
  OK(get(&p11));
  return library;
}

CK_SLOT_ID token_slot(void) {
  CK_SLOT_ID slots[4];
  CK_ULONG count = 4;
  OK(p11->C_GetSlotList(CK_TRUE, slots, &count));
  HOLDS(count == 1);
  return slots[0];
}

CK_SESSION_HANDLE open_session(void) {
  CK_SESSION_HANDLE session;
  OK(p11->C_OpenSession(token_slot(), CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session));
  return session;
}

CK_RV log_in_with(CK_SESSION_HANDLE session, CK_USER_TYPE user, const char *code) {
  return p11->C_Login(session, user, (CK_BYTE *)code, strlen(code));
}

CK_SESSION_HANDLE log_in(void) {
  CK_SESSION_HANDLE session = open_session();
  OK(log_in_with(session, CKU_USER, pin));
  return session;
}

CK_OBJECT_HANDLE private_key(CK_SESSION_HANDLE session) {
  CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
  CK_ATTRIBUTE wanted = {CKA_CLASS, &class, sizeof class};
  CK_OBJECT_HANDLE key = 0;
  CK_ULONG count;
  OK(p11->C_FindObjectsInit(session, &wanted, 1));
  OK(p11->C_FindObjects(session, &key, 1, &count));
  OK(p11->C_FindObjectsFinal(session));
  HOLDS(count == 1);
  return key;
}

void sign(CK_SESSION_HANDLE session, CK_MECHANISM_TYPE type, size_t length, size_t pieces) {
  CK_MECHANISM mechanism = {type, NULL, 0};
  CK_BYTE data[4096] = {1}, signature[256];
  CK_ULONG room = 0;
  OK(p11->C_SignInit(session, &mechanism, private_key(session)));
  if (!pieces) {
    OK(p11->C_Sign(session, data, length, NULL, &room));
    HOLDS(room == sizeof signature);
    room = 255;
    EXPECT(CKR_BUFFER_TOO_SMALL, p11->C_Sign(session, data, length, signature, &room));
    OK(p11->C_Sign(session, data, length, signature, &room));
  } else {
    for (size_t piece = 0; piece < pieces; piece++) OK(p11->C_SignUpdate(session, data, length / pieces));
    OK(p11->C_SignFinal(session, NULL, &room));
    OK(p11->C_SignFinal(session, signature, &room));
  }
  HOLDS(room == sizeof signature);
  EXPECT(CKR_OPERATION_NOT_INITIALIZED, p11->C_SignFinal(session, signature, &room));
}

// A login, ten signatures and one, the attributes of all objects.
void uses(void) {
  OK(p11->C_Initialize(NULL));
  EXPECT(CKR_CRYPTOKI_ALREADY_INITIALIZED, p11->C_Initialize(NULL));
  CK_SESSION_HANDLE session = log_in();
  for (CK_OBJECT_HANDLE object = 1; object <= 3; object++) {
    for (CK_ATTRIBUTE_TYPE type = 0; type < 0x220; type++) {
      CK_BYTE value[4096];
      CK_ATTRIBUTE attribute = {type, NULL, 0};
      if (p11->C_GetAttributeValue(session, object, &attribute, 1) != CKR_OK) {
        HOLDS(attribute.ulValueLen == CK_UNAVAILABLE_INFORMATION);
        continue;
      }
      CK_ULONG length = attribute.ulValueLen;
      attribute.pValue = value;
      OK(p11->C_GetAttributeValue(session, object, &attribute, 1));
      HOLDS(attribute.ulValueLen == length);
      if (!length) continue;
      attribute.ulValueLen = length - 1;
      EXPECT(CKR_BUFFER_TOO_SMALL, p11->C_GetAttributeValue(session, object, &attribute, 1));
      HOLDS(attribute.ulValueLen == CK_UNAVAILABLE_INFORMATION);
    }
  }
  for (int round = 0; round < 5; round++) {
    sign(session, CKM_SHA256_RSA_PKCS, 1000, 0);
    sign(session, CKM_RSA_PKCS, 51, 3);
  }
  sign(session, CKM_SHA512_RSA_PKCS, 0, 0);
  OK(p11->C_Logout(session));
  EXPECT(CKR_USER_NOT_LOGGED_IN, p11->C_Logout(session));
  OK(p11->C_Finalize(NULL));
  EXPECT(CKR_CRYPTOKI_NOT_INITIALIZED, p11->C_Finalize(NULL));
}

void in_child(void (*body)(void)) {
  pid_t child = fork();
  HOLDS(child >= 0);
  if (child == 0) {
    body();
    exit(0);
  }
  int status;
  HOLDS(waitpid(child, &status, 0) == child);
  HOLDS(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void child_knows_nothing(void) {
  CK_INFO info;
  EXPECT(CKR_CRYPTOKI_NOT_INITIALIZED, p11->C_GetInfo(&info));
}

static atomic_int ends;

static void *call_until_the_end(void *argument) {
  CK_INFO info;
  while (!ends) OK(p11->C_GetInfo(&info));
  return argument;
}

static void child_begins_anew(void) {
  CK_ULONG count;
  // A hang ends by this alarm.
  alarm(20);
  child_knows_nothing();
  OK(p11->C_Initialize(NULL));
  OK(p11->C_GetSlotList(CK_TRUE, NULL, &count));
  HOLDS(count == 1);
  OK(p11->C_Finalize(NULL));
}

// Other threads are in the middle of a call, with a lock that is never released in the child.
static void fork_during_calls(void) {
  pthread_t all[2];
  for (int index = 0; index < 2; index++) HOLDS(!pthread_create(&all[index], NULL, call_until_the_end, NULL));
  for (int round = 0; round < 40; round++) in_child(child_begins_anew);
  ends = 1;
  for (int index = 0; index < 2; index++) HOLDS(!pthread_join(all[index], NULL));
}

static void forks(void) {
  OK(p11->C_Initialize(NULL));
  CK_SESSION_HANDLE session = log_in();
  sign(session, CKM_RSA_PKCS, 36, 0);
  // A short-lived child takes no resource from its parent.
  in_child(child_knows_nothing);
  sign(session, CKM_RSA_PKCS, 36, 0);
  OK(p11->C_Logout(session));
  // And children that initialise anew have the card for themselves.
  for (int round = 0; round < 5; round++) in_child(uses);
  fork_during_calls();
  OK(log_in_with(session, CKU_USER, pin));
  sign(session, CKM_RSA_PKCS, 36, 0);
  OK(p11->C_Finalize(NULL));
}

static void *work(void *argument) {
  (void)argument;
  CK_SESSION_HANDLE session = open_session();
  for (int round = 0; round < 10; round++) {
    for (int search = 0; search < 20; search++) private_key(session);
    sign(session, round % 2 ? CKM_RSA_PKCS : CKM_SHA384_RSA_PKCS, 48, round % 3);
  }
  OK(p11->C_CloseSession(session));
  return NULL;
}

static void threads(void) {
  // As NSS does: its own mutexes, the system's as well, no threads of ours.
  CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK | CKF_LIBRARY_CANT_CREATE_OS_THREADS};
  OK(p11->C_Initialize(&arguments));
  log_in();
  pthread_t all[8];
  for (int index = 0; index < 8; index++) HOLDS(!pthread_create(&all[index], NULL, work, NULL));
  for (int index = 0; index < 8; index++) HOLDS(!pthread_join(all[index], NULL));
  OK(p11->C_Finalize(NULL));
}

static int thread_count(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  HOLDS(tasks);
  for (struct dirent *task; (task = readdir(tasks));) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

static void dlcloses(void *library) {
  for (int round = 0; round < 3; round++) {
    uses();
    HOLDS(!dlclose(library));
    // No thread runs without a login; a just released one may need a moment.
    for (int tries = 0; thread_count() > 1 && tries < 100; tries++) usleep(50000);
    HOLDS(thread_count() == 1);
    library = load();
  }
}

static void *wait_for_event(void *slot) {
  return (void *)p11->C_WaitForSlotEvent(0, slot, NULL);
}

// The card is taken out, by ending its process.
static void events(pid_t reader) {
  CK_SLOT_ID slot, found;
  CK_SLOT_INFO info;
  CK_SESSION_INFO state;
  pthread_t thread;
  void *value;
  OK(p11->C_Initialize(NULL));
  while (p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, &found, NULL) == CKR_OK) {}
  CK_SESSION_HANDLE session = log_in();
  slot = token_slot();
  HOLDS(!pthread_create(&thread, NULL, wait_for_event, &found));
  HOLDS(!kill(reader, SIGTERM));
  HOLDS(!pthread_join(thread, &value));
  OK((CK_RV)value);
  HOLDS(found == slot);
  OK(p11->C_GetSlotInfo(slot, &info));
  HOLDS(!(info.flags & CKF_TOKEN_PRESENT));
  EXPECT(CKR_DEVICE_REMOVED, p11->C_GetSessionInfo(session, &state));
  EXPECT(CKR_SESSION_HANDLE_INVALID, p11->C_GetSessionInfo(session, &state));
  EXPECT(CKR_NO_EVENT, p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, &found, NULL));
  // All waiting threads are woken.
  pthread_t all[3];
  for (int index = 0; index < 3; index++) HOLDS(!pthread_create(&all[index], NULL, wait_for_event, &found));
  usleep(300000);
  OK(p11->C_Finalize(NULL));
  for (int index = 0; index < 3; index++) {
    HOLDS(!pthread_join(all[index], &value));
    EXPECT(CKR_CRYPTOKI_NOT_INITIALIZED, (CK_RV)value);
  }
}

int main(int count, char **arguments) {
  HOLDS(count >= 4);
  module_path = arguments[1];
  pin = arguments[2];
  const char *mode = arguments[3], *more = count > 4 ? arguments[4] : "";
  void *library = load();
  if (!strcmp(mode, "uses")) uses();
  else if (!strcmp(mode, "fork")) forks();
  else if (!strcmp(mode, "threads")) threads();
  else if (!strcmp(mode, "dlclose")) dlcloses(library);
  else if (!strcmp(mode, "junk")) junk();
  else if (!strcmp(mode, "idle")) idle();
  else if (!strcmp(mode, "last-try")) last_try();
  else if (!strcmp(mode, "codes")) codes(more);
  else if (!strcmp(mode, "events")) events(atoi(more));
  else HOLDS(!"a mode that there is");
  return 0;
}
