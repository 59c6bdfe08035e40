// CLEW_SANITIZED: 1 in a build for the address or the thread sanitizer, in which everything takes
// longer and far more memory, else 0.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CLEW_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CLEW_SANITIZED 1
#endif
#endif

#ifndef CLEW_SANITIZED
#define CLEW_SANITIZED 0
#endif
