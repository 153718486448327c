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

# What is needed for what, by the order it was asked for in.
purposes=()
declare -A packages=()
need() { # what it is for, packages…
  local purpose=$1 absent=() p
  shift
  for p in "$@"; do is_installed "$p" || absent+=("$p"); done
  if [ "${#absent[@]}" -eq 0 ]; then say "$purpose: already there"; return; fi
  purposes+=("$purpose")
  packages[$purpose]="${absent[*]}"
}
apt_install() { # packages…
  "${SUDO[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}
# Everything in one go, which is quickest; where that fails each purpose by itself, so that one costs no other.
install_needed() {
  local purpose
  [ "${#purposes[@]}" -eq 0 ] && return
  if ! can_install; then
    for purpose in "${purposes[@]}"; do missing+=("$purpose: install ${packages[$purpose]}"); done
  else
    say 'reading the package lists'
    "${SUDO[@]}" apt-get update -qq >/dev/null 2>&1 || say "the package lists could not be refreshed; going on with the old ones"
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
  say 'npm is missing and could not be installed: install Node.js 22 or newer, then run this again'
  exit 1
fi
# npm waits for its registry while the other packages are unpacked.
say "installing the program's npm packages"
npm ci --no-audit --no-fund --loglevel=error &
npm_ci=$!

need 'voices' espeak-ng flite
need 'speech recognition' libpocketsphinx3 libsphinxbase3 pocketsphinx-en-us
need 'noise filter' libspeexdsp1
if [ "${1:-}" = --test-peers ]; then
  need 'third-party SIP peers and a movable clock for the interop tests' sip-tester baresip-core kamailio sox faketime
fi
install_needed
if ! wait "$npm_ci"; then
  say 'npm ci failed: see the lines above'
  exit 1
fi

if [ "${#missing[@]}" -gt 0 ]; then
  say 'done, but these parts are missing (the rest works):'
  printf '  - %s\n' "${missing[@]}"
else
  say 'done: everything is in place'
fi
