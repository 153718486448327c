import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startProcess, whenReady, type PeerProcess } from './peer-process.ts';
import { isBound } from './sipp.ts';

export interface Kamailio extends PeerProcess {
  readonly port: number;
  /** URIs of the Contacts that are registered for the user (with domains: `user@domain`), as its location table has them. */
  bindings(user: string): Promise<string[]>;
}

export interface KamailioOptions {
  /** Destination port of calls to `1555...` and `1415555...`. */
  readonly calleePort: number;
  /** Source port of requests that need no digest. */
  readonly trustedPort: number;
  /** Numbers of accounts (with domains: `user@domain`): calls to a number go to the registered Contact of its account. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** A user is reached over the flow of its REGISTER. Absent: at its Contact. */
  readonly hasFlows?: true;
  /** Each domain has users of its own. Absent: a user is the same in all of them. */
  readonly hasDomains?: true;
  /** Contacts that a user may have at once; a call goes to all of them. Absent: one. */
  readonly maxContacts?: number;
}

/**
 * Kamailio as an authenticating registrar and proxy on one loopback port, UDP and TCP. Users of any name have
 * the password `s3cret`. Calls to registered users go to their contact; numbers that end in 0486 are busy.
 */
export async function startKamailio(options: KamailioOptions): Promise<Kamailio> {
  const directory = mkdtempSync(join(tmpdir(), 'kamailio-'));
  const port = await freePort();
  writeFileSync(join(directory, 'kamailio.cfg'), configuration(port, directory, options));
  const peer = startProcess(
    'kamailio',
    ['-f', 'kamailio.cfg', '-m', '32', '-M', '8', '-DD', '-E', '-Y', directory, '-n', '1'],
    directory,
  );
  await whenReady(peer, 'Kamailio has bound its port', () => isBound(port));
  return {
    ...peer,
    port,
    bindings: (user) => bindingsOf(join(directory, 'ctl'), user),
    async stop() {
      await peer.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function bindingsOf(control: string, user: string): Promise<string[]> {
  const command = ['-s', `unixs:${control}`, 'ul.lookup', 'location', user];
  const { stdout } = await promisify(execFile)('kamcmd', command);
  return [...stdout.matchAll(/^\s*Address: (\S+)/gm)].map(([, uri = '']) => uri);
}

const MODULES = [
  'ctl',
  'tm',
  'tmx',
  'sl',
  'rr',
  'pv',
  'maxfwd',
  'siputils',
  'auth',
  'usrloc',
  'registrar',
  'textops',
];

const configuration = (port: number, directory: string, options: KamailioOptions): string => `
children=1
tcp_children=1
log_stderror=yes
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
${[...MODULES, ...(options.hasFlows === true ? ['nathelper'] : [])].map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("ctl", "binrpc", "unix:${directory}/ctl")
modparam("auth", "qop", "auth")
modparam("usrloc", "db_mode", 0)
modparam("registrar", "max_contacts", ${options.maxContacts ?? 1})
${options.hasFlows === true ? 'modparam("nathelper|registrar", "received_avp", "$avp(RECEIVED)")' : ''}
modparam("registrar", "min_expires", 30)
${options.hasDomains === true ? 'modparam("usrloc", "use_domain", 1)' : ''}
request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here"); exit;
  }
  if (!($sp == ${options.trustedPort})) {
    if (is_method("REGISTER") && !pv_www_authenticate("$fd", "s3cret", "0")) { www_challenge("$fd", "1"); exit; }
    if (is_method("INVITE") && !pv_proxy_authenticate("$fd", "s3cret", "0")) { proxy_challenge("$fd", "1"); exit; }
    consume_credentials();
  }
  if (is_method("REGISTER")) { ${options.hasFlows === true ? 'force_rport(); fix_nated_register(); ' : ''}save("location"); exit; }
  record_route();
${Object.entries(options.accounts ?? {})
  .map(([number, account]) => {
    const [user = '', domain] = account.split('@');
    const toDomain = domain === undefined ? '' : ` $rd = "${domain}";`;
    return `  if ($rU == "${number}") { $rU = "${user}";${toDomain} }`;
  })
  .join('\n')}
  if ($rU =~ "0486$") { sl_send_reply("486", "Busy Here"); exit; }
  if ($rU =~ "^\\+?1(415)?555") { $ru = "sip:" + $rU + "@127.0.0.1:${options.calleePort}"; }
  else if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
  if (!t_relay()) sl_reply_error();
}
`;
