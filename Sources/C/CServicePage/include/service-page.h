#include <stddef.h>

/// A file of the page that `cie-read serve` shows, or the description of its API; in UTF-8.
struct service_file {
  const char *path;
  const unsigned char *bytes;
  size_t count;
};

/// The file of a path; `NULL` for another path.
const struct service_file *service_file_at(const char *path);
