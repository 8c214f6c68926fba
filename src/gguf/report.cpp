#include "gguf/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>

#include <nlohmann/json.hpp>

#include "gguf/printable.h"

namespace halyard::gguf {
namespace {

constexpr uint64_t kShownElements = 8;
constexpr size_t kShownStringBytes = 72, kShownElementBytes = 16, kMaxColumn = 48;

std::string scalar_text(const Value& value) {
  struct Visitor {
    std::string operator()(uint64_t u) const { return fmt::format("{}", u); }
    std::string operator()(int64_t i) const { return fmt::format("{}", i); }
    std::string operator()(double f) const { return fmt::format("{}", f); }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::string_view text) const { return printable(text, kShownStringBytes); }
    std::string operator()(const Array&) const { return {}; }
  };
  // The shortest digits of a float are those of a float: 1e-06, not 9.999999974752427e-07.
  if (value.type == ValueType::kF32)
    return fmt::format("{}", static_cast<float>(std::get<double>(value.data)));
  return std::visit(Visitor{}, value.data);
}

std::string array_text(const Array& array) {
  std::string out = fmt::format("[{}]", array.count);
  const uint64_t n_shown = std::min(array.count, kShownElements);
  std::vector<std::string_view> strings;
  if (array.element == ValueType::kString) strings = array.strings(n_shown);
  for (uint64_t i = 0; i < n_shown; ++i) {
    out += i == 0 ? " " : ", ";
    out += strings.empty() ? scalar_text(array.at(i)) : quoted(strings[i], kShownElementBytes);
  }
  return n_shown < array.count ? out + ", ..." : out;
}

MetadataRow metadata_row(std::string_view key, const Value& value) {
  if (const auto* array = std::get_if<Array>(&value.data)) {
    return {printable(key), fmt::format("array of {}", value_type_name(array->element)), array_text(*array)};
  }
  return {printable(key), std::string(value_type_name(value.type)), scalar_text(value)};
}

std::string format_name(const TensorInfo& tensor) {
  return tensor.format != nullptr ? std::string(tensor.format->name)
                                  : fmt::format("type {}", tensor.ggml_type);
}

std::vector<FormatTotal> totals_of(const std::vector<TensorRow>& tensors) {
  std::map<std::string, FormatTotal> by_name;
  for (const TensorRow& tensor : tensors) {
    FormatTotal& total = by_name[tensor.format];
    total.format = tensor.format;
    ++total.n_tensors;
    total.bytes += tensor.bytes;
  }
  std::vector<FormatTotal> out;
  for (auto& [name, total] : by_name) out.push_back(std::move(total));
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return out;
}

// Sound files have less than one alignment between tensors and behind the last.
void check_unused_bytes(const Header& header, Report& report) {
  std::vector<const TensorInfo*> by_offset;
  for (const TensorInfo& tensor : header.tensors) {
    if (tensor.format == nullptr) return;  // its size is not known
    by_offset.push_back(&tensor);
  }
  std::sort(by_offset.begin(), by_offset.end(),
            [](const auto* a, const auto* b) { return a->offset < b->offset; });
  uint64_t end = header.data_offset, unused = 0;
  for (const TensorInfo* tensor : by_offset) {
    if (tensor->offset > end && tensor->offset - end >= header.alignment) unused += tensor->offset - end;
    end = std::max(end, tensor->offset + tensor->bytes);
  }
  if (unused > 0) report.warnings.push_back(fmt::format("{} bytes between tensors belong to none", unused));
  if (header.file_bytes > end && header.file_bytes - end >= header.alignment) {
    report.problems.push_back(fmt::format(
        "the file has {} bytes, but its last tensor ends at byte {}: {} bytes too many; a resumed download "
        "may have appended to a file that was complete",
        header.file_bytes, end, header.file_bytes - end));
  }
}

void check_formats(const Header& header, Report& report) {
  std::map<std::string, uint64_t> unknown, without_decoder;
  for (const TensorInfo& tensor : header.tensors) {
    if (tensor.format == nullptr) {
      ++unknown[format_name(tensor)];
    } else if (tensor.format->decode == nullptr) {
      ++without_decoder[format_name(tensor)];
    }
  }
  const auto tensors = [](uint64_t n) { return fmt::format("{} tensor{}", n, n == 1 ? "" : "s"); };
  for (const auto& [name, n] : unknown) {
    report.problems.push_back(fmt::format("unknown format \"{}\" of {}", name, tensors(n)));
  }
  for (const auto& [name, n] : without_decoder) {
    report.warnings.push_back(
        fmt::format("{} of {} is not a format that this program computes with", name, tensors(n)));
  }
}

std::string shape_text(const std::vector<uint64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string gib_text(uint64_t n_bytes) {
  return fmt::format("{:.2f} GiB", static_cast<double>(n_bytes) / static_cast<double>(uint64_t{1} << 30));
}

// Columns as wide as their widest cell, but that a few long names do not make all lines long; the columns
// from `first_number` on are flush right.
std::string table(const std::vector<std::vector<std::string>>& rows, size_t first_number) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], std::min(row[c].size(), kMaxColumn));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      line += c >= first_number ? fmt::format("  {:>{}}", row[c], widths[c])
                                : fmt::format("  {:<{}}", row[c], widths[c]);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

