#include "report/svg_page.h"

#include <fmt/format.h>

#include "base/columns.h"
#include "base/text.h"
#include "report/escape.h"

namespace clew::report {

namespace {

constexpr const char* kStyle = R"(
    text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
    .paper { fill: #ffffff; }
    .heading { font-size: 15px; font-weight: 600; }
    .note { fill: #59636e; }
    .tick { fill: #59636e; font-size: 12px; text-anchor: end; }
    .name { font-weight: 600; text-anchor: middle; }
    .head { fill: #f6f8fa; stroke: #d1d9e0; }
    .line { stroke: #afb8c1; stroke-width: 1.5; fill: none; }
    .dead { stroke: #d1242f; stroke-width: 1.5; stroke-dasharray: 2 5; opacity: .7; }
    .row { stroke: #d1d9e0; stroke-dasharray: 1 5; }
    .dot { fill: #59636e; }
    .band { fill: #f6f8fa; }
    .cut { fill: #d1242f; opacity: .09; }
    .sent { stroke: #0969da; stroke-width: 1.6; fill: none; }
    .sent-tip { fill: #0969da; }
    .lost { stroke: #d1242f; stroke-width: 1.6; stroke-dasharray: 5 4; fill: none; }
    .cross { stroke: #d1242f; stroke-width: 2.4; stroke-linecap: round; }
    .label { font: 12px ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, monospace;
             text-anchor: middle; paint-order: stroke; stroke: #ffffff; stroke-width: 5px;
             stroke-linejoin: round; }
    .bad { fill: #d1242f; }
    .good { fill: #1a7f37; }
    .bad-mark { fill: #d1242f; font-size: 12px; }
    .goal { fill: #ffffff; stroke: #818b98; stroke-width: 1.2; }
    .goal-good { fill: #fff0ee; stroke: #d1242f; stroke-width: 1.6; }
    .goal-bad { fill: #eaf3ff; stroke: #0969da; stroke-width: 1.6; }
    .absent { stroke-dasharray: 4 3; }
    .fact { font: 12px ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, monospace;
            text-anchor: middle; }
    .rule { fill: #eff2f5; stroke: #d1d9e0; }
    .rule-cut { fill: #d1242f; stroke: #d1242f; }
    .rule-name { font-size: 11px; text-anchor: middle; fill: #59636e; }
    .rule-cut-name { font-size: 11px; text-anchor: middle; fill: #ffffff; font-weight: 600; }
    .edge { stroke: #818b98; stroke-width: 1.3; fill: none; }
    .edge-good { stroke: #d1242f; }
    .edge-bad { stroke: #0969da; }
    .message { stroke-dasharray: 6 4; }
    .contrary { stroke-dasharray: 1.5 4; stroke-linecap: round; stroke-width: 2; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .paper { fill: #0d1117; }
      .note, .tick, .rule-name { fill: #9198a1; }
      .head, .band { fill: #161b22; }
      .head, .row, .rule { stroke: #3d444d; }
      .line { stroke: #59636e; }
      .dot { fill: #9198a1; }
      .cut { fill: #f85149; opacity: .16; }
      .sent { stroke: #4493f8; }
      .sent-tip { fill: #4493f8; }
      .dead, .lost, .cross { stroke: #f85149; }
      .label { stroke: #0d1117; }
      .bad, .bad-mark { fill: #f85149; }
      .good { fill: #3fb950; }
      .goal { fill: #0d1117; stroke: #9198a1; }
      .goal-good { fill: #2d1517; stroke: #f85149; }
      .goal-bad { fill: #0c1d33; stroke: #4493f8; }
      .rule { fill: #21262d; }
      .rule-cut { fill: #da3633; stroke: #da3633; }
      .edge { stroke: #7d8590; }
      .edge-good { stroke: #f85149; }
      .edge-bad { stroke: #4493f8; }
    }
  )";

}  // namespace

std::string page_text(const SvgPage& page) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-labelledby=\"title desc\">\n"
      "  <title id=\"title\">{2}</title>\n"
      "  <desc id=\"desc\">{3}</desc>\n"
      "  <style>{4}</style>\n"
      "  <rect class=\"paper\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n"
      "{5}"
      "</svg>\n",
      page.width, page.height, xml(page.title), xml(page.description), kStyle, page.body);
}

double label_width(std::string_view text) {
  return 7.25 * static_cast<double>(count_code_points(text));
}

double note_width(std::string_view text) {
  return 6.9 * static_cast<double>(count_code_points(text));
}

std::string svg_text(double x, double y, std::string_view kind, std::string_view text) {
  return fmt::format("  <text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kind, x, y,
                     xml(printable(text)));
}

}  // namespace clew::report
