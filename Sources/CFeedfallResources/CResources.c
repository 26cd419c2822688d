#include "CResources.h"

static const unsigned char catalogue[] = {
#embed "../../Resources/catalogue.json"
};

const unsigned char *catalogue_bytes(void) { return catalogue; }

size_t catalogue_byte_count(void) { return sizeof catalogue; }
