#include "server/context.h"
namespace tfprof::server {
Answer AnswerMemoryLayers(Context&, std::string_view, const Query&) { return ErrorAnswer(404, "not yet"); }
Answer AnswerMemoryLive(Context&, std::string_view, const Query&) { return ErrorAnswer(404, "not yet"); }
}  // namespace tfprof::server
