#!/bin/sh
# `oka` in the container. Secrets are files: tokens become variables of this process alone, and the password file is copied,
# because clients of PostgreSQL ignore one that others may read, and a mounted secret keeps the owner it has on the host.
set -eu
secrets=${OKA_SECRETS:-/run/secrets}
here=$(dirname "$(readlink -f "$0")")

if [ -f "$secrets/pgpass" ]; then
  private=${TMPDIR:-/tmp}/oka-secrets
  umask 077
  mkdir -p "$private"
  cp "$secrets/pgpass" "$private/pgpass.$$"
  mv -f "$private/pgpass.$$" "$private/pgpass"
  export PGPASSFILE="$private/pgpass"
fi

if [ -f "$secrets/project-token" ]; then
  OKA_PROJECT_TOKEN=$(cat "$secrets/project-token")
  export OKA_PROJECT_TOKEN
fi
for file in "$secrets"/project-token-*; do
  [ -f "$file" ] || continue
  project=$(printf %s "${file##*/project-token-}" | tr 'a-z-' 'A-Z_')
  export "OKA_PROJECT_TOKEN_$project=$(cat "$file")"
done

exec node "$here/../bin/oka.cjs" "$@"
