#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/socket.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: one function for each kind of argument.
static inline CURLcode splitreel_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode splitreel_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode splitreel_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode splitreel_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode splitreel_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
typedef size_t (*splitreel_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode splitreel_curl_set_bytes(CURL *handle, CURLoption option, splitreel_curl_bytes function) {
    return curl_easy_setopt(handle, option, function);
}
typedef int (*splitreel_curl_progress)(
    void *context, curl_off_t all_down, curl_off_t down, curl_off_t all_up, curl_off_t up);
static inline CURLcode splitreel_curl_set_progress(CURL *handle, splitreel_curl_progress function) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}
typedef curl_socket_t (*splitreel_curl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
static inline CURLcode splitreel_curl_set_open(CURL *handle, splitreel_curl_open function) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}
typedef int (*splitreel_curl_seek)(void *context, curl_off_t offset, int origin);
static inline CURLcode splitreel_curl_set_seek(CURL *handle, splitreel_curl_seek function) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}
static inline long splitreel_curl_status(CURL *handle) {
    long status = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
static inline CURLcode splitreel_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// The bytes of an address that libcurl is about to connect to: 4, 16, or 0 for another family.
static inline int splitreel_curl_address(const struct curl_sockaddr *address, unsigned char bytes[16]) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}
static inline curl_socket_t splitreel_curl_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
