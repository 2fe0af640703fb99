# SPDX-License-Identifier: Apache-2.0
"""The steps of the Dockerfile without an engine: in a copy of this system that is thrown away. The base
is not pulled, and this system stands for it."""
import os
import pathlib
import subprocess

DOCKERFILE = pathlib.Path(__file__).parent / "Dockerfile"
SCRIPT = """
    mount -t tmpfs none "$HERE"
    mkdir "$HERE/upper" "$HERE/work" "$HERE/image"
    mount -t overlay none -o lowerdir=/,upperdir="$HERE/upper",workdir="$HERE/work" \\
      "$HERE/image" || { echo no overlay; exit 77; }
    cp "$SERVER" "$HERE/image/srv/target"
    tar -xzf "$ARCHIVE" -C "$HERE/image$PLACE"
    chroot "$HERE/image" sh -c "$MADE"
    chroot --userspec="$NAME" "$HERE/image" sh -ec "cd '$FOLDER'; $COMMANDS"
"""


def steps():
    """{instruction: what stands behind it}"""
    text = DOCKERFILE.read_text(encoding="utf-8").replace("\\\n", "")
    return dict(line.split(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))


def play(archive, server, commands):
    """Makes the image of the tarball, and runs the commands in it as its user; the server is /srv/target.
    Returns what was printed, or None where no file system can be laid over another. Needs root."""
    made = steps()
    here = pathlib.Path("/mnt")  # covered in a name space of its own
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-ec", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=300, check=False, env={
            **os.environ, "ARCHIVE": str(archive), "PLACE": made["ADD"].split()[1], "MADE": made["RUN"],
            "NAME": made["USER"], "FOLDER": made["WORKDIR"], "HERE": str(here), "SERVER": str(server),
            "COMMANDS": "; ".join(commands)})
    if "no overlay" in done.stdout or "unshare failed" in done.stdout:
        return None
    assert done.returncode == 0, done.stdout
    return done.stdout
