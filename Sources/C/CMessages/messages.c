#include "messages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char table[] = {
#embed "tables/languages.txt" suffix(,)
#embed "tables/browsers.txt" suffix(,)
#embed "tables/codes.txt" suffix(,)
#embed "tables/commands.txt" suffix(,)
#embed "tables/desk.txt" suffix(,)
#embed "tables/doctor-card.txt" suffix(,)
#embed "tables/doctor.txt" suffix(,)
#embed "tables/document.txt" suffix(,)
#embed "tables/errors-access.txt" suffix(,)
#embed "tables/errors-card.txt" suffix(,)
#embed "tables/errors-codes.txt" suffix(,)
#embed "tables/errors-description.txt" suffix(,)
#embed "tables/errors-document.txt" suffix(,)
#embed "tables/errors-files.txt" suffix(,)
#embed "tables/errors-formats.txt" suffix(,)
#embed "tables/errors-identity-provider.txt" suffix(,)
#embed "tables/errors-links.txt" suffix(,)
#embed "tables/errors-lock.txt" suffix(,)
#embed "tables/errors-login.txt" suffix(,)
#embed "tables/errors-network.txt" suffix(,)
#embed "tables/errors-parser.txt" suffix(,)
#embed "tables/errors-pcsc.txt" suffix(,)
#embed "tables/errors-reader.txt" suffix(,)
#embed "tables/errors-service.txt" suffix(,)
#embed "tables/errors-signin.txt" suffix(,)
#embed "tables/errors-signed.txt" suffix(,)
#embed "tables/errors-authorities.txt" suffix(,)
#embed "tables/errors-signing.txt" suffix(,)
#embed "tables/errors-system.txt" suffix(,)
#embed "tables/errors-tls.txt" suffix(,)
#embed "tables/errors-traces.txt" suffix(,)
#embed "tables/errors-trust.txt" suffix(,)
#embed "tables/errors-trusted-lists.txt" suffix(,)
#embed "tables/errors-usage.txt" suffix(,)
#embed "tables/help-arguments.txt" suffix(,)
#embed "tables/help-commands.txt" suffix(,)
#embed "tables/help-frame.txt" suffix(,)
#embed "tables/help-login.txt" suffix(,)
#embed "tables/help-options.txt" suffix(,)
#embed "tables/help-service.txt" suffix(,)
#embed "tables/help-signing.txt" suffix(,)
#embed "tables/help-signin.txt" suffix(,)
#embed "tables/help-topics.txt" suffix(,)
#embed "tables/help-traces.txt" suffix(,)
#embed "tables/lock.txt" suffix(,)
#embed "tables/login.txt" suffix(,)
#embed "tables/page.txt" suffix(,)
#embed "tables/page-card.txt" suffix(,)
#embed "tables/page-documents.txt" suffix(,)
#embed "tables/page-help.txt" suffix(,)
#embed "tables/page-login.txt" suffix(,)
#embed "tables/page-pin.txt" suffix(,)
#embed "tables/report-reasons.txt" suffix(,)
#embed "tables/reports.txt" suffix(,)
#embed "tables/signed-reasons.txt" suffix(,)
#embed "tables/signed.txt" suffix(,)
#embed "tables/signin.txt" suffix(,)
#embed "tables/signing.txt" suffix(,)
#embed "tables/status-words.txt" suffix(,)
#embed "tables/steps.txt" suffix(,)
#embed "tables/topic-codes.txt" suffix(,)
#embed "tables/topic-json.txt" suffix(,)
#embed "tables/topic-privacy.txt" suffix(,)
#embed "tables/traces.txt" suffix(,)
};

#define TRANSLATION(language) {#language, language, sizeof language}

static const unsigned char de[] = {
#embed "translations/de.txt"
};
static const unsigned char fr[] = {
#embed "translations/fr.txt"
};
static const unsigned char sl[] = {
#embed "translations/sl.txt"
};
static const struct messages translations[] = {TRANSLATION(de), TRANSLATION(fr), TRANSLATION(sl)};

struct messages messages_table(void) { return (struct messages){"", table, sizeof table}; }

size_t messages_translation_count(void) { return sizeof translations / sizeof *translations; }

struct messages messages_translation(size_t index) { return translations[index]; }
