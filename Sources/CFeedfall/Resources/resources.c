#include "resources.h"

static const unsigned char catalogue[] = {
#embed "../../../Resources/catalogue.json"
};

const unsigned char *catalogue_bytes(void) { return catalogue; }

size_t catalogue_byte_count(void) { return sizeof catalogue; }

static const unsigned char manual[] = {
#embed "../../../Resources/manual/start.md" suffix(, 0, )
#embed "../../../Resources/manual/keys.md" suffix(, 0, )
#embed "../../../Resources/manual/commands.md" suffix(, 0, )
#embed "../../../Resources/manual/sources.md" suffix(, 0, )
#embed "../../../Resources/manual/services.md" suffix(, 0, )
#embed "../../../Resources/manual/filters.md" suffix(, 0, )
#embed "../../../Resources/manual/playing.md" suffix(, 0, )
#embed "../../../Resources/manual/downloads.md" suffix(, 0, )
#embed "../../../Resources/manual/records.md" suffix(, 0, )
#embed "../../../Resources/manual/configuration.md" suffix(, 0, )
#embed "../../../Resources/manual/terminals.md" suffix(, 0, )
#embed "../../../Resources/manual/files.md" suffix(, 0, )
#embed "../../../Resources/manual/troubleshooting.md" suffix(, 0, )
#embed "../../../Resources/manual/libraries.md"
};

const unsigned char *manual_bytes(void) { return manual; }

size_t manual_byte_count(void) { return sizeof manual; }
