# SPDX-License-Identifier: Apache-2.0
# The formula of the tap; `release.py gather` fills it in and puts it beside the packages.
class Rpcspec < Formula
  desc "Tests JSON-RPC 2.0 and MCP servers against their specifications"
  homepage "https://github.com/@REPOSITORY@"
  version "@VERSION@"
  license "Apache-2.0"

  depends_on :linux

  on_intel do
    url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/rpcspec-@VERSION@-linux-x86_64.tar.gz"
    sha256 "@SUM_x86_64@"
  end
  on_arm do
    url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/rpcspec-@VERSION@-linux-aarch64.tar.gz"
    sha256 "@SUM_aarch64@"
  end

  def install
    prefix.install Dir["*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/rpcspec --version")
    system bin/"rpcspec", "list", "profiles"
  end
end
