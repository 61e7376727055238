/* The places that the recorder reads in the interpreter's memory, beside those of the headers that this is compiled with. It
   prints a line for each: name, the headers' place, the recorder's. */
#define Py_BUILD_CORE 1
#include <Python.h>
#include <stddef.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_runtime.h>
#include "python.h"

typedef struct _PyInterpreterFrame frame_type;

int main(void) {
    const python_layout *layout = 0;
    size_t i;
    for (i = 0; i < sizeof python_layouts / sizeof *python_layouts; i++)
        if (python_layouts[i].version == PY_VERSION_HEX >> 16) layout = &python_layouts[i];
    if (layout == 0) return 1;
#define SAY(name, expected, found) printf("%s %zu %zu\n", name, (size_t)(expected), (size_t)(found))
#if PY_VERSION_HEX < 0x030D0000
    SAY("state_frame", offsetof(PyThreadState, cframe), layout->state_frame);
    SAY("holder_frame", offsetof(_PyCFrame, current_frame), layout->holder_frame);
    SAY("code", offsetof(frame_type, f_code), layout->code);
    SAY("instruction", offsetof(frame_type, prev_instr), layout->instruction);
#else
    SAY("state_frame", offsetof(PyThreadState, current_frame), layout->state_frame);
    SAY("holder_frame", PYTHON_NONE, layout->holder_frame);
    SAY("code", offsetof(frame_type, f_executable), layout->code);
    SAY("instruction", offsetof(frame_type, instr_ptr), layout->instruction);
#endif
    SAY("previous", offsetof(frame_type, previous), layout->previous);
    SAY("owner", offsetof(frame_type, owner), layout->owner);
    SAY("first_line", offsetof(PyCodeObject, co_firstlineno), layout->first_line);
    SAY("filename", offsetof(PyCodeObject, co_filename), layout->filename);
    SAY("qualified_name", offsetof(PyCodeObject, co_qualname), layout->qualified_name);
    SAY("line_table", offsetof(PyCodeObject, co_linetable), layout->line_table);
#if PY_VERSION_HEX < 0x030C0000
    SAY("code_version", PYTHON_NONE, layout->code_version);
#else
    SAY("code_version", offsetof(PyCodeObject, co_version), layout->code_version);
#endif
    SAY("instructions", offsetof(PyCodeObject, co_code_adaptive), layout->instructions);
    SAY("ascii", sizeof(PyASCIIObject), layout->ascii);
    SAY("compact", sizeof(PyCompactUnicodeObject), layout->compact);
    SAY("frame_size", offsetof(struct _frame, _f_frame_data) + offsetof(frame_type, localsplus), layout->frame_size);
    return 0;
}
