#include "service-page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE_OF(name) ((struct service_file){name, sizeof name})

static const unsigned char html[] = {
#embed "page/index.html"
};
static const unsigned char style[] = {
#embed "page/page.css"
};
static const unsigned char script[] = {
#embed "page/page.js"
};
static const unsigned char description[] = {
#embed "../cie-read/Schema/cie-read-serve-1.openapi.json"
};

struct service_file service_page_html(void) { return FILE_OF(html); }

struct service_file service_page_style(void) { return FILE_OF(style); }

struct service_file service_page_script(void) { return FILE_OF(script); }

struct service_file service_description(void) { return FILE_OF(description); }
