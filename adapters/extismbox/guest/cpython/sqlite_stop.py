"""A soft stop ends a long SQL query.

SQLite calls a progress handler every thousand steps of its machine; ours runs pending signal handlers. The exception
that one raises must then reach the caller as it is: not printed or cleared as a failed user callback, and not replaced
by an OperationalError that a snippet would swallow.
"""

CONNECTION = "Modules/_sqlite/connection.c"

HANDLER = """\
/* SQLite's steps between two looks at pending signals, some 10 microseconds. */
#define SIGNAL_CHECK_STEPS 1000

static int
check_signals_callback(void *unused)
{
    PyGILState_STATE gilstate = PyGILState_Ensure();
    int stop = PyErr_CheckSignals() < 0;
    PyGILState_Release(gilstate);
    return stop;
}

static void
watch_signals(sqlite3 *db)
{
    sqlite3_progress_handler(db, SIGNAL_CHECK_STEPS, check_signals_callback, NULL);
}

"""


def apply(tree):
    tree.insert_before(CONNECTION, "static PyObject *\nnew_statement_cache(pysqlite_Connection *self,", HANDLER)
    tree.insert_after(
        CONNECTION,
        "        (void)sqlite3_busy_timeout(db, (int)(timeout*1000));\n",
        "        watch_signals(db);\n",
    )
    tree.replace(
        CONNECTION,
        "        sqlite3_progress_handler(self->db, 0, 0, (void*)0);\n",
        "        watch_signals(self->db);\n",
    )
    tree.replace(
        "Modules/_sqlite/cursor.c",
        "            if (PyErr_Occurred()) {\n"
        "                /* there was an error that occurred in a user-defined callback */\n",
        "            if (rc != SQLITE_INTERRUPT && PyErr_Occurred()) {\n"
        "                /* there was an error that occurred in a user-defined callback */\n",
    )
    tree.insert_after(
        "Modules/_sqlite/util.c",
        "    int errorcode = sqlite3_errcode(db);\n",
        "    if (errorcode == SQLITE_INTERRUPT && PyErr_Occurred()) {\n"
        "        // a signal handler ended the query: its exception stands\n"
        "        return errorcode;\n"
        "    }\n",
    )
