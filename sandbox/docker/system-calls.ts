/**
 * The system call filter: what ordinary programs use, by purpose. Everything else fails with EPERM. It is a
 * subset of Docker's default filter. That one lets programs trace each other. On older daemons it also allows
 * `io_uring` rings and sockets of any family. Here only Unix sockets can be created: vsock knows no network
 * namespace, AF_ALG reaches the kernel's ciphers, and the others have no network. Names that a kernel does
 * not know are ignored.
 */
const allowed = [
  // files
  'access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat',
  'fcntl fdatasync fgetxattr flistxattr flock fremovexattr fsetxattr fstat fstatfs fsync ftruncate futimesat getcwd getdents getdents64 getxattr inotify_add_watch',
  'inotify_init inotify_init1 inotify_rm_watch ioctl lchown lgetxattr link linkat listxattr llistxattr lremovexattr lseek lsetxattr lstat mkdir mkdirat mknod mknodat newfstatat',
  'open openat openat2 pipe pipe2 pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv removexattr rename renameat renameat2 rmdir sendfile',
  'setxattr splice stat statfs statx symlink symlinkat sync sync_file_range syncfs tee truncate umask unlink unlinkat utime utimensat utimes vmsplice write writev',
  // memory
  'brk madvise membarrier memfd_create mincore mlock mlock2 mlockall mmap mprotect mremap msync munlock munlockall munmap pkey_alloc pkey_free pkey_mprotect',
  'remap_file_pages',
  // processes, threads and signals
  'arch_prctl capget capset execve execveat exit exit_group fork futex futex_waitv get_robust_list get_thread_area getcpu getegid geteuid getgid getgroups getpgid getpgrp getpid',
  'getppid getpriority getresgid getresuid getrlimit getrusage getsid gettid getuid ioprio_get ioprio_set kill pause pidfd_open pidfd_send_signal prctl prlimit64 restart_syscall rseq',
  'rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min',
  'sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield set_robust_list',
  'set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid setuid sigaltstack',
  'signalfd signalfd4 tgkill tkill vfork wait4 waitid',
  // time
  'adjtimex alarm clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep time timer_create timer_delete timer_getoverrun timer_gettime timer_settime',
  'timerfd_create timerfd_gettime timerfd_settime times',
  // waiting
  'epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 poll ppoll pselect6 select',
  // sockets, once they are made
  'accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto setsockopt shutdown socketpair',
  // shared memory, queues and semaphores of System V and POSIX, in a namespace of their own
  'mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink msgctl msgget msgrcv msgsnd semctl semget semop semtimedop shmat shmctl shmdt shmget',
  // the system
  'getrandom sysinfo uname',
].flatMap((line) => line.split(' '));

const unixFamily = 1;
const namespaceFlags = 0x7e020000;
const noSuchCall = 38;

const allow = (names: readonly string[], args: readonly object[] = []): object => ({
  names,
  action: 'SCMP_ACT_ALLOW',
  args,
});

/** The filter in the daemon's JSON format. */
export const systemCallFilter = JSON.stringify({
  defaultAction: 'SCMP_ACT_ERRNO',
  syscalls: [
    allow(allowed),
    allow(['clone'], [{ index: 0, value: namespaceFlags, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }]),
    allow(['socket'], [{ index: 0, value: unixFamily, op: 'SCMP_CMP_EQ' }]),
    ...[0x0, 0x8, 0x20000, 0x20008, 0xffffffff].map((persona) =>
      allow(['personality'], [{ index: 0, value: persona, op: 'SCMP_CMP_EQ' }]),
    ),
    // C libraries try clone3 first; without it they fall back to clone, whose flags a filter can read
    { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: noSuchCall, args: [] },
  ],
});
