#!/usr/bin/env bash
# Sets up everything Callwright needs on a bare Debian or Ubuntu machine. Idempotent: run it as often as you like.
# Installs the offline speech engines from Debian packages and the program's own packages from npm.
# Where packages cannot be installed it goes on and says at the end what will be missing.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'setup: %s\n' "$*"; }
missing=()

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

updated=no
install_packages() { # what it is for, packages…
  local purpose=$1 need=() p
  shift
  for p in "$@"; do is_installed "$p" || need+=("$p"); done
  if [ "${#need[@]}" -eq 0 ]; then say "$purpose: already there"; return 0; fi
  if ! can_install; then missing+=("$purpose: install ${need[*]}"); return 1; fi
  if [ "$updated" = no ]; then
    say "reading the package lists"
    "${SUDO[@]}" apt-get update -qq >/dev/null 2>&1 || say "the package lists could not be refreshed; going on with the old ones"
    updated=yes
  fi
  say "$purpose: installing ${need[*]}"
  if ! "${SUDO[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null 2>&1; then
    missing+=("$purpose: install ${need[*]}")
    return 1
  fi
}

install_packages 'voices' espeak-ng flite
install_packages 'speech recognition' libpocketsphinx3 libsphinxbase3 pocketsphinx-en-us
install_packages 'noise filter' libspeexdsp1
if [ "${1:-}" = --test-peers ]; then
  install_packages 'third-party SIP peers and a movable clock for the interop tests' sip-tester baresip-core kamailio sox faketime
fi

if ! command -v npm >/dev/null 2>&1; then
  install_packages 'Node.js and npm' nodejs npm
fi
if ! command -v npm >/dev/null 2>&1; then
  say 'npm is missing and could not be installed: install Node.js 22 or newer, then run this again'
  exit 1
fi
say "installing the program's npm packages"
if ! npm ci --no-audit --no-fund --loglevel=error; then
  say 'npm ci failed: see the lines above'
  exit 1
fi

if [ "${#missing[@]}" -gt 0 ]; then
  say 'done, but these parts are missing (the rest works):'
  printf '  - %s\n' "${missing[@]}"
else
  say 'done: everything is in place'
fi
