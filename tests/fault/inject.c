// Loaded before a program (LD_PRELOAD), this runs it again and again, and in each run one thing fails: an
// allocation, or a system call, the first, the second, until a run comes to its end without meeting one. The
// runs are forks taken before main(), so that one costs little more than the program's own work. After each
// it is checked what must hold whatever fails; what does not is written to FAULT_LOG.
//
// System calls are caught by the kernel (seccomp), those that the C library makes for itself too: a handler
// of SIGSYS sees each, and makes it itself from the one place that the filter lets through.
//
//   FAULT_LOG=file       where findings go, and one line per kind of fault with the counts
//   FAULT_KINDS=a,b      of kKinds below; all of them without
//   FAULT_TARGET=file    what the command writes (-o); it holds FAULT_OLD before each run
//   FAULT_MOST=n         of each kind, spread evenly over all; all of them without
//   FAULT_FRESH=file     what the command makes where nothing is before; its content is not looked at
//   FAULT_SERVES=1       the command waits for events at its end; that is where a run ends, with status 0
//   FAULT_NAMED=1        the file system has no unnamed files (O_TMPFILE)
//   FAULT_ONLY=kind:n    no loop and no checks: this one run, for a debugger
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define FAULT_OLD "what was there before\n"

enum Kind { kAlloc, kError, kInterrupted, kShort, kKindCount };
static const char* const kKinds[kKindCount] = {"alloc", "error", "interrupted", "short"};
enum { kMostStatus = 4, kSeconds = 20 };

// What the runs tell the loop; counted across the processes of a run, since the prompt forks.
struct Shared {
  long seen, fail_at;
  int kind;
  int struck;     // the fault was met
  int on_stderr;  // it was a message that could not be written
  char what[64];
};
static struct Shared* shared;
static int armed, serves, named;

static int IsStruck(const char* what) {
  if (__atomic_add_fetch(&shared->seen, 1, __ATOMIC_RELAXED) != shared->fail_at) return 0;
  shared->struck = 1;
  strncpy(shared->what, what, sizeof(shared->what) - 1);
  return 1;
}

