#include <stddef.h>

/// A file of the page that `cie-read serve` shows, or the description of its API; in UTF-8.
struct service_file {
  const unsigned char *bytes;
  size_t count;
};

struct service_file service_page_html(void);
struct service_file service_page_style(void);
struct service_file service_page_script(void);
struct service_file service_description(void);
