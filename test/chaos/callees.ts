import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startProcess, whenReady } from '../helpers/sip/peer-process.ts';
import { freeMediaPort } from '../helpers/service/ports.ts';
import { isBound, plain, response } from '../helpers/sip/sipp.ts';

/** A callee rings: an INVITE in a callee's own log, whose retransmissions count once, or a place request at a carrier's API. */
export interface Ring {
  /** Epoch ms of its first copy. */
  readonly at: number;
  /** Names the attempt. */
  readonly callId: string;
  readonly to: string;
}

/** The callees behind a trunk, with their log. */
export interface Callees {
  /** What the trunk of the provision file has. */
  readonly trunk: Readonly<Record<string, string>>;
  isRunning(): boolean;
  rings(): Ring[];
  output(): string;
  stop(): Promise<void>;
}

const MEDIA = `v=0
      o=peer 1 1 IN IP4 [local_ip]
      s=-
      c=IN IP4 [media_ip]
      t=0 0
      m=audio [media_port] RTP/AVP 0 101
      a=rtpmap:0 PCMU/8000
      a=rtpmap:101 telephone-event/8000`;

/** Waits with a timeout, because a killed caller never sends the next message. */
const await_ = (message: string, next = 'over'): string =>
  `\n  <recv ${message} timeout="25000" ontimeout="${next}"></recv>`;
const goto = (label: string): string => `\n  <nop next="${label}"></nop>`;
const label = (id: string): string => `\n  <label id="${id}"/>`;
const when = (name: string, digits: string): string =>
  `<ereg regexp="INVITE sip:[^@]*${digits}@" search_in="msg" assign_to="${name}"/>`;

/**
 * The last digits of the number select the callee's behaviour: 6 and 8 are busy (486), 7 is unreachable (503), an odd
 * digit before 9 is unavailable (480), an even digit before 9 rings until cancelled; all others answer and hang up after
 * 0.3 to 2 seconds.
 */
const SCENARIO = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="callees">
  <recv request="OPTIONS" optional="true" next="probe"></recv>
  <recv request="INVITE" rrs="true">
    <action>
      <ereg regexp=".*" search_in="hdr" header="From:" assign_to="caller"/>
      <ereg regexp=".*" search_in="hdr" header="To:" assign_to="called"/>
      ${when('busy', '[68]')}
      ${when('unreachable', '7')}
      ${when('unavailable', '[13579]9')}
      ${when('silent', '[02468]9')}
    </action>
  </recv>
  <nop test="busy" next="busy"></nop>
  <nop test="unreachable" next="unreachable"></nop>
  <nop test="unavailable" next="unavailable"></nop>${response('180 Ringing', {})}
  <nop test="silent" next="silent"></nop>
  <pause distribution="uniform" min="20" max="600"/>${response('200 OK', { retrans: true, sdp: true, media: MEDIA })}${await_('request="ACK"')}
  <pause distribution="uniform" min="300" max="2000"/>
  <send retrans="500">
    <![CDATA[

      BYE [next_url] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      From: [$called];tag=peer[call_number]
      To: [$caller]
      Call-ID: [call_id]
      CSeq: 1 BYE
      Max-Forwards: 70
      Contact: <sip:peer@[local_ip]:[local_port];transport=[transport]>
      Content-Length: 0

    ]]>
  </send>${await_('response="200"')}${goto('over')}
${label('probe')}${plain('200 OK')}${goto('over')}
${label('busy')}${response('486 Busy Here', { retrans: true })}${await_('request="ACK"')}${goto('over')}
${label('unreachable')}${response('503 Service Unavailable', { retrans: true })}${await_('request="ACK"')}${goto('over')}
${label('unavailable')}${response('480 Temporarily Unavailable', { retrans: true })}${await_('request="ACK"')}${goto('over')}
${label('silent')}${await_('request="CANCEL"')}${plain('200 OK')}${response('487 Request Terminated', { retrans: true }).replace('[last_CSeq:]', 'CSeq: 1 INVITE')}${await_('request="ACK"')}
${label('over')}
  <nop></nop>
  <Reference variables="caller,called,busy,unreachable,unavailable,silent"/>
</scenario>
`;

/** SIPp as the callees behind a trunk. */
export async function startSipCallees(): Promise<Callees> {
  const directory = mkdtempSync(join(tmpdir(), 'callwright-callees-'));
  const port = await freePort();
  const mediaPort = await freeMediaPort();
  writeFileSync(join(directory, 'scenario.xml'), SCENARIO);
  const peer = startProcess(
    'sipp',
    // SIPp's watchdog would end it on a busy machine; these limits turn the watchdog off.
    (
      `-sf scenario.xml -i 127.0.0.1 -mi 127.0.0.1 -p ${port} -mp ${mediaPort} -t u1 -nostdin -aa ` +
      '-max_retrans 5 -buff_size 4000000 -trace_msg -message_file messages.log -trace_err -error_file errors.log ' +
      '-watchdog_major_maxtriggers 1000000 -watchdog_minor_maxtriggers 1000000'
    ).split(' '),
    directory,
  );
  await whenReady(peer, 'SIPp has bound its port', () => isBound(port));
  const end = (): void => void peer.child.kill('SIGKILL');
  process.once('exit', end);
  const log = (): string => readFileSync(join(directory, 'messages.log'), 'latin1');
  return {
    trunk: { uri: `sip:127.0.0.1:${port}`, transport: 'udp' },
    isRunning: () => peer.child.exitCode === null && peer.child.signalCode === null,
    rings: () => readInvites(log()),
    output: () => peer.output().slice(-2000),
    async stop() {
      process.off('exit', end);
      await peer.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const ENTRY =
  /^-{10,} (\d{4}-\d\d-\d\d)[T\t ](\d\d:\d\d:\d\d\.\d+)[^\n]*\n[^\n]*message received[^\n]*\n\s*(?=INVITE )/gm;

/** INVITEs in a SIPp message log (local times). Retransmissions share Call-ID, From tag and CSeq. */
export function readInvites(log: string): Ring[] {
  const first = new Map<string, Ring>();
  for (const match of log.matchAll(ENTRY)) {
    const message = log.slice(match.index + match[0].length, match.index + match[0].length + 1500);
    const header = (name: string): string =>
      new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'im').exec(message)?.[1] ?? '';
    const fromTag = /;tag=([^;\s]+)/.exec(header('From'))?.[1] ?? '';
    const callId = header('Call-ID');
    const key = `${callId} ${fromTag} ${header('CSeq')}`;
    if (first.has(key)) continue;
    const at = new Date(`${match[1]}T${match[2]!.slice(0, 12)}`).getTime();
    first.set(key, { at, callId, to: /^INVITE sip:([^@;\s]+)/.exec(message)?.[1] ?? '' });
  }
  return [...first.values()];
}
