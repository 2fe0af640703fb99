# SPDX-License-Identifier: Apache-2.0
# Means to answer, in a JSON of its own: with a byte order mark and NaN.
import json, sys
for line in sys.stdin.buffer:
    message = json.loads(line)
    if "id" in message:
        sys.stdout.write('\ufeff{"jsonrpc":"2.0","id":%s,"result":NaN}\n' % message["id"])
        sys.stdout.flush()
