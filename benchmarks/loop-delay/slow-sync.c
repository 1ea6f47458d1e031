/* Preloaded into a process: each sync of a file takes SYNC_MS ms, as on a slow disk. */
#include <stdlib.h>
#include <time.h>

static int slow_sync(void) {
  const char *given = getenv("SYNC_MS");
  long ms = given ? atol(given) : 0;
  struct timespec pause = {ms / 1000, (ms % 1000) * 1000000L};
  return nanosleep(&pause, 0);
}

int fdatasync(int file) { (void)file; return slow_sync(); }
int fsync(int file) { (void)file; return slow_sync(); }
