#!/usr/bin/env bash
# The container image, in steps, each of which can be run alone:
#   files   collects in dist/image what the Dockerfile copies: the packed program with its packages, from npm's registry.
#           IMAGE_CPU=arm64 collects the files of that processor; the default is this machine's.
#           IMAGE_MODELS=yes, for this and the next steps, adds the English pack: a natural voice and free speech without
#           a network. Without it the pack is fetched at the first start.
#   base    makes debian:bookworm-slim by debootstrap, where no registry of images can be reached; without arguments it runs
#           only where buildah has no such image
#   build   builds the image by buildah. Others: docker build -t callwright .
#   check   starts the image with a read-only root and without privileges, places a call in it, stops it, states its size
# base, build and check need Debian's packages buildah and debootstrap, and root; they work inside another container, too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

most_mb=350
image=localhost/callwright:$(node -p 'require("./package.json").version')
models=/opt/callwright/models
if [ "${IMAGE_MODELS:-no}" = yes ]; then
  most_mb=620
  image=$image-voice
fi
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
say() { printf 'image: %s\n' "$*"; }
fail() { printf 'image: %s\n' "$*" >&2; exit 1; }
needs() { # programs…
  local program
  [ "$(id -u)" = 0 ] || fail 'base, build and check need root'
  for program in "$@"; do
    command -v "$program" >/dev/null || fail "$program is missing: apt-get install buildah debootstrap"
  done
}

files() {
  local cpu=${IMAGE_CPU:-$(node -p process.arch)} modules=dist/image/node_modules
  rm -rf dist/image callwright-*.tgz
  npm run --silent pack
  mkdir -p dist/image
  npm install --prefix dist/image --os=linux --cpu="$cpu" --libc=glibc --no-audit --no-fund --loglevel=error \
    "$PWD"/callwright-*.tgz
  (cd "$modules/@embedded-postgres/linux-$cpu" && node scripts/hydrate-symlinks.js)
  # What nothing runs: headers, static libraries, TypeScript, source maps, documentation, tests of packages, symbols for a debugger.
  rm -rf "$modules"/node-linux-*/{include,share} "$modules"/@embedded-postgres/*/native/lib/{*.a,pkgconfig} \
    "$modules"/@koromix/*/musl_*
  find "$modules" -type f -not -path "$modules/callwright/*" \
    \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' -o -name '*.mdx' \) -delete
  find "$modules" -type d -not -path "$modules/callwright/*" \( -name test -o -name tests -o -name examples -o -name benchmarks \) \
    -prune -exec rm -rf {} +
  strip "$modules/node-linux-$cpu/bin/node" 2>/dev/null || say 'node keeps its symbols: strip (binutils) cannot take them'
  rm -rf dist/image/package-lock.json "$modules"/callwright/{docs,deploy,CHANGELOG.md}
  if [ "${IMAGE_MODELS:-no}" = yes ]; then
    [ "$cpu" = "$(node -p process.arch)" ] || fail "the models are those of this machine's processor: leave out IMAGE_CPU"
    MODELS_DIR=$PWD/dist/image/models bin/callwright models get
    rm -rf dist/image/models/.work
    chmod -R a+rX dist/image/models
  fi
  say "dist/image: $(du -sm dist/image | cut -f1) MB for $cpu"
}

