#include "server/context.h"
namespace tfprof::server {
Answer AnswerTimeline(Context&, std::string_view, const Query&) { return ErrorAnswer(404, "not yet"); }
Answer AnswerTimelineFind(Context&, std::string_view, const Query&) { return ErrorAnswer(404, "not yet"); }
}  // namespace tfprof::server
