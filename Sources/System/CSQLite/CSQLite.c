#include "CSQLite.h"

#include "OptionalLibrary.h"

const locwatch_sqlite *locwatch_sqlite_open(const char *soname) {
    return LIBRARY_TABLE(locwatch_sqlite, LOCWATCH_SQLITE_FUNCTIONS, soname, RTLD_NOW);
}

int locwatch_sqlite_distrust(const locwatch_sqlite *sqlite, sqlite3 *database, int longest_value) {
    // A file has a schema, whose triggers, views and functions would run with the statements of this program.
    static const struct {
        int option, value;
    } settings[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    };
    for (size_t place = 0; place < sizeof settings / sizeof settings[0]; place += 1) {
        int code = sqlite->sqlite3_db_config(database, settings[place].option, settings[place].value, NULL);
        if (code != SQLITE_OK) return code;
    }
    // The statements of this program are far below these limits, and the parser reads those of the schema too.
    sqlite->sqlite3_limit(database, SQLITE_LIMIT_LENGTH, longest_value);
    sqlite->sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 10000);
    sqlite->sqlite3_limit(database, SQLITE_LIMIT_COLUMN, 20);
    sqlite->sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 20);
    sqlite->sqlite3_limit(database, SQLITE_LIMIT_COMPOUND_SELECT, 3);
    sqlite->sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, 25000);
    sqlite->sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    return SQLITE_OK;
}
