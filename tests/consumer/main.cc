#include <tfprof/nodes.h>
#include <tfprof/profile.h>
#include <tfprof/version.h>

#include <cstdio>

int main(int argc, char** argv) {
  tfprof::Options options;
  options.inputs.assign(argv + 1, argv + argc);
  const tfprof::Result<tfprof::Loaded> loaded = tfprof::Load(options);
  if (!loaded) return std::fprintf(stderr, "%s\n", loaded.error().message.c_str()), 1;
  const tfprof::Profile& profile = *loaded->profile;
  const auto figures = tfprof::FiguresOfNodes(profile);
  std::printf("tfprof %s\n", tfprof::kVersion);
  for (size_t n = 0; n < tfprof::NodeCount(profile); ++n) {
    const tfprof::NodeView node = tfprof::NodeAt(profile, n);
    std::printf("%.*s %.*s %lld\n", static_cast<int>(node.name.size()), node.name.data(),
                static_cast<int>(node.op.size()), node.op.data(),
                static_cast<long long>((*figures)[n][tfprof::ColumnId::kParams]));
  }
}
