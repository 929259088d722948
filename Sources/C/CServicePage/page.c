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
// The page begins here; the service has its words. Errors and findings go with their tab, because what they say may change meanwhile;
// all answers go as another card comes, and those about the card as it goes. disconnect is final, because another program may listen at
// the port next.
static const unsigned char start[] = {
#embed "page/page.js"
};
// Words, elements, and values as people of the language write them. Red is for what is false or failed alone. on hears an event, else
// clicks, of an element or the part of a name, and submits nothing; word has the text of a row, of the page's own by a plain name;
// make's tag may have a class, as in "p.hint", and objects are properties; complain says what is wrong with the text of a field, until
// it is changed; paint draws into a canvas, because the page loads no data.
static const unsigned char elements[] = {
#embed "page/elements.js"
};
// The service: its token, its answers, and its events. The token is in memory only: another program may listen at the port later, with
// the same origin. The events come by fetch, because EventSource cannot send the token; only the window opens their stream again,
// because no later service accepts its token.
static const unsigned char service[] = {
#embed "page/service.js"
};
// One request at a time, and the step before a code is used. show writes an answer, now and in each language chosen later; run shows the
// error or the contents of a request, those that are personal only if the card is still there; no code goes to a card that was found
// false; runWithPIN shows a step first, asks for the PIN, and leaves a brief step to pinentry.
static const unsigned char work[] = {
#embed "page/work.js"
};
// The reader, the card, and the time for which the holder's data may be seen. The verdict is the name of a state, and false ones stay
// until the card goes, whatever is proved of it later; data leave by the clock, because a timer stands still while the machine sleeps.
// refresh asks the card only in the window: elsewhere it has other clients. Background requests go one at a time, and a person's wait
// for them. Of several readers with a card the first CIE is taken at once.
static const unsigned char card[] = {
#embed "page/card.js"
};
// My card: whether it is genuine, and the holder's data. Without the CAN, the verdict is of the chip or the number. The time is that of
// the answer, which is written again in another language.
static const unsigned char data[] = {
#embed "page/data.js"
};
// The PIN: changing and unblocking it.
static const unsigned char pin[] = {
#embed "page/pin.js"
};
// Log in: at a site in a new window, with a link, or in the person's browsers. The PIN is asked for once the site has handed the login
// over.
static const unsigned char login[] = {
#embed "page/login.js"
};
// Documents to sign and to check: rows by file number, of which a signed one keeps its result, results without a row, rows to check,
// also those that come while another request is under way; a signature beside its document is judged again as files come and go, because
// another one may be the document now.
static const unsigned char documents[] = {
#embed "page/documents.js"
};
// Files on their way into the service, and signed ones to where they are saved; in the window by the service, which says where. Unsaved
// are rows whose newest signed file is in memory alone. Browsers take some ten downloads a press, and name none.
static const unsigned char transfer[] = {
#embed "page/transfer.js"
};
// The page with the visible signature, placed by name, mouse or arrow keys; see shows it anew, because files change. Lengths are points
// from the lower left corner.
static const unsigned char preview[] = {
#embed "page/preview.js"
};
// Help: findings, what mends them, and the report.
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
