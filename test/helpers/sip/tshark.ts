import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CapturedMessage, pcapOf } from '../../../src/cli/pcap.ts';
import type { Described } from './offer-answer-rules.ts';

const run = promisify(execFile);

/** A SIP message as tshark reads it. */
export interface DissectedMessage {
  readonly by: Described['by'];
  /** Null: a request. */
  readonly status: number | null;
  readonly method: string;
  readonly sequence: number;
  /** The lines of its SDP that tshark names; null: it has none. */
  readonly sdp: string | null;
}

/** What tshark's JSON calls the parts of SDP that the rules of RFC 3264 are about. */
const SDP_LINES: Readonly<Record<string, string>> = {
  'sdp.owner': 'o',
  'sdp.connection_info': 'c',
  'sdp.media': 'm',
  'sdp.media_attr': 'a',
};
const FIELD =
  /^ *"(frame\.number|ip\.src|sip\.Status-Code|sip\.CSeq\.seq|sip\.CSeq\.method|sdp\.[a-z_]+)": ("(?:[^"\\]|\\.)*"),?$/gm;
/** The address of our side in the pcap that `callwright trace` writes. */
const OURS = '192.0.2.1';

/** The messages of a capture as `tshark -T json` reads them. A field repeats its key, so that the text is read in its order. */
export async function dissected(messages: readonly CapturedMessage[]): Promise<DissectedMessage[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tshark-'));
  try {
    const file = join(folder, 'dialogs.pcap');
    await writeFile(file, pcapOf(messages));
    const { stdout } = await run('tshark', ['-r', file, '-Y', 'sip', '-T', 'json'], {
      maxBuffer: 512 * 1024 * 1024,
    });
    return stdout
      .split(/^ {4}"_source": \{$/m)
      .slice(1)
      .map(messageOf);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function messageOf(packet: string): DissectedMessage {
  const fields = [...packet.matchAll(FIELD)].map(
    ([, key = '', text = '']) => [key, JSON.parse(text) as string] as const,
  );
  const first = (wanted: string): string | undefined => fields.find(([key]) => key === wanted)?.[1];
  const lines = fields.flatMap(([key, value]) => (key in SDP_LINES ? [`${SDP_LINES[key]}=${value}`] : []));
  const status = first('sip.Status-Code');
  return {
    by: first('ip.src') === OURS ? 'us' : 'peer',
    status: status === undefined ? null : Number(status),
    method: first('sip.CSeq.method') ?? '',
    sequence: Number(first('sip.CSeq.seq')),
    sdp: lines.length === 0 ? null : `${lines.join('\r\n')}\r\n`,
  };
}

/**
 * The offers and answers of a dialog, each once (RFC 3261 section 13.2.1, RFC 3311): a request or, where an INVITE has none,
 * its 200 offers; the 200 or the ACK answers.
 */
export function describedIn(messages: readonly DissectedMessage[]): Described[] {
  const said: Described[] = [];
  const seen = new Set<string>();
  /** The offer of each INVITE and UPDATE, by sender of the request and its number. */
  const offers = new Map<string, string>();
  for (const { by, status, method, sequence, sdp } of messages) {
    if (sdp === null || (status !== null && status !== 200)) continue;
    const copy = `${by} ${status} ${method} ${sequence}`;
    if (seen.has(copy)) continue;
    seen.add(copy);
    const caller = (status === null) === (by === 'us') ? 'us' : 'peer';
    const exchange = `${caller} ${sequence}`;
    const offer = offers.get(exchange) ?? null;
    said.push({ by, sdp, answers: offer });
    if (offer === null) offers.set(exchange, sdp);
  }
  return said;
}
