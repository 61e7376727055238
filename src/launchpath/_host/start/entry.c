/* Where a program begins that the system starts: it becomes Python, which loads it and calls `main`.

   The program is a shared object, so that it can be loaded. Nothing of the C library is initialized here, and none of the
   program's constructors have run: only system calls are used. */
#include <stddef.h>

/* Of the linker, see _host/compiler/link.py: the path of the Python that runs the program. */
extern const char launchpath_python[] __attribute__((visibility("hidden")));

static long system_call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

enum { WRITE = 1, EXECVE = 59, EXIT = 60, READLINK = 89, MOST = 65536 };

static size_t length(const char *text) {
    size_t n = 0;
    while (text[n]) ++n;
    return n;
}

static void say(const char *text) { system_call(WRITE, 2, (long)text, (long)length(text)); }

static const char *variable(char **environment, const char *name) {
    size_t i, n = length(name);
    for (; *environment; ++environment) {
        for (i = 0; i < n && (*environment)[i] == name[i]; ++i) {}
        if (i == n && (*environment)[n] == '=') return *environment + n + 1;
    }
    return 0;
}

static const char program[] =
    "import sys\n"
    "if sys.path[:1] == ['']:\n"
    "    del sys.path[0]\n" /* the current folder, which is the program's and not Python's */
    "try:\n"
    "    from launchpath._host.executable import start\n"
    "except ImportError as error:\n"
    "    sys.exit(f'{sys.argv[1]}: expected launchpath in {sys.executable}, got {error}: install it there, or name "
    "another Python in LAUNCHPATH_PYTHON')\n"
    "start()\n";

static char path[4096]; /* of this file */
static const char *arguments[MOST]; /* Python's: its options, this file, and the program's arguments */

__attribute__((used)) static void launchpath_begin(long *stack) {
    long count = stack[0], i, size, n = 0;
    char **given = (char **)(stack + 1), **environment = given + count + 1;
    const char *python = variable(environment, "LAUNCHPATH_PYTHON");
    if (python == 0 || *python == 0) python = launchpath_python;
    if (count > MOST - 8) {
        say("launchpath: too many arguments\n");
        system_call(EXIT, 126, 0, 0);
    }
    arguments[n++] = python;
    arguments[n++] = "-c";
    arguments[n++] = program;
    size = system_call(READLINK, (long)"/proc/self/exe", (long)path, sizeof path - 1);
    path[size > 0 ? size : 0] = 0;
    arguments[n++] = path;
    for (i = 0; i < count; ++i) arguments[n++] = given[i];
    arguments[n] = 0;
    system_call(EXECVE, (long)python, (long)arguments, (long)environment);
    say(count > 0 ? given[0] : "program");
    say(": expected the Python that this program was linked for, got no program at ");
    say(python);
    say(": name a Python that has launchpath in LAUNCHPATH_PYTHON\n");
    system_call(EXIT, 127, 0, 0);
}

__asm__(".text\n.globl launchpath_entry\n.hidden launchpath_entry\n.type launchpath_entry, @function\n"
        "launchpath_entry:\n"
        "    xor %ebp, %ebp\n"
        "    mov %rsp, %rdi\n"
        "    and $-16, %rsp\n"
        "    call launchpath_begin\n"
        "    hlt\n");
