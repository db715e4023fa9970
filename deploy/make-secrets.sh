#!/bin/sh
# Creates the secrets that compose.yaml mounts. A file that exists is kept. Only the owner may enter the folder; the files in
# it are readable for the users of the containers.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets

random() {
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}

[ -f postgres-password ] || random > postgres-password
[ -f pgpass ] || printf 'postgres:5432:*:oka:%s\n' "$(cat postgres-password)" > pgpass
[ -f project-token ] || random > project-token
chmod 444 postgres-password pgpass project-token
