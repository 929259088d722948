#include "messages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char table[] = {
#embed "tables/languages.txt" suffix(,)
#embed "tables/browsers.txt" suffix(,)
#embed "tables/codes.txt" suffix(,)
#embed "tables/commands.txt" suffix(,)
#embed "tables/doctor.txt" suffix(,)
#embed "tables/document.txt" suffix(,)
#embed "tables/errors-access.txt" suffix(,)
#embed "tables/errors-card.txt" suffix(,)
#embed "tables/errors-codes.txt" suffix(,)
#embed "tables/errors-description.txt" suffix(,)
#embed "tables/errors-document.txt" suffix(,)
#embed "tables/errors-files.txt" suffix(,)
#embed "tables/errors-identity-provider.txt" suffix(,)
#embed "tables/errors-links.txt" suffix(,)
#embed "tables/errors-lock.txt" suffix(,)
#embed "tables/errors-login.txt" suffix(,)
#embed "tables/errors-network.txt" suffix(,)
#embed "tables/errors-parser.txt" suffix(,)
#embed "tables/errors-reader.txt" suffix(,)
#embed "tables/errors-service.txt" suffix(,)
#embed "tables/errors-signin.txt" suffix(,)
#embed "tables/errors-system.txt" suffix(,)
#embed "tables/errors-tls.txt" suffix(,)
#embed "tables/errors-trust.txt" suffix(,)
#embed "tables/errors-usage.txt" suffix(,)
#embed "tables/help-arguments.txt" suffix(,)
#embed "tables/help-commands.txt" suffix(,)
#embed "tables/help-frame.txt" suffix(,)
#embed "tables/help-login.txt" suffix(,)
#embed "tables/help-options.txt" suffix(,)
#embed "tables/help-service.txt" suffix(,)
#embed "tables/help-signin.txt" suffix(,)
#embed "tables/help-topics.txt" suffix(,)
#embed "tables/lock.txt" suffix(,)
#embed "tables/login.txt" suffix(,)
#embed "tables/page.txt" suffix(,)
#embed "tables/report-reasons.txt" suffix(,)
#embed "tables/reports.txt" suffix(,)
#embed "tables/signin.txt" suffix(,)
#embed "tables/steps.txt" suffix(,)
#embed "tables/topic-codes.txt" suffix(,)
#embed "tables/topic-json.txt" suffix(,)
#embed "tables/topic-privacy.txt" suffix(,)
};

const unsigned char *messages_bytes(void) { return table; }

size_t messages_length(void) { return sizeof table; }
