/* Preloaded into a process, fails calls on files whose path contains a text, as a bad disk does.
 *   FAIL_PATH   part of the path
 *   FAIL_ERRNO  the error, by number
 *   FAIL_FROM   the first call that fails, from 1; 0 fails none
 *   FAIL_TIMES  how many fail; 0 is all that follow
 *   FAIL_COUNT  file that gets the number of calls when the process ends */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int calls;
static const char *part;
static int from, times, error;

__attribute__((constructor)) static void begin(void) {
  part = getenv("FAIL_PATH");
  from = atoi(getenv("FAIL_FROM") ? getenv("FAIL_FROM") : "0");
  times = atoi(getenv("FAIL_TIMES") ? getenv("FAIL_TIMES") : "0");
  error = atoi(getenv("FAIL_ERRNO") ? getenv("FAIL_ERRNO") : "5");
}

__attribute__((destructor)) static void end(void) {
  const char *file = getenv("FAIL_COUNT");
  FILE *out = file ? fopen(file, "w") : NULL;
  if (out == NULL) return;
  fprintf(out, "%d", atomic_load(&calls));
  fclose(out);
}

static int fails(const char *path) {
  if (part == NULL || path == NULL || strstr(path, part) == NULL) return 0;
  int call = atomic_fetch_add(&calls, 1) + 1;
  if (from == 0 || call < from || (times > 0 && call >= from + times)) return 0;
  errno = error;
  return 1;
}

static int fails_on(int fd) {
  char link[64], path[4096];
  int kept = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = kept;
  if (length < 0) return 0;
  path[length] = 0;
  return fails(path);
}

#define REAL(name) static __typeof__(&name) real; if (real == NULL) real = dlsym(RTLD_NEXT, #name)

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return fails(path) ? -1 : real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define ON_FD(type, name, arguments, ...) \
  type name arguments { REAL(name); return fails_on(fd) ? -1 : real(__VA_ARGS__); }
ON_FD(ssize_t, read, (int fd, void *buffer, size_t count), fd, buffer, count)
ON_FD(ssize_t, write, (int fd, const void *buffer, size_t count), fd, buffer, count)
ON_FD(ssize_t, pread64, (int fd, void *buffer, size_t count, off64_t at), fd, buffer, count, at)
ON_FD(ssize_t, pwrite64, (int fd, const void *buffer, size_t count, off64_t at), fd, buffer, count, at)
ON_FD(ssize_t, writev, (int fd, const struct iovec *parts, int count), fd, parts, count)
ON_FD(ssize_t, preadv64, (int fd, const struct iovec *parts, int count, off64_t at), fd, parts, count, at)
ON_FD(ssize_t, pwritev64, (int fd, const struct iovec *parts, int count, off64_t at), fd, parts, count, at)
ON_FD(int, fsync, (int fd), fd)
ON_FD(int, fdatasync, (int fd), fd)
ON_FD(int, ftruncate64, (int fd, off64_t length), fd, length)

#define ON_PATH(name, arguments, ...) \
  int name arguments { REAL(name); return fails(path) ? -1 : real(__VA_ARGS__); }
ON_PATH(mkdir, (const char *path, mode_t mode), path, mode)
ON_PATH(unlink, (const char *path), path)
ON_PATH(rename, (const char *path, const char *to), path, to)
