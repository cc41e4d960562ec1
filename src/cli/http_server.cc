// HTTP around a Site, by libevent: connections are events, so that a slow or silent client holds a buffer and
// no thread. Each thread has its own loop on the one listening socket; an answer that takes long holds up
// those of its thread alone.
#include "cli/http_server.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "base/text.h"

namespace tfprof::cli {
namespace {

constexpr int kBacklog = 512;
constexpr int kIdleSeconds = 30;  // a client that neither sends nor takes anything is let go
constexpr ev_ssize_t kMostHeaders = 64 << 10;
constexpr timeval kTick = {0, 200'000};

template <class T, void (*kFree)(T*)>
struct Freed {
  void operator()(T* one) const { kFree(one); }
};
using Base = std::unique_ptr<event_base, Freed<event_base, event_base_free>>;
using Http = std::unique_ptr<evhttp, Freed<evhttp, evhttp_free>>;
using Event = std::unique_ptr<event, Freed<event, event_free>>;

Result<std::string> RandomToken() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
    return Error::Input("the system gives no random numbers");
  std::string out;
  for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

// Whether both are the same, in a time that tells nothing about where they differ.
bool SameToken(std::string_view given, std::string_view token) {
  unsigned difference = given.size() == token.size() ? 0 : 1;
  for (size_t i = 0; i < given.size() && i < token.size(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i]);
  return difference == 0;
}

bool IsLoopback(const std::string& address) {
  return address == "127.0.0.1" || address == "localhost" || address == "::1";
}

// A name that a browser may have come by: a page elsewhere can point a name of its own at this machine, but
// cannot make the browser send another name (DNS rebinding).
bool IsOurHost(std::string_view host, const std::string& address) {
  const size_t colon = host.ends_with(']') ? std::string_view::npos : host.rfind(':');
  std::string_view name = host.substr(0, colon);
  if (name == "127.0.0.1" || name == "localhost" || name == "[::1]") return true;
  return !IsLoopback(address) && name == address;
}

void SetHeaders(evhttp_request* request, const Answer& answer) {
  evkeyvalq* headers = evhttp_request_get_output_headers(request);
  const auto add = [&](const char* name, const std::string& value) {
    evhttp_add_header(headers, name, value.c_str());
  };
  add("Content-Type", answer.type);
  add("Content-Security-Policy", std::string(ContentSecurityPolicy()));
  add("X-Content-Type-Options", "nosniff");
  add("Referrer-Policy", "no-referrer");
  add("Cross-Origin-Resource-Policy", "same-origin");
  add("Cache-Control", "no-store");
  if (answer.file_name.empty()) return;
  std::string name;
  for (const char c : answer.file_name)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' ? c : '_';
  add("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
}

const char* Reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 422:
      return "Unprocessable Content";
    default:
      return "Insufficient Storage";
  }
}

in_port_t& PortOf(sockaddr_storage& where) {
  return where.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&where)->sin6_port
                                     : reinterpret_cast<sockaddr_in*>(&where)->sin_port;
}

// One listening socket, and the loops that serve it.
class Server {
 public:
  Server(Site& site, const ServeOptions& options, std::string token)
      : site_(site), options_(options), token_(std::move(token)) {}
  ~Server() {
    if (socket_ >= 0) close(socket_);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Status Listen();
  std::string Url() const;
  Status Run();

 private:
  struct Loop {
    Server* server = nullptr;
    bool first = false;
    Base base;
    Http http;
    std::vector<Event> events;
  };

  Status Start(Loop* loop);
  static void OnTick(evutil_socket_t, short, void* loop);
  static void OnSignal(evutil_socket_t, short, void* server);
  static void OnRequest(evhttp_request* request, void* server);
  void Reply(evhttp_request* request);

  Site& site_;
  const ServeOptions& options_;
  const std::string token_;
  int socket_ = -1;
  std::atomic<bool> stopping_ = false;
};

Status Server::Listen() {
  sockaddr_storage where = {};
  int length = sizeof(where);
  const std::string name = options_.address == "localhost" ? "127.0.0.1" : options_.address;
  auto* address = reinterpret_cast<sockaddr*>(&where);
  if (evutil_parse_sockaddr_port(name.c_str(), address, &length) != 0)
    return Error::Usage(
        fmt::format("-address {}: an address of this machine is wanted, as 127.0.0.1", Printable(name)));
  PortOf(where) = htons(static_cast<uint16_t>(options_.port));
  socket_ = socket(where.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  if (socket_ >= 0) setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  // Connections take it over: else the end of a long answer waits for the client to confirm its beginning.
  if (socket_ >= 0) setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  if (socket_ >= 0 && bind(socket_, address, static_cast<socklen_t>(length)) == 0 &&
      listen(socket_, kBacklog) == 0)
    return {};
  const bool busy = errno == EADDRINUSE;
  return Error::Input(fmt::format("{} port {}: {}{}", name, options_.port, std::strerror(errno),
                                  busy ? "; give another -port, or none for any that is free" : ""));
}

std::string Server::Url() const {
  sockaddr_storage where = {};
  socklen_t length = sizeof(where);
  getsockname(socket_, reinterpret_cast<sockaddr*>(&where), &length);
  const int port = ntohs(PortOf(where));
  const bool is_v6 = where.ss_family == AF_INET6;
  return fmt::format("http://{}{}{}:{}/{}/", is_v6 ? "[" : "", options_.address, is_v6 ? "]" : "", port,
                     token_);
}

Status Server::Start(Loop* loop) {
  loop->server = this;
  loop->base.reset(event_base_new());
  if (loop->base) loop->http.reset(evhttp_new(loop->base.get()));
  if (!loop->http || evhttp_accept_socket(loop->http.get(), socket_) != 0)
    return Error::Input("no event loop can be made");
  evhttp* http = loop->http.get();
  evhttp_set_timeout(http, kIdleSeconds);
  evhttp_set_max_headers_size(http, kMostHeaders);
  evhttp_set_max_body_size(http, 0);
  evhttp_set_allowed_methods(http, EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD | EVHTTP_REQ_PUT |
                                       EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
                                       EVHTTP_REQ_PATCH);  // to refuse them in our own words
  evhttp_set_gencb(http, OnRequest, this);
  const auto add = [loop](event* made, const timeval* every) {
    loop->events.emplace_back(made);
    return made && event_add(made, every) == 0;
  };
  bool added = add(event_new(loop->base.get(), -1, EV_PERSIST, OnTick, loop), &kTick);
  if (loop->first && options_.signals) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
      added = added && add(evsignal_new(loop->base.get(), number, OnSignal, this), nullptr);
  }
  return added ? Status() : Status(Error::Input("no event loop can be made"));
}

void Server::OnSignal(evutil_socket_t, short, void* server) {
  static_cast<Server*>(server)->stopping_ = true;
}

void Server::OnTick(evutil_socket_t, short, void* argument) {
  auto* loop = static_cast<Loop*>(argument);
  Server& server = *loop->server;
  if (loop->first && server.options_.stop && server.options_.stop()) server.stopping_ = true;
  if (server.stopping_) event_base_loopbreak(loop->base.get());
}

void Server::OnRequest(evhttp_request* request, void* server) {
  try {
    static_cast<Server*>(server)->Reply(request);
  } catch (const std::exception&) {  // no memory for it; the C library that called must not be unwound
    evhttp_send_error(request, 507, nullptr);
  }
}

void Server::Reply(evhttp_request* request) {
  const HttpRequest asked{evhttp_request_get_command(request) == EVHTTP_REQ_GET,
                          evhttp_find_header(evhttp_request_get_input_headers(request), "Host"),
                          evhttp_request_get_uri(request)};
  auto answer = std::make_unique<Answer>(AnswerTo(site_, options_.address, token_, asked));
  SetHeaders(request, *answer);
  const int status = answer->status;
  if (status == 405) evhttp_add_header(evhttp_request_get_output_headers(request), "Allow", "GET");
  evbuffer* body = evbuffer_new();
  const std::string& text = answer->body;
  // The text is not copied: it goes when it was sent.
  const auto done = [](const void*, size_t, void* sent) { delete static_cast<Answer*>(sent); };
  if (!text.empty() && evbuffer_add_reference(body, text.data(), text.size(), done, answer.get()) == 0)
    answer.release();
  evhttp_send_reply(request, status, Reason(status), body);
  evbuffer_free(body);
}

Status Server::Run() {
  std::vector<Loop> loops(static_cast<size_t>(std::max(options_.threads, 1)));
  loops[0].first = true;
  for (Loop& loop : loops) {
    if (Status s = Start(&loop); !s) return s;
  }
  if (options_.ready) options_.ready(Url());
  std::vector<std::thread> threads;
  try {
    for (size_t i = 1; i < loops.size(); ++i)
      threads.emplace_back([&loops, i] { event_base_dispatch(loops[i].base.get()); });
  } catch (const std::exception&) {  // no room for another thread: those that are there serve
  }
  event_base_dispatch(loops[0].base.get());
  stopping_ = true;
  for (std::thread& thread : threads) thread.join();
  return {};
}

}  // namespace

Answer AnswerTo(Site& site, const std::string& address, std::string_view token, const HttpRequest& request) {
  const auto refuse = [](int status, std::string_view words) {
    return Answer{status, "application/json", fmt::format("{{\"error\":\"{}\"}}", words), ""};
  };
  if (!request.host || !IsOurHost(request.host, address)) return refuse(403, "this server has another name");
  if (!request.is_get) return refuse(405, "GET is all there is");
  std::string_view uri = request.uri.substr(0, request.uri.find('#'));
  if (!uri.starts_with('/')) return refuse(400, "the address is no path");  // as proxies have it
  uri.remove_prefix(1);
  const size_t question = std::min(uri.find('?'), uri.size());
  const std::string_view path = uri.substr(0, question),
                         query = uri.substr(std::min(question + 1, uri.size()));
  const size_t slash = path.find('/');
  if (slash == std::string_view::npos || !SameToken(path.substr(0, slash), token))
    return refuse(403, "the address lacks its token: take the whole address that tfprof ui printed");
  return site.Get(path.substr(slash + 1), query);
}

Status Serve(Site& site, const ServeOptions& options) {
  std::string token = options.token;
  if (token.empty()) {
    Result<std::string> made = RandomToken();
    if (!made) return made.error();
    token = std::move(*made);
  }
  Server server(site, options, std::move(token));
  if (Status s = server.Listen(); !s) return s;
  return server.Run();
}

}  // namespace tfprof::cli