// --- Allocations. operator new comes here too.

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static int NoMemory(void) {
  if (!armed || shared->kind != kAlloc || !IsStruck("allocation")) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return NoMemory() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return NoMemory() ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return NoMemory() ? NULL : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) { return NoMemory() ? NULL : __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

// --- Processes and threads: the C library holds signals back while it makes them, so these are caught here.

extern pid_t __fork(void);
pid_t fork(void) {
  if (!armed || shared->kind != kError || !IsStruck("fork")) return __fork();
  errno = EAGAIN;
  return -1;
}

// --- System calls.

struct Call {
  int number, error;
  const char* name;
  int interruptible, partial;
};
static const struct Call kCalls[] = {
    {SYS_read, EIO, "read", 1, 1},
    {SYS_pread64, EIO, "pread", 1, 1},
    {SYS_readv, EIO, "readv", 1, 0},
    {SYS_write, ENOSPC, "write", 1, 1},
    {SYS_pwrite64, ENOSPC, "pwrite", 1, 1},
    {SYS_writev, ENOSPC, "writev", 1, 0},
    {SYS_open, EMFILE, "open", 1, 0},
    {SYS_openat, EMFILE, "openat", 1, 0},
    {SYS_close, EIO, "close", 1, 0},
    {SYS_mmap, ENOMEM, "mmap", 0, 0},
    {SYS_lseek, ESPIPE, "lseek", 0, 0},
    {SYS_stat, EIO, "stat", 0, 0},
    {SYS_lstat, EIO, "lstat", 0, 0},
    {SYS_fstat, EIO, "fstat", 0, 0},
    {SYS_newfstatat, EIO, "fstatat", 0, 0},
    {SYS_statx, EIO, "statx", 0, 0},
    {SYS_access, EIO, "access", 0, 0},
    {SYS_faccessat, EIO, "faccessat", 0, 0},
    {SYS_getdents64, EIO, "getdents", 0, 0},
    {SYS_readlink, EIO, "readlink", 0, 0},
    {SYS_readlinkat, EIO, "readlinkat", 0, 0},
    {SYS_getcwd, ENOENT, "getcwd", 0, 0},
    {SYS_fcntl, EINVAL, "fcntl", 0, 0},
    {SYS_ioctl, EIO, "ioctl", 0, 0},
    {SYS_rename, EACCES, "rename", 0, 0},
    {SYS_renameat, EACCES, "renameat", 0, 0},
    {SYS_renameat2, EACCES, "renameat2", 0, 0},
    {SYS_link, EACCES, "link", 0, 0},
    {SYS_linkat, EACCES, "linkat", 0, 0},
    {SYS_fsync, EIO, "fsync", 0, 0},
    {SYS_fdatasync, EIO, "fdatasync", 0, 0},
    {SYS_ftruncate, EIO, "ftruncate", 0, 0},
    {SYS_fchmod, EPERM, "fchmod", 0, 0},
    {SYS_fchown, EPERM, "fchown", 0, 0},
    {SYS_getrandom, ENOSYS, "getrandom", 0, 0},
    {SYS_sched_getaffinity, EINVAL, "sched_getaffinity", 0, 0},
    {SYS_socket, EMFILE, "socket", 0, 0},
    {SYS_setsockopt, EINVAL, "setsockopt", 0, 0},
    {SYS_bind, EADDRINUSE, "bind", 0, 0},
    {SYS_listen, EADDRINUSE, "listen", 0, 0},
    {SYS_getsockname, ENOBUFS, "getsockname", 0, 0},
    {SYS_socketpair, EMFILE, "socketpair", 0, 0},
    {SYS_pipe2, EMFILE, "pipe2", 0, 0},
    {SYS_eventfd2, EMFILE, "eventfd", 0, 0},
    {SYS_epoll_create1, EMFILE, "epoll_create", 0, 0},
    {SYS_epoll_ctl, ENOMEM, "epoll_ctl", 0, 0},
    {SYS_timerfd_create, EMFILE, "timerfd_create", 0, 0},
};
enum { kCallCount = sizeof(kCalls) / sizeof(kCalls[0]) };

// fault_call(number, six arguments), from the one place that the filter lets through.
__asm__(
    ".text\n"
    "fault_call:\n"
    "  mov %rdi, %rax\n  mov %rsi, %rdi\n  mov %rdx, %rsi\n  mov %rcx, %rdx\n"
    "  mov %r8, %r10\n  mov %r9, %r8\n  mov 8(%rsp), %r9\n"
    "  syscall\n"
    "fault_called:\n"
    "  ret\n");
extern long fault_call(long, long, long, long, long, long, long);
extern char fault_called[];

static const struct Call* FindCall(long number) {
  for (int i = 0; i < kCallCount; ++i) {
    if (kCalls[i].number == number) return &kCalls[i];
  }
  return NULL;
}

static void OnCall(int signal_number, siginfo_t* info, void* context) {
  (void)signal_number;
  greg_t* r = ((ucontext_t*)context)->uc_mcontext.gregs;
  const long number = info->si_syscall;
  if (serves && (number == SYS_epoll_wait || number == SYS_poll)) _exit(0);
  const struct Call* call = FindCall(number);
  const int opens = number == SYS_openat || number == SYS_open;
  const long flags = number == SYS_openat ? r[REG_RDX] : r[REG_RSI];
  if (opens && named && (flags & O_TMPFILE) == O_TMPFILE) {
    r[REG_RAX] = -EOPNOTSUPP;
    return;
  }
  const int kind = shared->kind;
  const int counts = call && (kind == kError || (kind == kInterrupted && call->interruptible) ||
                              (kind == kShort && call->partial && r[REG_RDX] > 1));
  const int struck = counts && IsStruck(call->name);
  if (struck && kind == kShort) r[REG_RDX] /= 2;
  const int writes = number == SYS_write || number == SYS_writev;
  if (struck && writes && r[REG_RDI] == STDERR_FILENO) shared->on_stderr = 1;
  // A close that fails has closed; everything else has not happened.
  if (!struck || kind == kShort || number == SYS_close)
    r[REG_RAX] = fault_call(number, r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]);
  if (struck && kind != kShort) r[REG_RAX] = kind == kInterrupted ? -EINTR : -call->error;
}

static void CatchCalls(void) {
  struct sigaction action = {0};
  action.sa_sigaction = OnCall;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSYS, &action, NULL);
  const uint64_t place = (uint64_t)(uintptr_t)fault_called;
  struct sock_filter filter[2 * kCallCount + 16];
  int n = 0;
#define LOAD(field) \
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skip) \
  filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, skip)
#define RETURN(what) filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what)
  LOAD(instruction_pointer);
  UNLESS(place, 3);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                             offsetof(struct seccomp_data, instruction_pointer) + 4);
  UNLESS(place >> 32, 1);
  RETURN(SECCOMP_RET_ALLOW);
  LOAD(nr);
  for (int i = 0; i < kCallCount; ++i) {
    UNLESS(kCalls[i].number, 1);
    RETURN(SECCOMP_RET_TRAP);
  }
  if (serves) {
    UNLESS(SYS_epoll_wait, 1);
    RETURN(SECCOMP_RET_TRAP);
    UNLESS(SYS_poll, 1);
    RETURN(SECCOMP_RET_TRAP);
  }
  RETURN(SECCOMP_RET_ALLOW);
  struct sock_fprog program = {(unsigned short)n, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit(99);  // no such kernel: the loop says so
}

