#include "CSQLite.h"

#include "OptionalLibrary.h"

const locwatch_sqlite *locwatch_sqlite_open(const char *soname) {
    return LIBRARY_TABLE(locwatch_sqlite, LOCWATCH_SQLITE_FUNCTIONS, soname, RTLD_NOW);
}
