import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startProcess, whenReady, type PeerProcess } from './peer-process.ts';
import { freeMediaPort } from '../service/ports.ts';

export interface Sipp extends PeerProcess {
  readonly port: number;
  /** Start lines of the received SIP messages, in order. Needs `trace`. */
  received(): string[];
  /** All messages sent and received, as traced; also after it has ended. Needs `trace`. */
  messages(): string;
}

export interface SippOptions {
  /** Scenario text, or the name of a built-in scenario (`uac`, `uas`). */
  readonly scenario: string;
  /** `host:port` to call. */
  readonly target?: string;
  readonly transport?: 'udp' | 'tcp';
  readonly args?: readonly string[];
  readonly keys?: Readonly<Record<string, string>>;
  /** The port to use; a free one when absent. */
  readonly port?: number;
  readonly trace?: boolean;
  /** Its address; default 127.0.0.1. */
  readonly address?: string;
  /** Prefix of its command line, for another network namespace. */
  readonly within?: readonly string[];
}

/** A caller with few calls may exit before it is checked. */
const DONE = [0];

/**
 * Runs SIPp on a free loopback port, in its own directory. Exit code 0 means that every call followed the scenario.
 * Throws with its output when it exits before it is ready.
 */
export async function startSipp(options: SippOptions): Promise<Sipp> {
  const directory = mkdtempSync(join(tmpdir(), 'sipp-'));
  const port = options.port ?? (await freePort());
  const builtIn = /^\w+$/.test(options.scenario);
  if (!builtIn) writeFileSync(join(directory, 'scenario.xml'), options.scenario);
  const address = options.address ?? '127.0.0.1';
  const media = ['-mi', address, '-mp', String(await freeMediaPort())];
  const listening = ['-i', address, '-p', String(port), '-nostdin'];
  const reporting = [
    '-t',
    options.transport === 'tcp' ? 't1' : 'u1',
    '-trace_err',
    '-error_file',
    'errors.log',
  ];
  const tracing = options.trace === true ? ['-trace_msg', '-message_file', 'messages.log'] : [];
  const keys = Object.entries(options.keys ?? {}).flatMap(([name, value]) => ['-key', name, value]);
  const [command, ...prefix] = [...(options.within ?? []), 'sipp'];
  const peer = startProcess(
    command,
    [
      ...prefix,
      ...(builtIn ? ['-sn', options.scenario] : ['-sf', 'scenario.xml']),
      ...listening,
      ...media,
      ...reporting,
      ...tracing,
      ...keys,
      ...(options.args ?? []),
      ...(options.target === undefined ? [] : [options.target]),
    ],
    directory,
  );
  await whenReady(peer, 'SIPp has bound its port', () => isBound(port, ['udp', 'tcp'], peer.child.pid), DONE);
  const written = (name: string): string => {
    try {
      return readFileSync(join(directory, name), 'latin1');
    } catch {
      return '';
    }
  };
  const errors = (): string => written('errors.log');
  let log = '';
  return {
    ...peer,
    port,
    received: () =>
      [...written('messages.log').matchAll(/message received \[\d+\] bytes\s*:\s*\n\s*(\S[^\r\n]*)/g)].map(
        ([, line = '']) => line,
      ),
    messages: () => written('messages.log'),
    output: () => `${peer.output().slice(-2_000)}\n${log || errors()}`,
    async stop() {
      await peer.stop();
      log = errors();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** True when any socket of this machine, or of the process's network namespace, is bound to the port. */
export function isBound(
  port: number,
  kinds: readonly ('udp' | 'tcp')[] = ['udp', 'tcp'],
  pid: number | 'self' = 'self',
): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return kinds.some((kind) => tableOf(pid, kind).includes(`:${hex} 00000000:0000`));
}

function tableOf(pid: number | 'self', kind: string): string {
  try {
    return readFileSync(`/proc/${pid}/net/${kind}`, 'latin1');
  } catch {
    // The process has ended.
    return '';
  }
}

const SDP = `v=0
      o=peer 1 1 IN IP4 127.0.0.1
      s=-
      c=IN IP4 127.0.0.1
      t=0 0
      m=audio 30000 RTP/AVP 0
      a=rtpmap:0 PCMU/8000`;

export const response = (
  status: string,
  options: { sdp?: boolean; media?: string; retrans?: boolean; contactPort?: string },
): string => `
  <send${options.retrans === true ? ' retrans="500"' : ''}>
    <![CDATA[

      SIP/2.0 ${status}
      [last_Via:]
      [last_From:]
      [last_To:];tag=peer[call_number]
      [last_Call-ID:]
      [last_CSeq:]
      [last_Record-Route:]
      Contact: <sip:peer@[local_ip]:${options.contactPort ?? '[local_port]'};transport=[transport]>
      ${options.sdp === true ? 'Content-Type: application/sdp\n      ' : ''}Content-Length: [len]

      ${options.sdp === true ? (options.media ?? SDP) : ''}
    ]]>
  </send>`;

export const plain = (status: string): string => `
  <send>
    <![CDATA[

      SIP/2.0 ${status}
      [last_Via:]
      [last_From:]
      [last_To:]
      [last_Call-ID:]
      [last_CSeq:]
      Content-Length: 0

    ]]>
  </send>`;

export const scenario = (...steps: string[]): string =>
  `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="callwright">${steps.join('')}\n</scenario>\n`;

export const recv = (method: string): string => `\n  <recv request="${method}"></recv>`;

/** Callee scenarios. */
export const callee = {
  refuses: (status: string): string =>
    scenario(recv('INVITE'), response(status, { retrans: true }), recv('ACK')),
  /** Sends the call from the called number to the user `peer`, answers there, and waits for BYE. */
  movesOnce: scenario(
    recv('INVITE'),
    response('302 Moved Temporarily', { retrans: true }),
    recv('ACK'),
    `\n  <recv request="INVITE">
    <action><ereg regexp="INVITE sip:peer@" search_in="msg" check_it="true" assign_to="moved" /></action>
  </recv>
  <Reference variables="moved" />`,
    response('200 OK', { retrans: true, sdp: true }),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
  ),
  /** Demands sessions of at least an hour, takes the INVITE that offers one, and waits for BYE (RFC 4028). */
  demandsLongSession: scenario(
    recv('INVITE'),
    response('422 Session Interval Too Small', { retrans: true }).replace(
      'Contact:',
      'Min-SE: 3600\n      Contact:',
    ),
    recv('ACK'),
    `\n  <recv request="INVITE">
    <action><ereg regexp="3600;refresher=uac" search_in="hdr" header="Session-Expires:" check_it="true" assign_to="timer" /></action>
  </recv>
  <Reference variables="timer" />`,
    response('200 OK', { retrans: true, sdp: true }).replace(
      'Contact:',
      'Require: timer\n      Session-Expires: 3600;refresher=uac\n      Contact:',
    ),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
  ),
  /** Rings until CANCEL. */
  ringsOnly: scenario(
    recv('INVITE'),
    response('180 Ringing', {}),
    recv('CANCEL'),
    plain('200 OK'),
    // Answers the INVITE with its own CSeq, because the last message was the CANCEL.
    response('487 Request Terminated', { retrans: true }).replace('[last_CSeq:]', 'CSeq: 1 INVITE'),
    recv('ACK'),
  ),
  /**
   * Rings with a 183 that wants a PRACK (RFC 3262), answers, refreshes the session with UPDATE (RFC 3311) and waits for
   * BYE.
   */
  ringsReliably: scenario(
    `\n  <recv request="INVITE">
    <action><ereg regexp=".*" search_in="hdr" header="From:" assign_to="caller" />
      <ereg regexp=".*" search_in="hdr" header="Via:" assign_to="via" />
      <ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" assign_to="target" /></action>
  </recv>`,
    response('183 Session Progress', { sdp: true }).replace(
      'Contact:',
      'Require: 100rel\n      RSeq: 41\n      Contact:',
    ),
    `\n  <recv request="PRACK">
    <action><ereg regexp="41 1 INVITE" search_in="hdr" header="RAck:" check_it="true" assign_to="rack" /></action>
  </recv>
  <Reference variables="rack" />`,
    plain('200 OK'),
    response('200 OK', { retrans: true, sdp: true })
      .replace('[last_CSeq:]', 'CSeq: 1 INVITE')
      .replace('[last_Via:]', 'Via:[$via]')
      .replace('[last_To:];tag', 'To: <sip:peer@[local_ip]>;tag'),
    recv('ACK'),
    `
  <send retrans="500">
    <![CDATA[

      UPDATE [$target] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      From: <sip:peer@[local_ip]>;tag=peer[call_number]
      To:[$caller]
      Call-ID: [call_id]
      CSeq: 1 UPDATE
      Contact: <sip:peer@[local_ip]:[local_port];transport=[transport]>
      Max-Forwards: 70
      Supported: timer
      Session-Expires: 90;refresher=uac
      Content-Length: 0

    ]]>
  </send>
  <recv response="200">
    <action><ereg regexp="90;refresher=uac" search_in="hdr" header="Session-Expires:" check_it="true" assign_to="timer" /></action>
  </recv>
  <Reference variables="timer" />`,
    recv('BYE'),
    plain('200 OK'),
  ),
  /** Answers both the CANCEL and the INVITE with 200 and expects BYE. */
  answersCancelled: scenario(
    recv('INVITE'),
    response('180 Ringing', {}),
    recv('CANCEL'),
    response('200 OK', { retrans: true, sdp: true }).replace('[last_CSeq:]', 'CSeq: 1 INVITE'),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
  ),
  /**
   * Answers at once and waits for BYE; Contact uses the key `[contact_port]`. It sends no 180, because SIPp drops a
   * call when the INVITE is retransmitted after a lost 180 and a lost 200.
   */
  answers: scenario(
    recv('INVITE'),
    response('200 OK', { retrans: true, sdp: true, contactPort: '[contact_port]' }),
    '\n  <recv request="ACK" rtd="true"></recv>',
    recv('BYE'),
    plain('200 OK'),
  ),
} as const;