// --- One run.

struct Text {
  char* data;
  size_t size;
};
struct Outcome {
  int state;  // of wait()
  struct Text out, err, target;
};
static int log_file, out_file, err_file;
static const char *target, *fresh;

static void Log(const char* format, ...) __attribute__((format(printf, 1, 2)));
static void Log(const char* format, ...) {
  char line[2000];
  va_list words;
  va_start(words, format);
  const int size = vsnprintf(line, sizeof(line), format, words);
  va_end(words);
  if (write(log_file, line, (size_t)size < sizeof(line) ? (size_t)size : sizeof(line) - 1) < 0) _exit(98);
}

static struct Text Content(int fd) {
  struct stat st;
  struct Text out = {NULL, 0};
  if (fd < 0 || fstat(fd, &st) != 0) return out;
  out.data = __libc_malloc((size_t)st.st_size + 1);
  const ssize_t size = pread(fd, out.data, (size_t)st.st_size, 0);
  out.size = size < 0 ? 0 : (size_t)size;
  out.data[out.size] = '\0';
  return out;
}

static struct Text ContentOf(const char* path) {
  const int fd = open(path, O_RDONLY);
  const struct Text out = Content(fd);
  if (fd >= 0) close(fd);
  return out;
}

static int Same(struct Text a, struct Text b) {
  return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static void PutOldTarget(void) {
  const int fd = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0 || write(fd, FAULT_OLD, strlen(FAULT_OLD)) < 0) _exit(97);
  close(fd);
}

// The run's own place in standard input: what one reads the next has to find again.
static void ReopenStdin(void) {
  struct stat st;
  if (fstat(0, &st) != 0 || !S_ISREG(st.st_mode)) return;
  const int fd = open("/proc/self/fd/0", O_RDONLY);
  dup2(fd, 0);
  close(fd);
}

static void Arm(enum Kind kind, long at) {
  memset(shared, 0, sizeof(*shared));
  shared->kind = (int)kind;
  shared->fail_at = at;
}

static void BeginRun(void) {
  unsetenv("LD_PRELOAD");
  if (shared->kind != kAlloc || serves || named) CatchCalls();
  armed = 1;
}

// True in the run itself, which has to go on to main().
static int Run(enum Kind kind, long at, struct Outcome* out) {
  Arm(kind, at);
  if (ftruncate(out_file, 0) != 0 || ftruncate(err_file, 0) != 0) _exit(96);
  if (target) PutOldTarget();
  if (fresh) unlink(fresh);
  const pid_t child = __fork();
  if (child == 0) {
    lseek(out_file, 0, SEEK_SET);
    lseek(err_file, 0, SEEK_SET);
    dup2(out_file, STDOUT_FILENO);
    dup2(err_file, STDERR_FILENO);
    close(out_file);
    close(err_file);
    close(log_file);
    ReopenStdin();
    alarm(kSeconds);
    BeginRun();
    return 1;
  }
  while (waitpid(child, &out->state, 0) < 0) {
  }
  out->out = Content(out_file);
  out->err = Content(err_file);
  if (target) out->target = ContentOf(target);
  if (fresh) unlink(fresh);
  return 0;
}

static void Free(struct Outcome* outcome) {
  free(outcome->out.data);
  free(outcome->err.data);
  free(outcome->target.data);
  memset(outcome, 0, sizeof(*outcome));
}

// --- What must hold.

static int entries;  // in the working directory

static int CountEntries(void) {
  DIR* directory = opendir(".");
  int count = 0;
  while (directory && readdir(directory)) ++count;
  if (directory) closedir(directory);
  return count;
}

// What a run may do without, if it says so.
static int SaysThatSomethingIsMissing(struct Text err) {
  return strstr(err.data, "left out") || strstr(err.data, "not known") || strstr(err.data, "warning: ");
}

// Reports that list files or tensors say in their places which could not be read, and are written.
static int IsWhole(struct Text file, struct Text sound) {
  return file.size > 0 && sound.size > 0 && file.data[file.size - 1] == sound.data[sound.size - 1];
}

