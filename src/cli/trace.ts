import { writeFileSync } from 'node:fs';
import { createApiClient, ServiceError } from './api-client.ts';
import { hexDump, pcapOf } from './pcap.ts';
import { tracedMessages } from './traced-messages.ts';

export interface TraceOptions {
  readonly url: string;
  readonly key: string | undefined;
  /** Where the messages go as a capture; `-`: to the standard output as text for text2pcap. Absent: nowhere. */
  readonly pcap?: string;
}

/** What a trace reads of the call details. */
export interface TracedCall {
  readonly attempts: readonly {
    readonly attempt_number: number;
    readonly sip_call_id: string | null;
    readonly sip_messages: readonly {
      readonly at: string;
      readonly direction: 'in' | 'out';
      readonly message: string;
      readonly note: string;
    }[];
  }[];
  readonly network: {
    readonly codec: string;
    readonly mos_received: number | null;
    readonly mos_received_lowest: number | null;
    readonly mos_sent: number | null;
    readonly mos_sent_lowest: number | null;
  } | null;
}

const ARROW_WIDTH = 24;

/**
 * Prints the SIP messages of each attempt of a call, and the quality of its audio, or makes a capture of them. Resolves with the exit code: 0; 1 when
 * the service answers with an error or holds no messages; 2 without a key.
 */
export async function runTrace(callId: string, { url, key, pcap }: TraceOptions): Promise<number> {
  if (key === undefined || key === '') {
    console.error('No API key: set CALLWRIGHT_API_KEY, or pass --key or --key-file.');
    return 2;
  }
  try {
    const query = new URLSearchParams({ id: callId });
    const { data } = await createApiClient(url, key).get<{ data: TracedCall }>(
      `/calling/call-details?${query.toString()}`,
    );
    if (pcap === undefined) for (const line of traceLines(data)) console.log(line);
    else capture(data, pcap);
    return data.attempts.some((attempt) => attempt.sip_messages.length > 0) ? 0 : 1;
  } catch (error) {
    const status = error instanceof ServiceError && error.status !== 0 ? `${error.status}: ` : '';
    console.error(`${status}${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

function capture(call: TracedCall, file: string): void {
  const messages = tracedMessages(call);
  if (file === '-') {
    process.stdout.write(hexDump(messages));
    return;
  }
  writeFileSync(file, pcapOf(messages));
  console.log(`${messages.length} messages are in ${file}; addresses and users there are stand-ins.`);
}

/** The lines of a trace: a ladder for each attempt, with seconds since its first message, and the quality. */
export function traceLines({ attempts, network }: TracedCall): string[] {
  const traced = attempts.filter((attempt) => attempt.sip_messages.length > 0);
  if (traced.length === 0)
    return ['No SIP messages: the call is live, came from a browser, or they were erased.'];
  const ladders = traced.flatMap(({ attempt_number, sip_call_id, sip_messages }) => {
    const start = Date.parse(sip_messages[0]?.at ?? '');
    return [
      `Attempt ${attempt_number}, Call-ID ${sip_call_id ?? 'unknown'}, from ${sip_messages[0]?.at ?? ''}`,
      `  seconds  ${'Callwright'.padEnd(ARROW_WIDTH - 8)}Far side`,
      ...sip_messages.map(({ at, direction, message, note }) => {
        const seconds = ((Date.parse(at) - start) / 1000).toFixed(3).padStart(9);
        return `${seconds}  ${arrow(direction, message)}  ${note}`.trimEnd();
      }),
      '',
    ];
  });
  return network === null ? ladders.slice(0, -1) : [...ladders, ...qualityLines(network)];
}

function arrow(direction: 'in' | 'out', message: string): string {
  const label = ` ${message} `;
  const dashes = '-'.repeat(Math.max(2, ARROW_WIDTH - 3 - label.length));
  return direction === 'in' ? `<-${label}${dashes}` : `-${label}${dashes}>`;
}

function qualityLines(network: NonNullable<TracedCall['network']>): string[] {
  const mos = (average: number | null, lowest: number | null): string =>
    average === null || lowest === null ? 'not measured' : `${average} on average, ${lowest} at the worst`;
  return [
    `Audio ${network.codec}`,
    `  MOS here              ${mos(network.mos_received, network.mos_received_lowest)}`,
    `  MOS at the far side   ${mos(network.mos_sent, network.mos_sent_lowest)}`,
  ];
}
