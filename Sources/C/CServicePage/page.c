#include "service-page.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "page/index.html"
};
static const unsigned char style[] = {
#embed "page/page.css"
};
static const unsigned char drawings[] = {
#embed "page/drawings.css"
};
static const unsigned char start[] = {
#embed "page/page.js"
};
static const unsigned char elements[] = {
#embed "page/elements.js"
};
static const unsigned char service[] = {
#embed "page/service.js"
};
static const unsigned char work[] = {
#embed "page/work.js"
};
static const unsigned char card[] = {
#embed "page/card.js"
};
static const unsigned char data[] = {
#embed "page/data.js"
};
static const unsigned char pin[] = {
#embed "page/pin.js"
};
static const unsigned char login[] = {
#embed "page/login.js"
};
static const unsigned char documents[] = {
#embed "page/documents.js"
};
static const unsigned char transfer[] = {
#embed "page/transfer.js"
};
static const unsigned char preview[] = {
#embed "page/preview.js"
};
static const unsigned char help[] = {
#embed "page/help.js"
};
// Browsers ask for the name, and take the kind from the header.
static const unsigned char icon[] = {
#embed "../../../tools/packaging/debian/cie-read.svg"
};
static const unsigned char services[] = {
#embed "services.json"
};
static const unsigned char description[] = {
#embed "../../cie-read/Schema/cie-read-serve-1.openapi.json"
};

#define FILE_OF(path, name) {path, name, sizeof name}

static const struct service_file files[] = {
  FILE_OF("/", html),
  FILE_OF("/page.css", style),
  FILE_OF("/drawings.css", drawings),
  FILE_OF("/page.js", start),
  FILE_OF("/elements.js", elements),
  FILE_OF("/service.js", service),
  FILE_OF("/work.js", work),
  FILE_OF("/card.js", card),
  FILE_OF("/data.js", data),
  FILE_OF("/pin.js", pin),
  FILE_OF("/login.js", login),
  FILE_OF("/documents.js", documents),
  FILE_OF("/transfer.js", transfer),
  FILE_OF("/preview.js", preview),
  FILE_OF("/help.js", help),
  FILE_OF("/favicon.ico", icon),
  FILE_OF("/services.json", services),
  FILE_OF("/v1/openapi.json", description),
};

const struct service_file *service_file_at(const char *path) {
  for (size_t index = 0; index < sizeof files / sizeof *files; index += 1)
    if (strcmp(files[index].path, path) == 0) return &files[index];
  return NULL;
}
