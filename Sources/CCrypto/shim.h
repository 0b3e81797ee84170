// OpenSSL's digests. Only Hashing imports it.
#pragma once
#include <openssl/evp.h>
