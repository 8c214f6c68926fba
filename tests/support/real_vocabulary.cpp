#include "support/real_vocabulary.h"

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

namespace halyard::test {

RealVocabulary read_real_vocabulary(const std::string& path) {
  const auto json = nlohmann::json::parse(std::ifstream(path, std::ios::binary));
  const auto& ordinary = json.at("model").at("vocab");
  const auto& special = json.at("added_tokens");

  RealVocabulary vocabulary;
  size_t n_tokens = 0;
  for (const auto& id : ordinary) n_tokens = std::max(n_tokens, id.get<size_t>() + 1);
  for (const auto& token : special) n_tokens = std::max(n_tokens, token.at("id").get<size_t>() + 1);
  vocabulary.tokens.resize(n_tokens);
  vocabulary.view.types.assign(n_tokens, static_cast<int64_t>(TokenType::kNormal));

  for (const auto& [text, id] : ordinary.items()) vocabulary.tokens.at(id.get<size_t>()) = text;
  for (const auto& token : special) {
    const auto id = token.at("id").get<size_t>();
    vocabulary.tokens.at(id) = token.at("content");
    const TokenType type = token.at("special").get<bool>() ? TokenType::kControl : TokenType::kUserDefined;
    vocabulary.view.types.at(id) = static_cast<int64_t>(type);
  }
  for (const auto& merge : json.at("model").at("merges")) vocabulary.merges.push_back(merge);

  vocabulary.view.tokens.assign(vocabulary.tokens.begin(), vocabulary.tokens.end());
  vocabulary.view.merges.assign(vocabulary.merges.begin(), vocabulary.merges.end());
  vocabulary.view.bos = 0;
  vocabulary.view.eos = 1;
  vocabulary.view.pad = 2;
  return vocabulary;
}

}  // namespace halyard::test
