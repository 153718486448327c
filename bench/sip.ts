import { parseArgs } from 'node:util';
import { parseMessage } from '@callwright/sip';
import { oneTrunk } from './one-trunk.ts';
import { streamedCall } from './sip-streams.ts';
import { startSipgo } from './sipgo.ts';
import { startSipp } from '../test/helpers/sip/sipp.ts';

/**
 * Cost of SIP: parsing one INVITE, one complete inbound call from SIPp (INVITE, 100, 180, 200, ACK, BYE, 200), and calls on a
 * kept connection over TCP and TLS, both sides in this process. `--sipgo PROGRAM` sends the same calls to a server on sipgo
 * (bench/reference/sipgo), in turns with ours.
 * Each figure is printed with its ratio to a reference measured in the same run.
 */
const SDP =
  'v=0\r\no=carrier 1 1 IN IP4 192.0.2.9\r\ns=-\r\nc=IN IP4 192.0.2.9\r\nt=0 0\r\nm=audio 30000 RTP/AVP 0 8 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:8 PCMA/8000\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\na=ptime:20\r\na=sendrecv\r\n';

const INVITE_LINES = [
  'INVITE sip:+14155550100@203.0.113.10:5060 SIP/2.0',
  'Via: SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bK776asdhds;rport',
  'Via: SIP/2.0/UDP 10.1.1.9:5060;branch=z9hG4bK8f7as;received=10.1.1.9',
  'Record-Route: <sip:192.0.2.9;lr;ftag=1928301774>',
  'Max-Forwards: 69',
  'From: "Some Caller" <sip:+14155550123@carrier.example>;tag=1928301774',
  'To: <sip:+14155550100@203.0.113.10>',
  'Call-ID: a84b4c76e66710@10.1.1.9',
  'CSeq: 314159 INVITE',
  'Contact: <sip:+14155550123@10.1.1.9:5060>',
  'Allow: INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE',
  'Supported: 100rel, timer',
  'User-Agent: carrier',
  'Content-Type: application/sdp',
  `Content-Length: ${SDP.length}`,
];
const INVITE = Buffer.from(`${INVITE_LINES.join('\r\n')}\r\n\r\n${SDP}`);

/** The same fields as JSON, with a padded body so that both documents have the same size. */
function jsonOfEqualSize(): string {
  const fields = Object.fromEntries(INVITE_LINES.map((line, i) => [`${i}${line.slice(0, 4)}`, line]));
  const bare = JSON.stringify({ ...fields, body: '' });
  return JSON.stringify({ ...fields, body: 'a'.repeat(Math.max(0, INVITE.length - bare.length)) });
}

/** Median microseconds of one call of `work`, over rounds. */
function microseconds(work: () => unknown): number {
  const rounds = 15;
  const perRound = 20_000;
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let i = 0; i < perRound; i++) work();
    found.push(((performance.now() - start) * 1000) / perRound);
  }
  return found.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

const json = Buffer.from(jsonOfEqualSize());
if (parseMessage(INVITE).kind !== 'message') throw new Error('the INVITE of this benchmark does not parse');
const parseUs = microseconds(() => parseMessage(INVITE));
const jsonUs = microseconds(() => JSON.parse(json.toString('utf8')) as unknown);

console.log(`INVITE of ${INVITE.length} bytes: parse ${parseUs.toFixed(2)} us`);
console.log(`reference, JSON.parse of the same fields in ${json.length} bytes: ${jsonUs.toFixed(2)} us`);
console.log(`ratio ${(parseUs / jsonUs).toFixed(2)}`);

const CALLS = 2_000;
const signalling = oneTrunk();
let ended = 0;
signalling.onInbound((leg) => {
  leg.listen({
    onAnswered: () => {},
    onFailed: () => {},
    onEnded: () => ended++,
    onReoffer: () => null,
    onDtmf: () => {},
  });
  leg.ringing();
  leg.answer(SDP);
});
await signalling.start();
const port = signalling.health().listening[0]?.split(':').at(-1) ?? '';
/** Sends `CALLS` calls of SIPp to a port. */
async function call(target: string): Promise<{ seconds: number; code: number | null }> {
  const start = performance.now();
  const sipp = await startSipp({
    scenario: 'uac',
    target: `127.0.0.1:${target}`,
    args: ['-r', '200', '-m', String(CALLS), '-d', '300', '-s', '+14155550100'],
  });
  const code = await sipp.exited();
  const seconds = (performance.now() - start) / 1000;
  await sipp.stop();
  return { seconds, code };
}

/** CPU of one of our calls, in us. */
async function ownCall(): Promise<number> {
  const before = process.cpuUsage();
  const { seconds, code } = await call(port);
  const cpu = process.cpuUsage(before);
  console.log(`${CALLS} calls from SIPp in ${seconds.toFixed(1)} s, exit code ${code}, ${ended} ended here`);
  ended = 0;
  return (cpu.user + cpu.system) / CALLS;
}

const cpuUs = await ownCall();
console.log(
  `CPU of a whole call: ${(cpuUs / 1000).toFixed(3)} ms, ${(cpuUs / jsonUs).toFixed(0)} times the reference`,
);
const { sipgo } = parseArgs({ options: { sipgo: { type: 'string' } } }).values;
if (sipgo !== undefined) await compareWithSipgo(sipgo);
await signalling.stop();

async function compareWithSipgo(program: string): Promise<void> {
  const server = await startSipgo(program);
  const [ours, theirs, bench]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < 3; round++) {
    const before = server.cpuUs();
    const benchBefore = process.cpuUsage();
    const { code } = await call(String(server.port));
    if (code !== 0) throw new Error(`calls to sipgo failed: SIPp ended with ${code}`);
    const own = process.cpuUsage(benchBefore);
    bench.push((own.user + own.system) / CALLS / 1000);
    theirs.push((server.cpuUs() - before) / CALLS / 1000);
    ours.push((await ownCall()) / 1000);
  }
  await server.stop();
  const middle = (found: number[]): number => found.toSorted((x, y) => x - y)[1] ?? Number.NaN;
  const each = (found: number[]): string => found.map((ms) => ms.toFixed(3)).join(', ');
  console.log(
    `CPU of a whole call in turns with sipgo: ${each(ours)} ms, the bench in it ${each(bench)} ms; sipgo ${each(theirs)} ms; ratio of the medians without the bench ${((middle(ours) - middle(bench)) / middle(theirs)).toFixed(2)} (bound: 1)`,
  );
}

const streamed = { tcp: [] as number[], tls: [] as number[] };
// In turns: the code of both runs faster the longer it has run.
for (let round = 0; round < 3; round++)
  for (const transport of ['tcp', 'tls'] as const)
    streamed[transport].push(await streamedCall(transport, CALLS, SDP));
const [tcpMs, tlsMs] = [streamed.tcp, streamed.tls].map(
  (found) => found.toSorted((x, y) => x - y)[1] ?? 0,
) as [number, number];
console.log(
  `CPU of both sides of a call on a kept connection: TCP ${tcpMs.toFixed(3)} ms, TLS ${tlsMs.toFixed(3)} ms, ratio ${(tlsMs / tcpMs).toFixed(2)} (bound: 1.5)`,
);
console.log(`memory ${(process.memoryUsage().rss / 1_048_576).toFixed(0)} MiB`);
