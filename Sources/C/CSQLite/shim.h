/* SPDX-License-Identifier: MIT
 * SQLite, and the things of it that Swift cannot import by itself. */
#pragma once
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast macro. */
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/* sqlite3_db_config(3) takes variable arguments. */
static inline int csqlite_set_defensive(sqlite3 *db, int on) {
    return sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, on, (int *)0);
}

static inline int csqlite_set_no_checkpoint_on_close(sqlite3 *db, int on) {
    return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on, (int *)0);
}
