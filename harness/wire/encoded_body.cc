// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/encoded_body.h"

#include <boost/beast/zlib/inflate_stream.hpp>
#include <string_view>

namespace harness::wire {
namespace {

constexpr std::size_t kMost = 4u << 20;  // bytes of text

// Without the header that RFC 1952 puts before the deflated data; none when it is not such a one.
std::optional<std::string_view> without_gzip_header(std::string_view body) {
  constexpr std::size_t kFixed = 10;
  if (body.size() < kFixed || !body.starts_with("\x1f\x8b\x08")) return std::nullopt;
  const auto flags = static_cast<unsigned char>(body[3]);
  body.remove_prefix(kFixed);
  const auto skip = [&](std::size_t size) { body.remove_prefix(std::min(size, body.size())); };
  if (flags & 4 && body.size() >= 2)  // extra field
    skip(2u + static_cast<unsigned char>(body[0]) + 256u * static_cast<unsigned char>(body[1]));
  for (const unsigned text : {8u, 16u})  // name, comment
    if (flags & text) skip(body.find('\0') == body.npos ? body.size() : body.find('\0') + 1);
  if (flags & 2) skip(2);  // checksum of the header
  return body;
}

// RFC 1950: two bytes, of which the first names the method and both together divide by 31.
std::optional<std::string_view> without_zlib_header(std::string_view body) {
  if (body.size() < 2) return std::nullopt;
  const unsigned first = static_cast<unsigned char>(body[0]);
  const unsigned second = static_cast<unsigned char>(body[1]);
  if ((first & 15) != 8 || (first * 256 + second) % 31 != 0) return std::nullopt;
  return body.substr(2);
}

std::optional<std::string> inflated(std::string_view data) {
  namespace zlib = boost::beast::zlib;
  zlib::inflate_stream stream;
  std::string out;
  zlib::z_params io{};
  io.next_in = data.data();
  io.avail_in = data.size();
  char piece[4096];
  for (boost::system::error_code error; !error;) {
    io.next_out = piece;
    io.avail_out = sizeof piece;
    stream.write(io, zlib::Flush::sync, error);
    out.append(piece, sizeof piece - io.avail_out);
    if (out.size() > kMost) return std::nullopt;
    if (error == zlib::error::end_of_stream) return out;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> decoded_body(const Frame& frame) {
  const std::string* coding = frame.head ? frame.head->header("Content-Encoding") : nullptr;
  if (coding == nullptr) return std::nullopt;
  std::optional<std::string_view> data;
  if (*coding == "gzip" || *coding == "x-gzip") data = without_gzip_header(frame.bytes);
  if (*coding == "deflate") data = without_zlib_header(frame.bytes);
  return data ? inflated(*data) : std::nullopt;
}

}  // namespace harness::wire
