// The functions of libxmlsec1 and its OpenSSL backend that are used. Declared here, because the members of its structures have
// other places in 1.3 than in 1.2, and its headers want macros that SwiftPM does not take.
#pragma once
#include <stddef.h>
#include <stdio.h>

/// Registers data and transforms, once in a process; 0 if it succeeds, as the one of the backend.
int xmlSecInit(void);
int xmlSecOpenSSLInit(void);

typedef void (*xmlSecErrorsCallback)(
    const char *file, int line, const char *function, const char *object, const char *subject, int reason,
    const char *message);
/// Takes the place of lines on standard error.
void xmlSecErrorsSetCallback(xmlSecErrorsCallback callback);

typedef struct _xmlSecKey *xmlSecKeyPtr;
typedef struct _xmlSecKeysMngr *xmlSecKeysMngrPtr;
typedef struct _xmlSecDSigCtx *xmlSecDSigCtxPtr;

/// xmlSecKeyDataFormat: a certificate in DER.
enum { xmlSecKeyDataFormatCertDer = 8 };

/// The public key of a certificate; null if there is none.
xmlSecKeyPtr xmlSecOpenSSLAppKeyLoadMemory(
    const unsigned char *data, size_t size, int format, const char *password, void *callback, void *context);
int xmlSecKeySetName(xmlSecKeyPtr key, const unsigned char *name);
void xmlSecKeyDestroy(xmlSecKeyPtr key);

xmlSecKeysMngrPtr xmlSecKeysMngrCreate(void);
void xmlSecKeysMngrDestroy(xmlSecKeysMngrPtr manager);
int xmlSecOpenSSLAppDefaultKeysMngrInit(xmlSecKeysMngrPtr manager);
/// Takes the key over if it returns 0.
int xmlSecOpenSSLAppDefaultKeysMngrAdoptKey(xmlSecKeysMngrPtr manager, xmlSecKeyPtr key);

xmlSecDSigCtxPtr xmlSecDSigCtxCreate(xmlSecKeysMngrPtr manager);
void xmlSecDSigCtxDestroy(xmlSecDSigCtxPtr context);
/// 0 if the signature, an xmlNodePtr, was processed, whatever the result is.
int xmlSecDSigCtxVerify(xmlSecDSigCtxPtr context, void *node);
/// Writes the result and all else, as XML.
void xmlSecDSigCtxDebugXmlDump(xmlSecDSigCtxPtr context, FILE *output);
