#include "cli/run.h"

int main(int argc, char** argv) { return tfprof::cli::Run(argc, argv); }
