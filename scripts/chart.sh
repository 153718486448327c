#!/usr/bin/env bash
# Renders the Helm chart for one process and for several, and checks each object strictly against the schemas of Kubernetes: by
# helm, which Go builds (three minutes the first time), and kubernetes-validate, a package of Python that brings the schemas.
# ServiceMonitor and ScaledObject belong to operators whose schemas it lacks: they are rendered alone. What values the chart
# must refuse is checked, too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

chart=deploy/helm/callwright
tools=node_modules/.cache/chart
say() { printf 'chart: %s\n' "$*"; }
fail() { printf 'chart: %s\n' "$*" >&2; exit 1; }

mkdir -p "$tools"
export GOBIN=$PWD/$tools
[ -x "$tools/helm" ] || go install helm.sh/helm/v3/cmd/helm@v3.16.4
[ -d "$tools/validate" ] || pip3 install --quiet --root-user-action ignore --target "$tools/validate" kubernetes-validate==1.37.0

"$tools/helm" lint --quiet --strict "$chart" || fail 'helm lint complains'

several=(--set replicas=3 --set database.existingSecret=database --set secretKey.existingSecret=key
  --set settingsSecret=vendors --set serviceMonitor.enabled=true --set autoscaling.enabled=true)
published=(--set media.hostNetwork=false --set media.rtpPorts.last=16019 --set storage.className=fast
  --set media.sipTlsPort=5061 --set media.sipTlsSecret=sip --set media.audioSocketPort=9092)
check() { # name, options…
  local name=$1
  shift
  rm -rf "${tools:?}/$name"
  "$tools/helm" template callwright "$chart" --output-dir "$tools/$name" "$@" >/dev/null
  find "$tools/$name" -name '*.yaml' -not -name service-monitor.yaml -not -name scaled-object.yaml -print0 |
    PYTHONPATH=$tools/validate xargs -0 python3 "$tools/validate/bin/kubernetes-validate" --strict
}
say 'one process' && check one
say 'several processes, with their operators' && check several "${several[@]}"
say 'without the network of the node' && check published "${published[@]}"
grep -rq 'hostPort: 16019' "$tools/published" || fail 'the last port of the range is not published'
for port in 5061 9092; do
  grep -rq "hostPort: $port" "$tools/published" || fail "port $port is not published"
done
grep -rqE 'SIP_TLS|AUDIOSOCKET|secretName' "$tools/one" && fail 'one process opens ports that its values do not name'
grep -q 'kind: ScaledObject' "$tools/several"/*/*/scaled-object.yaml || fail 'the autoscaling is not rendered'
grep -q 'kind: ServiceMonitor' "$tools/several"/*/*/service-monitor.yaml || fail 'the service monitor is not rendered'

refuses() { # values…
  if "$tools/helm" template callwright "$chart" "$@" >/dev/null 2>&1; then fail "it takes $*"; fi
}
refuses --set replicas=2
refuses --set autoscaling.enabled=true
refuses --set settings.lower=1
refuses --set replica=1
refuses --set media.hostNetwork=false
refuses --set media.sipTlsPort=5061
refuses --set media.audioSocketPort=0
say 'rendered and checked'
