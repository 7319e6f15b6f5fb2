// SPDX-License-Identifier: BSD-3-Clause
#include "play_server.hpp"

#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <mutex>
#include <thread>

namespace taut::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* here = "127.0.0.1";

/// In the same time wherever they differ.
bool same(const std::string& a, const std::string& b) {
  unsigned char different = a.size() == b.size() ? 0 : 1;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    different |= static_cast<unsigned char>(a[k] ^ b[k]);
  return different == 0;
}

/// Whether a page of this service asks, or nobody's page. One header of a kind: of two, programs
/// take different ones.
bool is_own(const httplib::Request& request, const std::string& host) {
  const auto is = [&](const char* name, std::initializer_list<std::string> allowed, bool needed) {
    const std::size_t count = request.get_header_value_count(name);
    if (count == 0) return !needed;
    const std::string value = request.get_header_value(name);
    return count == 1 && std::find(allowed.begin(), allowed.end(), value) != allowed.end();
  };
  return is("Host", {host}, true) && is("Origin", {"http://" + host}, false) &&
         is("Sec-Fetch-Site", {"same-origin", "none"}, false);
}

bool knows(const httplib::Request& request, const std::string& token) {
  if (request.method == "GET") return same(request.get_param_value("token"), token);
  return same(request.get_header_value("X-Taut-Token"), token);
}

}  // namespace
}  // namespace taut::cli

extern "C" bool taut_play_serve(const taut::cli::Service& service) {
  using namespace taut::cli;
  httplib::Server server;
  server.set_tcp_nodelay(true);
  server.set_keep_alive_max_count(1u << 30);
  server.set_payload_max_length(64u << 20);
  server.set_keep_alive_timeout(2);  // the end does not wait longer for a browser
  // at once where one has just ended, and nobody shares the port
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  const int port = service.port == 0                         ? server.bind_to_any_port(here)
                   : server.bind_to_port(here, service.port) ? service.port
                                                             : -1;
  if (port <= 0) return false;
  const std::string host = std::string{here} + ":" + std::to_string(port);
  std::atomic<Clock::rep> seen = Clock::now().time_since_epoch().count();
  std::mutex one_at_a_time;

  server.set_default_headers({{"Cache-Control", "no-store"},
                              {"Referrer-Policy", "no-referrer"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"X-Frame-Options", "DENY"},
                              {"Cross-Origin-Resource-Policy", "same-origin"}});
  server.set_pre_routing_handler([&](const httplib::Request& request, httplib::Response& response) {
    if (!is_own(request, host) || !knows(request, service.token)) {
      response.status = 403;
      return httplib::Server::HandlerResponse::Handled;
    }
    seen = Clock::now().time_since_epoch().count();
    return httplib::Server::HandlerResponse::Unhandled;
  });
  server.Get("/", [&](const httplib::Request&, httplib::Response& response) {
    response.set_content(service.page, "text/html; charset=utf-8");
  });
  server.Post("/ask", [&](const httplib::Request& request, httplib::Response& response) {
    const std::lock_guard<std::mutex> lock{one_at_a_time};
    response.set_content(service.answer(request.body), "application/json");
    seen = Clock::now().time_since_epoch().count();
  });
  server.Post("/alive",
              [](const httplib::Request&, httplib::Response& response) { response.status = 204; });

  std::thread listening{[&] { server.listen_after_bind(); }};
  service.begun("http://" + host + "/?token=" + service.token);
  const auto alone = [&] {
    const Clock::duration last{Clock::now().time_since_epoch().count() - seen.load()};
    return std::chrono::duration<double>(last).count();
  };
  while (!service.end->load() && (service.close_after <= 0.0 || alone() < service.close_after))
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
  while (!server.is_running()) std::this_thread::yield();  // it could not be stopped before
  server.stop();
  listening.join();
  return true;
}
