#include "CResources.h"

static const unsigned char catalogue[] = {
#if __has_embed("../../Resources/catalogue.json")
#embed "../../Resources/catalogue.json"
#endif
};

const unsigned char *catalogue_bytes(void) { return catalogue; }

size_t catalogue_byte_count(void) { return sizeof catalogue; }
