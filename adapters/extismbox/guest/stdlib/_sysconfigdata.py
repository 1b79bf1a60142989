# What sysconfig and zoneinfo ask of the build; the real list has the paths of the machine that built.
build_time_vars = {
    "TZPATH": "",
    "EXT_SUFFIX": ".cpython-313-wasm32-wasi.so",
    "SOABI": "cpython-313-wasm32-wasi",
    "Py_GIL_DISABLED": 0,
    "Py_DEBUG": 0,
    "VERSION": "3.13",
}