std::string list_text(std::string_view title, const std::vector<std::string>& lines) {
  std::string out = fmt::format("\n{}\n", title);
  for (const std::string& line : lines) out += "  " + line + '\n';
  return lines.empty() ? std::string() : out;
}

}  // namespace

Report make_report(std::span<const Header* const> parts) {
  Report report;
  const Header& first = *parts[0];
  report.path = first.where;
  report.version = first.version;
  report.alignment = first.alignment;
  report.data_offset = first.data_offset;
  for (const auto& [key, value] : first.metadata) report.metadata.push_back(metadata_row(key, value));
  for (const Header* header : parts) {
    report.file_bytes += header->file_bytes;
    for (const TensorInfo& tensor : header->tensors) {
      report.tensors.push_back(
          {printable(tensor.name), tensor.dims, format_name(tensor), tensor.offset, tensor.bytes});
    }
    for (std::string& overlap : find_overlaps(*header)) report.problems.push_back(std::move(overlap));
    check_formats(*header, report);
    check_unused_bytes(*header, report);
  }
  report.totals = totals_of(report.tensors);
  return report;
}

Report make_report(const Header& header) {
  const Header* const only = &header;
  return make_report({&only, 1});
}

std::string to_text(const Report& report) {
  std::vector<std::vector<std::string>> metadata, tensors, totals;
  for (const MetadataRow& row : report.metadata) metadata.push_back({row.key, row.type, row.value});
  tensors.push_back({"name", "shape", "format", "offset", "bytes"});
  for (const TensorRow& row : report.tensors) {
    tensors.push_back({row.name, shape_text(row.shape), row.format, fmt::format("{}", row.offset),
                       fmt::format("{}", row.bytes)});
  }
  totals.push_back({"format", "tensors", "bytes", ""});
  uint64_t all_bytes = 0;
  for (const FormatTotal& total : report.totals) {
    totals.push_back({total.format, fmt::format("{}", total.n_tensors), fmt::format("{}", total.bytes),
                      gib_text(total.bytes)});
    all_bytes += total.bytes;
  }
  totals.push_back(
      {"all", fmt::format("{}", report.tensors.size()), fmt::format("{}", all_bytes), gib_text(all_bytes)});

  std::string out = report.path + '\n';
  out += table({{"file size", fmt::format("{} bytes ({})", report.file_bytes, gib_text(report.file_bytes))},
                {"GGUF version", fmt::format("{}", report.version)},
                {"alignment", fmt::format("{}", report.alignment)},
                {"tensor data at", fmt::format("byte {}", report.data_offset)}},
               2);
  out += fmt::format("\nmetadata ({})\n", report.metadata.size()) + table(metadata, 3);
  out += fmt::format("\ntensors ({})\n", report.tensors.size()) + table(tensors, 3);
  out += "\ntotals\n" + table(totals, 1);
  out += list_text("warnings", report.warnings);
  out += list_text("problems", report.problems);
  if (report.problems.empty()) out += "\nno problems found\n";
  return out;
}

std::string to_json(const Report& report) {
  using Json = nlohmann::ordered_json;
  Json metadata = Json::array(), tensors = Json::array(), totals = Json::array();
  for (const MetadataRow& row : report.metadata) {
    metadata.push_back(Json{{"key", row.key}, {"type", row.type}, {"value", row.value}});
  }
  for (const TensorRow& row : report.tensors) {
    tensors.push_back(Json{{"name", row.name},
                           {"shape", row.shape},
                           {"format", row.format},
                           {"offset", row.offset},
                           {"bytes", row.bytes}});
  }
  for (const FormatTotal& total : report.totals) {
    totals.push_back(Json{{"format", total.format}, {"n_tensors", total.n_tensors}, {"bytes", total.bytes}});
  }
  const Json out = {{"path", report.path},
                    {"file_bytes", report.file_bytes},
                    {"version", report.version},
                    {"alignment", report.alignment},
                    {"data_offset", report.data_offset},
                    {"metadata", metadata},
                    {"tensors", tensors},
                    {"totals", totals},
                    {"problems", report.problems},
                    {"warnings", report.warnings}};
  // A path need not be UTF-8.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace halyard::gguf