static const char* Broken(const struct Outcome* run, const struct Outcome* sound) {
  if (!WIFEXITED(run->state)) return "ended by a signal";
  const int status = WEXITSTATUS(run->state), sound_status = WEXITSTATUS(sound->state);
  if (status > kMostStatus) return "an exit status that is not documented";
  if (CountEntries() != entries) return "a file is left behind";
  if (target && !Same(run->target, sound->target) && !SaysThatSomethingIsMissing(run->err)) {
    if (status == 3 && IsWhole(run->target, sound->target)) return NULL;  // it says itself what it lacks
    const struct Text old = {(char*)FAULT_OLD, strlen(FAULT_OLD)};
    if (!Same(run->target, old)) return "the file is neither the old one nor the new";
    if (status == 0) return "status 0, and the file is the old one";
  }
  if (shared->on_stderr)
    return status == sound_status ? NULL : "a message that cannot be written changes the status";
  const int same = serves ? run->out.size == sound->out.size : Same(run->out, sound->out);  // an address with a token
  if (shared->kind == kShort && (status != sound_status || !same)) return "the rest of a short transfer is lost";
  if (status != sound_status && !strstr(run->err.data, "tfprof: error: "))
    return "an error without a message";
  if (status == 0 && !serves && !Same(run->out, sound->out) && !SaysThatSomethingIsMissing(run->err))
    return "status 0, and another report";
  return NULL;
}

static void LogFinding(const char* broken, const struct Outcome* run, long at) {
  Log("BROKEN %s:%ld (%s): %s; wait status %#x, stdout %zu bytes, stderr: %.300s\n", kKinds[shared->kind], at,
      shared->what, broken, (unsigned)run->state, run->out.size, run->err.data);
}

// --- The loop.

static int Wanted(int kind) {
  const char* wanted = getenv("FAULT_KINDS");
  if (!wanted) return 1;
  const char* found = strstr(wanted, kKinds[kind]);
  return found != NULL;
}

// True in a run.
static int AllFaults(enum Kind kind, const struct Outcome* sound) {
  struct Outcome run = {0};
  long by_status[kMostStatus + 2] = {0}, broken_runs = 0, faults = 0;
  if (Run(kind, 0, &run)) return 1;
  const long seen = shared->seen, most = getenv("FAULT_MOST") ? atol(getenv("FAULT_MOST")) : 0;
  const long stride = most > 0 && seen > most ? (seen + most - 1) / most : 1;
  Free(&run);
  for (long at = 1;; at += stride, ++faults) {
    if (Run(kind, at, &run)) return 1;
    if (!shared->struck) break;
    const char* broken = Broken(&run, sound);
    if (broken && ++broken_runs <= 10) LogFinding(broken, &run, at);
    const int status = WIFEXITED(run.state) ? WEXITSTATUS(run.state) : kMostStatus + 1;
    ++by_status[status <= kMostStatus ? status : kMostStatus + 1];
    Free(&run);
  }
  Free(&run);
  Log("%s %ld faults of %ld, by status", kKinds[kind], faults, seen);
  for (int s = 0; s <= kMostStatus; ++s) Log(" %d:%ld", s, by_status[s]);
  Log(" other:%ld\n", by_status[kMostStatus + 1]);
  return 0;
}

static int Loop(void) {
  struct Outcome sound = {0}, again = {0};
  if (target) PutOldTarget();
  entries = CountEntries();
  if (Run(kError, 0, &sound)) return 1;
  if (WIFEXITED(sound.state) && WEXITSTATUS(sound.state) == 99) {
    Log("SKIPPED no seccomp\n");
    return 0;
  }
  if (Run(kError, 0, &again)) return 1;
  shared->fail_at = 0;
  const char* broken = Broken(&again, &sound);
  if (broken) LogFinding(broken, &again, 0);
  if (!serves && !Same(again.out, sound.out)) LogFinding("two runs differ", &again, 0);
  Log("sound status %d, %zu bytes of stdout\n", WEXITSTATUS(sound.state), sound.out.size);
  for (int kind = 0; kind < kKindCount; ++kind) {
    if (Wanted(kind) && AllFaults((enum Kind)kind, &sound)) return 1;
  }
  return 0;
}

// Where the numbers of the program's own files do not come to.
static int FarAway(int fd) {
  const int far = fcntl(fd, F_DUPFD, 100);
  close(fd);
  return far;
}

__attribute__((constructor)) static void Begin(void) {
  const char* log_path = getenv("FAULT_LOG");
  const char* only = getenv("FAULT_ONLY");
  if (!log_path && !only) return;
  shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  serves = getenv("FAULT_SERVES") != NULL;
  named = getenv("FAULT_NAMED") != NULL;
  target = getenv("FAULT_TARGET");
  fresh = getenv("FAULT_FRESH");
  if (only) {
    for (int kind = 0; kind < kKindCount; ++kind) {
      const size_t size = strlen(kKinds[kind]);
      if (strncmp(only, kKinds[kind], size) == 0 && only[size] == ':')
        Arm((enum Kind)kind, atol(only + size + 1));
    }
    BeginRun();
    return;
  }
  log_file = FarAway(open(log_path, O_WRONLY | O_CREAT | O_APPEND, 0644));
  out_file = FarAway(memfd_create("out", 0));
  err_file = FarAway(memfd_create("err", 0));
  if (Loop()) return;
  _exit(0);
}
