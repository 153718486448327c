import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startProcess, whenReady, type PeerProcess } from './peer-process.ts';
import { freeMediaPort } from './ports.ts';

export interface Sipp extends PeerProcess {
  readonly port: number;
  /** First lines of the SIP messages it has received, in order; only of one that was started with `trace`. */
  heard(): string[];
}

export interface SippOptions {
  /** The text of a scenario, or the name of a built-in one (`uac`, `uas`). */
  readonly scenario: string;
  /** `host:port` for a caller. */
  readonly target?: string;
  readonly transport?: 'udp' | 'tcp';
  readonly args?: readonly string[];
  readonly keys?: Readonly<Record<string, string>>;
  /** The port to use; a free one when absent. */
  readonly port?: number;
  readonly trace?: boolean;
}

/** A caller whose few calls all went as written may have ended by then. */
const DONE = [0];

/**
 * Runs SIPp on a free loopback port, in its own directory. Exit code 0 means that every call went as written. Throws with
 * what it says when it ends before it is there.
 */
export async function startSipp(options: SippOptions): Promise<Sipp> {
  const directory = mkdtempSync(join(tmpdir(), 'sipp-'));
  const port = options.port ?? (await freePort());
  const builtIn = /^\w+$/.test(options.scenario);
  if (!builtIn) writeFileSync(join(directory, 'scenario.xml'), options.scenario);
  const media = ['-mi', '127.0.0.1', '-mp', String(await freeMediaPort())];
  const listening = ['-i', '127.0.0.1', '-p', String(port), '-nostdin'];
  const reporting = [
    '-t',
    options.transport === 'tcp' ? 't1' : 'u1',
    '-trace_err',
    '-error_file',
    'errors.log',
  ];
  const tracing = options.trace === true ? ['-trace_msg', '-message_file', 'messages.log'] : [];
  const keys = Object.entries(options.keys ?? {}).flatMap(([name, value]) => ['-key', name, value]);
  const peer = startProcess(
    'sipp',
    [
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
  await whenReady(peer, 'SIPp has bound its port', () => isBound(port), DONE);
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
    heard: () =>
      [...written('messages.log').matchAll(/message received \[\d+\] bytes\s*:\s*\n\s*(\S[^\r\n]*)/g)].map(
        ([, line = '']) => line,
      ),
    output: () => `${peer.output().slice(-2_000)}\n${log || errors()}`,
    async stop() {
      await peer.stop();
      log = errors();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** True when some socket of this machine is bound to the port. */
export function isBound(port: number, kinds: readonly ('udp' | 'tcp')[] = ['udp', 'tcp']): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return kinds.some((kind) => readFileSync(`/proc/net/${kind}`, 'latin1').includes(`:${hex} 00000000:0000`));
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

/** Callees for one behaviour each. */
export const callee = {
  refuses: (status: string): string =>
    scenario(recv('INVITE'), response(status, { retrans: true }), recv('ACK')),
  /** Rings until it is cancelled. */
  ringsOnly: scenario(
    recv('INVITE'),
    response('180 Ringing', {}),
    recv('CANCEL'),
    plain('200 OK'),
    // The INVITE is answered with its own CSeq; the last message was the CANCEL.
    response('487 Request Terminated', { retrans: true }).replace('[last_CSeq:]', 'CSeq: 1 INVITE'),
    recv('ACK'),
  ),
  /** Answers CANCEL with 200 and the INVITE with 200 as well, and wants to be ended by BYE. */
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
   * Answers at once and waits for BYE; Contact names `[contact_port]`, a key of the caller. It does not ring:
   * SIPp gives up a call when an INVITE comes again after both a lost 180 and a lost 200.
   */
  answers: scenario(
    recv('INVITE'),
    response('200 OK', { retrans: true, sdp: true, contactPort: '[contact_port]' }),
    '\n  <recv request="ACK" rtd="true"></recv>',
    recv('BYE'),
    plain('200 OK'),
  ),
} as const;