base() {
  needs buildah debootstrap
  local folder container mounted
  folder=$(mktemp -d)
  debootstrap --variant=minbase bookworm "$folder/root" http://deb.debian.org/debian >"$folder/log" ||
    fail "debootstrap failed: $(tail -n 3 "$folder/log")"
  rm -rf "$folder"/root/var/{cache/apt/archives/*.deb,lib/apt/lists/*,log/*} \
    "$folder"/root/usr/share/{doc,man,info,locale}/*
  container=$(buildah from scratch)
  mounted=$(buildah mount "$container")
  cp -a "$folder/root/." "$mounted/"
  buildah config --cmd bash "$container"
  buildah commit --quiet --rm "$container" docker.io/library/debian:bookworm-slim >/dev/null
  rm -rf "$folder"
  say 'debian:bookworm-slim: made'
}

build() {
  needs buildah
  local args=()
  [ "${IMAGE_MODELS:-no}" = no ] || args=(--build-arg "MODELS_DIR=$models")
  buildah bud --quiet --pull-never --format docker "${args[@]}" --tag "$image" . >/dev/null
  say "$image: built"
}

# One entry of the image's configuration, such as .Entrypoint: an argument a line, for an array of bash.
configured() {
  buildah inspect --type image "$image" |
    node -e "const { config } = JSON.parse(require('node:fs').readFileSync(0, 'utf8')).Docker;
      for (const one of [config$1].flat()) console.log(one)"
}

# Runs a command as a container runtime does: process 1 of its own namespace, in a root that cannot be written. Arguments:
# root, data folder, command.
contained() {
  local root=$1 data=$2
  shift 2
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  mount -t tmpfs -o mode=0755 tmpfs "$root/dev"
  local device
  for device in null zero full random urandom; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  mkdir "$root/dev/shm"
  mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
  mount --bind "$data" "$root/data"
  mount -o remount,bind,ro "$root"
  exec chroot "$root" "$@"
}

check() {
  needs buildah
  local container root folder user env entry cmd probe starter first port sip
  folder=$(mktemp -d)
  container=$(buildah from --pull-never "$image")
  root=$(buildah mount "$container")
  user=$(configured .User)
  mapfile -t env < <(configured .Env)
  mapfile -t entry < <(configured .Entrypoint)
  mapfile -t cmd < <(configured .Cmd)
  mapfile -t probe < <(configured .Healthcheck.Test.slice\(1\))
  read -r port sip < <(node -e "const { createServer } = require('node:net');
    const open = [createServer().listen(0), createServer().listen(0)];
    setImmediate(() => { console.log(...open.map((one) => one.address().port)); process.exit(); });")
  # The chroot shares the network of this machine: ports of its own, and no download of models.
  env+=("PORT=$port" "SIP_PORT=$sip" MODELS_FETCH=off LC_ALL=C.UTF-8)
  local size=$(($(du -sb --one-file-system "$root" | cut -f1) / 1000000))
  install -d -o "${user%:*}" -g "${user#*:}" -m 0700 "$folder/data"
  # The image's environment and user, and no privileges.
  local as=(/usr/bin/env -i "${env[@]}" /usr/bin/setpriv --reuid="${user%:*}" --regid="${user#*:}" --clear-groups
    --no-new-privs --bounding-set=-all --inh-caps=-all --)
  export -f contained
  unshare --mount --pid --fork --kill-child --propagation private bash -c 'contained "$@"' contained \
    "$root" "$folder/data" "${as[@]}" "${entry[@]}" "${cmd[@]}" >"$folder/log" 2>&1 &
  starter=$!
  trap 'kill "$starter" 2>/dev/null || true' EXIT
  inside() { # a command as the user of the image, in the running container
    nsenter --target "$first" --mount --pid --root --wd "${as[@]}" "$@"
  }
  local begun=$SECONDS
  until first=$(pgrep -P "$starter") && [ "$(cat "/proc/$first/comm" 2>/dev/null)" = tini ] && inside "${probe[@]}" 2>/dev/null; do
    kill -0 "$starter" 2>/dev/null || fail "the image ended: $(tail -n 20 "$folder/log")"
    [ $((SECONDS - begun)) -lt 120 ] || fail "the image is not healthy after 120 s: $(tail -n 20 "$folder/log")"
    sleep 0.5
  done
  say "healthy after $((SECONDS - begun)) s"
  [ "$(inside cat /proc/1/comm)" = tini ] || fail 'process 1 is not tini'
  [ "$(inside id -u)" = "${user%:*}" ] || fail 'it does not run as the user of the image'
  if inside touch /opt/callwright/written 2>/dev/null; then fail 'its root can be written'; fi
  until inside test -s /data/api-key.txt; do
    [ $((SECONDS - begun)) -lt 120 ] || fail 'there is no API key after 120 s'
    sleep 0.5
  done
  if [ "${IMAGE_MODELS:-no}" = yes ]; then
    inside callwright models verify | tee "$folder/models"
    [ "$(grep -c '^ok ' "$folder/models")" -ge 8 ] || fail 'the English pack is not in it'
    ! grep -q '^FAIL' "$folder/models" || fail 'a model of the pack is damaged'
  fi
  inside callwright call +14155550123 --key-file /data/api-key.txt --url "http://127.0.0.1:$port" | tee "$folder/call"
  grep -q 'completed: ' "$folder/call" || fail 'the call did not complete'
  kill -TERM "$first"
  local code=0
  wait "$starter" || code=$?
  trap - EXIT
  [ "$code" = 0 ] || fail "it ended with $code after SIGTERM: $(tail -n 20 "$folder/log")"
  buildah rm "$container" >/dev/null
  rm -rf "$folder"
  [ "$size" -le "$most_mb" ] || fail "$size MB, more than $most_mb"
  say "$image: $size MB, a call completed, clean stop"
}

if [ $# -eq 0 ]; then
  needs buildah
  set -- files build check
  [ -n "$(buildah images --quiet --filter reference=docker.io/library/debian:bookworm-slim)" ] || set -- base "$@"
fi
for step in "$@"; do
  case $step in
    files | base | build | check) "$step" ;;
    *) fail "$step is not a step; the steps are files, base, build and check" ;;
  esac
done
