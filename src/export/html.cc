// A report as one page that needs nothing else: the front end, and the report as it draws it.
#include <array>
#include <charconv>

#include "export/formats.h"
#include "tfprof/page.h"
#include "tfprof_web_files.h"

namespace tfprof {
namespace {

// A hash as content policies name it: hexadecimal digits in, base 64 out.
std::string PolicyHash(std::string_view digits) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out = "sha256-";
  for (size_t i = 0; i < digits.size(); i += 6) {  // three bytes are four letters
    const std::string_view part = digits.substr(i, 6);
    uint32_t bits = 0;
    std::from_chars(part.data(), part.data() + part.size(), bits, 16);
    bits <<= 4 * (6 - part.size());
    for (size_t letter = 0; letter < 4; ++letter)
      out += letter * 3 < part.size() * 2 ? kLetters[(bits >> (18 - 6 * letter)) & 63] : '=';
  }
  return out;
}

}  // namespace

void WriteDocumentHtml(const Document& document, const RenderOptions&, Output& out, Problems& problems) {
  // Nothing may be fetched, whatever an input smuggles in; the one script and the one style are those of this
  // file.
  out.Format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}'; style-src "
      "'{}'; "
      "img-src data: blob:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>tfprof</title>\n<style>",
      PolicyHash(kAppJsSha256), PolicyHash(kAppCssSha256));
  out.Write(PageStyle());
  out.Write(
      "</style>\n</head>\n<body>\n<div id=\"app\"><noscript>The page needs JavaScript.</noscript></div>\n"
      "<script type=\"application/json\" id=\"data\">");
  for (std::string& problem :
       RenderForPage(document, nullptr, [&out](std::string_view text) { out.Write(text); }))
    problems.push_back(std::move(problem));
  out.Write("</script>\n<script>");
  out.Write(PageScript());
  out.Write("</script>\n</body>\n</html>\n");
}

}  // namespace tfprof
