#!/bin/sh
# Backs up a shop that deploy/debian.sh set up: its database and pictures, complete or not at all. polara-dump.timer runs it.
set -eu
folder=/var/backups/polara
pg_dump --format=custom --file="$folder/.partial" polara
if [ -d "$DATA_DIR/pictures" ]; then cp -au "$DATA_DIR/pictures" "$folder/"; fi
mv "$folder/.partial" "$folder/$(date -u +%Y-%m-%dT%H-%M-%SZ).dump"
find "$folder" -name '*.dump' -mtime +30 -delete
# The shop says when it learns of none.
psql -Xqd polara -c "INSERT INTO backups DEFAULT VALUES"
