/* A Python module in C99: launches by symbol with the addresses of the arguments, by the kernel's handle with packed
   arguments, and with a pushed configuration; an event takes the time. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <launchpath.h>

static launchpath_symbol saxpy = LAUNCHPATH_SYMBOL("saxpy");

static PyObject *failed(launchpath_status status) {
    return PyErr_Format(PyExc_RuntimeError, "status %d: %s", (int)status, launchpath_table->error_text());
}

/* launch(a, x, y, n, stream) -> milliseconds: y += a * x three times, each launch in another way. */
static PyObject *launch(PyObject *self, PyObject *arguments) {
    struct { /* packed arguments are the members of a struct */
        float a;
        const float *x;
        float *y;
        int n;
    } packed;
    unsigned long long x, y, stream;
    double milliseconds = 0;
    launchpath_configuration at = {{0, 1, 1}, {256, 1, 1}, 0, 0, 0};
    launchpath_kernel kernel = 0;
    launchpath_event start = 0, end = 0;
    launchpath_status status;
    void *addresses[4];
    (void)self;
    if (!PyArg_ParseTuple(arguments, "fKKiK", &packed.a, &x, &y, &packed.n, &stream)) return NULL;
    packed.x = (const float *)(uintptr_t)x, packed.y = (float *)(uintptr_t)y;
    addresses[0] = &packed.a, addresses[1] = &packed.x, addresses[2] = &packed.y, addresses[3] = &packed.n;
    at.grid[0] = (uint32_t)(packed.n + 255) / 256, at.stream = stream;

    Py_BEGIN_ALLOW_THREADS /* nothing below needs the GIL */
    status = launchpath_table->event_create(LAUNCHPATH_TIMING, &start);
    if (!status) status = launchpath_table->event_create(LAUNCHPATH_TIMING, &end);
    if (!status) status = launchpath_table->event_record(start, stream);
    if (!status) status = launchpath_launch(&saxpy, &at, addresses, 4);
    if (!status) status = launchpath_table->find("saxpy", stream, &kernel);
    if (!status) status = launchpath_table->launch_packed(kernel, &at, &packed, sizeof packed);
    if (!status) status = launchpath_table->push(&at);
    if (!status) status = launchpath_launch_pushed(&saxpy, addresses, 4);
    if (!status) status = launchpath_table->event_record(end, stream);
    if (!status) status = launchpath_table->event_synchronize(end);
    if (!status) status = launchpath_table->event_elapsed(start, end, &milliseconds);
    Py_END_ALLOW_THREADS
    if (status) failed(status); /* before the next calls, which have texts of their own */
    if (start) launchpath_table->event_destroy(start);
    if (end) launchpath_table->event_destroy(end);
    return status ? NULL : PyFloat_FromDouble(milliseconds);
}

static PyMethodDef methods[] = {{"launch", launch, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "module_c", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_module_c(void) { return launchpath_import() == 0 ? PyModule_Create(&module) : NULL; }
