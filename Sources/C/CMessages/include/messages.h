#include <stddef.h>

/// Rows of the table of messages, in UTF-8.
struct messages {
  /// The language of a translation (ISO 639-1); empty for the table itself, which has English and Italian.
  const char *language;
  const unsigned char *bytes;
  /// Their length in bytes.
  size_t length;
};

/// The files under `tables`, concatenated.
struct messages messages_table(void);

/// The number of files under `translations`: further languages of the same rows.
size_t messages_translation_count(void);

/// The file of a language, by an index below the count.
struct messages messages_translation(size_t index);
