#!/usr/bin/env bash
# Builds what is missing and runs `muster quickstart` with the given options, for example: deploy/quickstart.sh --once
# Needs a JDK 17, Maven and git; stop it with Ctrl-C.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# The distribution is newer than every source, or it is built.
stamp=$root/deploy/target/distribution.stamp
sources=("$root/pom.xml" "$root"/{storage,raft-state-machine,wire-gateway,deploy}/{pom.xml,src/main})
if [ ! -f "$stamp" ] || [ -n "$(find "${sources[@]}" -newer "$stamp" -print -quit)" ]; then
  echo "Building Muster (the first time this fetches its dependencies) ..."
  (cd "$root" && mvn -B -q -pl deploy -am -DskipTests package)
  touch "$stamp"
fi
dist=$(find "$root/deploy/target" -maxdepth 2 -type d -name 'muster-*' -path '*/muster-*/muster-*' -print -quit)
exec "$dist/bin/muster" quickstart "$@"
