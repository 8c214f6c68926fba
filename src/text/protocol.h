// The fixed texts of the model's chat protocol. Spec: chat.md, sections "Tokenizer" and "Rendering a
// conversation".
#pragma once
#include <array>
#include <string_view>

namespace halyard {

// Each of these is one special token of the vocabulary. Bars are U+FF5C, the low line in BOS and EOS is
// U+2581.
inline constexpr std::string_view kBosMarker = "<｜begin▁of▁sentence｜>";
inline constexpr std::string_view kEosMarker = "<｜end▁of▁sentence｜>";
inline constexpr std::string_view kUserMarker = "<｜User｜>";
inline constexpr std::string_view kAssistantMarker = "<｜Assistant｜>";
inline constexpr std::string_view kThinkMarker = "<think>";
inline constexpr std::string_view kEndThinkMarker = "</think>";
inline constexpr std::string_view kDsmlMarker = "｜DSML｜";

inline constexpr std::array kProtocolMarkers = {kBosMarker,   kEosMarker,      kUserMarker, kAssistantMarker,
                                                kThinkMarker, kEndThinkMarker, kDsmlMarker};

// The files of src/text/protocol/, byte for byte; CMake puts them into protocol_text.cpp.
extern const std::string_view kToolsHeader;
extern const std::string_view kToolsFooter;
extern const std::string_view kResponseFormatHeader;
extern const std::string_view kEffortAbsoluteMaximum;
extern const std::string_view kEffortBeyondMaximum;

}  // namespace halyard
