import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startProcess, whenReady, type PeerProcess } from './peer-process.ts';
import { isBound } from './sipp.ts';

export interface KamailioTls extends PeerProcess {
  /** For phones, UDP. */
  readonly port: number;
  /** One port of TLS for each certificate, in their order. */
  readonly tlsPorts: readonly number[];
  /** The lines `a=crypto` of all SDP that it carried in TLS. */
  keys(): string[];
}

interface Certified {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Kamailio as a carrier with TLS and SRTP before a phone without either: rtpengine decrypts between the two. It shows another
 * certificate at each port of TLS, and itself checks that of the service.
 */
export async function startKamailioTls(options: {
  readonly certificates: readonly Certified[];
  readonly authority: string;
  /** Ports of the phone (UDP), of the service (TLS) and of the control of rtpengine. */
  readonly phonePort: number;
  readonly servicePort: number;
  readonly rtpenginePort: number;
}): Promise<KamailioTls> {
  const folder = mkdtempSync(join(tmpdir(), 'kamailio-tls-'));
  const port = await freePort();
  const tlsPorts: number[] = [];
  for (const _ of options.certificates) tlsPorts.push(await freePort());
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const authority = write('authority.pem', options.authority);
  const files = options.certificates.map(({ certificate, key }, n) =>
    [
      'method = TLSv1.2+',
      `certificate = ${write(`certificate${n}.pem`, certificate)}`,
      `private_key = ${write(`key${n}.pem`, key)}`,
      'verify_certificate = no',
      'require_certificate = no',
      '',
    ].join('\n'),
  );
  write(
    'tls.cfg',
    [
      `[server:default]\n${files[0] ?? ''}`,
      ...tlsPorts.map((tlsPort, n) => `[server:127.0.0.1:${tlsPort}]\n${files[n] ?? ''}`),
      `[client:default]\nmethod = TLSv1.2+\nverify_certificate = yes\nrequire_certificate = yes\nca_list = ${authority}\n`,
    ].join('\n'),
  );
  write('kamailio.cfg', configuration(port, tlsPorts, folder, options));
  const peer = startProcess(
    'kamailio',
    ['-f', 'kamailio.cfg', '-m', '64', '-M', '8', '-DD', '-E', '-Y', folder, '-n', '1'],
    folder,
  );
  await whenReady(peer, 'Kamailio has bound its ports', () =>
    [port, ...tlsPorts].every((each) => isBound(each)),
  );
  return {
    ...peer,
    port,
    tlsPorts,
    keys: () => [...peer.output().matchAll(/inline:([A-Za-z0-9+/=]+)/g)].map(([, key = '']) => key),
    async stop() {
      await peer.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const MODULES = [
  'tm',
  'sl',
  'rr',
  'pv',
  'maxfwd',
  'siputils',
  'textops',
  'sdpops',
  'xlog',
  'rtpengine',
  'tls',
];

const configuration = (
  port: number,
  tlsPorts: readonly number[],
  folder: string,
  o: { readonly phonePort: number; readonly servicePort: number; readonly rtpenginePort: number },
): string => `
debug=1
enable_tls=yes
children=1
tcp_children=1
log_stderror=yes
listen=udp:127.0.0.1:${port}
${tlsPorts.map((each) => `listen=tls:127.0.0.1:${each}`).join('\n')}
${MODULES.map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("tls", "config", "${folder}/tls.cfg")
modparam("rtpengine", "rtpengine_sock", "udp:127.0.0.1:${o.rtpenginePort}")
modparam("rr", "enable_double_rr", 1)
request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (is_method("BYE")) rtpengine_delete();
    if (loose_route()) { t_on_reply("MEDIA"); t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here"); exit;
  }
  record_route();
  t_on_reply("MEDIA");
  if (proto == TLS) {
    xlog("L_NOTICE", "in TLS: $rb\\n");
    rtpengine_offer("RTP/AVP replace-origin replace-session-connection ICE=remove direction=secret direction=clear");
    $ru = "sip:" + $rU + "@127.0.0.1:${o.phonePort}";
  } else {
    rtpengine_offer("RTP/SAVP replace-origin replace-session-connection ICE=remove DTLS=off direction=clear direction=secret");
    $ru = "sip:" + $rU + "@127.0.0.1:${o.servicePort};transport=tls";
  }
  if (!t_relay()) sl_reply_error();
}
onreply_route[MEDIA] {
  if (!has_body("application/sdp")) return;
  if (proto == TLS) {
    xlog("L_NOTICE", "in TLS: $rb\\n");
    rtpengine_answer("RTP/AVP replace-origin replace-session-connection ICE=remove");
  } else {
    rtpengine_answer("RTP/SAVP replace-origin replace-session-connection ICE=remove");
  }
}
onsend_route {
  if (snd_proto == TLS) xlog("L_NOTICE", "to TLS: $snd(buf)\\n");
}
`;
