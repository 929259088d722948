#pragma once
// For explicit_bzero in string.h.
#define _DEFAULT_SOURCE 1
#include <microhttpd.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// MHD_start_daemon is variadic, which Swift cannot call. A new thread serves a socket that is already listening;
// `memory` is the limit of the request line and headers in bytes, `silence` the idle timeout in seconds.
static inline struct MHD_Daemon *http_start(
    int socket, unsigned int connections, unsigned int silence, size_t memory, MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connected,
    size_t (*unescape)(void *, struct MHD_Connection *, char *), void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
      MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT,
      silence, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connected, context, MHD_OPTION_UNESCAPE_CALLBACK, unescape, context,
      MHD_OPTION_END);
}

// The socket of a connection; -1 if there is none.
static inline int http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// Wipes a part of a body in the library's buffer, which it does not read again: it may contain a PIN.
static inline void http_wipe(const char *bytes, size_t count) { explicit_bzero((void *)bytes, count); }

// A response with a copy of these bytes.
static inline struct MHD_Response *http_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// A response with the contents of an open file, which the library gets its own descriptor of; NULL if that fails.
static inline struct MHD_Response *http_file(int file) {
  struct stat status;
  int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return NULL;
  struct MHD_Response *response =
      fstat(own, &status) == 0 ? MHD_create_response_from_fd64((uint64_t)status.st_size, own) : NULL;
  if (!response) close(own);
  return response;
}

// A response of unknown length; MHD_SIZE_UNKNOWN is a cast, which Swift does not import.
static inline struct MHD_Response *http_stream(
    MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback done) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, reader, context, done);
}

// Constants of closed enumerations, which Swift imports under other names.
static inline int http_is_beginning(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}
static inline int http_each_header(struct MHD_Connection *connection, MHD_KeyValueIterator iterator, void *context) {
  return MHD_get_connection_values(connection, MHD_HEADER_KIND, iterator, context);
}
static inline const char *http_query(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}
