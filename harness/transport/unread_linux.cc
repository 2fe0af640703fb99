// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "harness/transport/unread.h"

namespace harness::transport {
namespace {

struct Address {
  sockaddr_storage storage = {};
  int family() const { return storage.ss_family; }
  // As the kernel's tables have it.
  void put(__be16& port, __be32 (&host)[4]) const {
    if (family() == AF_INET) {
      const auto& four = reinterpret_cast<const sockaddr_in&>(storage);
      port = four.sin_port;
      host[0] = four.sin_addr.s_addr;
    } else {
      const auto& six = reinterpret_cast<const sockaddr_in6&>(storage);
      port = six.sin6_port;
      std::memcpy(host, &six.sin6_addr, sizeof host);
    }
  }
};

// The socket at the other end, asked of the kernel by its addresses; it knows those of this
// machine.
int unread_by(const Address& other, const Address& own) {
  const int kernel =
      ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
  if (kernel < 0) return -1;
  struct {
    nlmsghdr head;
    inet_diag_req_v2 body;
  } question = {};
  question.head.nlmsg_len = sizeof question;
  question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.head.nlmsg_flags = NLM_F_REQUEST;
  question.body.sdiag_family = static_cast<__u8>(own.family());
  question.body.sdiag_protocol = IPPROTO_TCP;
  question.body.idiag_states = ~0u;
  other.put(question.body.id.idiag_sport, question.body.id.idiag_src);
  own.put(question.body.id.idiag_dport, question.body.id.idiag_dst);
  std::fill_n(question.body.id.idiag_cookie, 2, INET_DIAG_NOCOOKIE);
  struct {
    nlmsghdr head;
    inet_diag_msg body;
    char more[512];
  } answer = {};
  int unread = -1;
  // The kernel has answered by the time the question is sent.
  if (send(kernel, &question, sizeof question, 0) == static_cast<ssize_t>(sizeof question) &&
      recv(kernel, &answer, sizeof answer, 0) >=
          static_cast<ssize_t>(sizeof answer.head + sizeof answer.body) &&
      answer.head.nlmsg_type == SOCK_DIAG_BY_FAMILY)
    unread = static_cast<int>(answer.body.idiag_rqueue);
  close(kernel);
  return unread;
}

}  // namespace

int unread_of(int stream) {
  struct stat about = {};
  if (fstat(stream, &about) != 0) return -1;
  int unread = 0;
  if (S_ISFIFO(about.st_mode)) return ioctl(stream, FIONREAD, &unread) == 0 ? unread : -1;
  Address own, other;
  socklen_t own_size = sizeof own.storage, other_size = sizeof other.storage;
  if (getsockname(stream, reinterpret_cast<sockaddr*>(&own.storage), &own_size) != 0) return -1;
  if (own.family() == AF_UNIX) return ioctl(stream, SIOCOUTQ, &unread) == 0 ? unread : -1;
  if (own.family() != AF_INET && own.family() != AF_INET6) return -1;
  if (getpeername(stream, reinterpret_cast<sockaddr*>(&other.storage), &other_size) != 0) return -1;
  // What is still on its way will be there: a connection within the machine takes no time.
  return unread_by(other, own);
}

}  // namespace harness::transport
