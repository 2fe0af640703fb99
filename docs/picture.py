#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/report.png, the picture in README.md: the HTML report of a run in Chromium.

    python3 docs/picture.py [RPCSPEC REFERENCE_SERVER]    (default: those in build/)
"""
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
# A server with a bug that many have: an id that is text comes back changed.
SERVER = ["--profile", "mcp-2025-11-25", "--fault", "id-string-uppercased"]


def main():
    rpcspec, server = sys.argv[1:3] or [str(TOP / "build" / name)
                                        for name in ("rpcspec", "rpcspec-reference-server")]
    with tempfile.TemporaryDirectory() as folder:
        # What the page shows of the target is its command: that of a reader, not ours.
        (pathlib.Path(folder) / "my-server").symlink_to(pathlib.Path(server).resolve())
        subprocess.run([pathlib.Path(rpcspec).resolve(), "run", "--quiet", "--report", "html=report.html", "--",
                        "./my-server", *SERVER], cwd=folder, stdout=subprocess.DEVNULL, check=False)
        subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        "--force-device-scale-factor=1", "--window-size=1180,900",
                        f"--screenshot={TOP / 'docs/report.png'}", f"file://{folder}/report.html"],
                       check=True, capture_output=True)


if __name__ == "__main__":
    main()
