import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startProcess, until, whenReady, type PeerProcess } from './peer-process.ts';
import { freeMediaPort } from '../service/ports.ts';
import { isBound } from './sipp.ts';

export interface BaresipEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Baresip extends PeerProcess {
  /** SIP port, UDP and TCP. */
  readonly port: number;
  /** The first of its 200 RTP ports. */
  readonly rtpPort: number;
  /** User part of its address. */
  readonly user: string;
  /** Events reported so far. */
  readonly events: readonly BaresipEvent[];
  command(name: string, params?: string): void;
  waitFor(type: string): Promise<BaresipEvent>;
  /** Paths of the recordings: received (`dec`) and sent (`enc`) audio. A hold ends the received one. */
  recordings(kind: 'dec' | 'enc'): string[];
  /** Audio bit rates from its status line, each an average over the last seconds. */
  bitRates(): { sent: number; received: number }[];
}

/** Its SIP port, and the next one, at which it listens for TLS. */
export const BARESIP_PORTS = 2;
const MODULE_PATH = '/usr/lib/baresip/modules';

export interface BaresipOptions {
  readonly user?: string;
  readonly answer?: 'auto' | 'manual';
  /** Mono WAV at its rate that it plays; a second of silence when absent. */
  readonly saysWav?: string;
  readonly codecs?: string;
  /** Of the phone's audio; 8 kHz where absent. */
  readonly rate?: 8_000 | 16_000 | 48_000;
  /** The SIP port to use; a free one when absent. */
  readonly port?: number;
  /** Encrypts its audio: SRTP offered and required (`srtp-mand`), or offered in RTP/AVP (`srtp`). */
  readonly encryption?: 'srtp' | 'srtp-mand';
  /** Its certificate and key in PEM: it listens for TLS at the port after its SIP port, and calls over TLS. */
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** Records what arrives when it arrives, without the phone's jitter buffer of 100 ms. */
  readonly isUnbuffered?: true;
}

/** baresip as a phone without a sound card: plays a WAV file, records both directions, takes commands. */
export async function startBaresip(options: BaresipOptions = {}): Promise<Baresip> {
  const { user = 'callee', answer = 'auto', codecs = 'PCMU/8000/1,PCMA/8000/1', encryption } = options;
  const { rate = 8_000 } = options;
  const directory = mkdtempSync(join(tmpdir(), 'baresip-'));
  const recorded = join(directory, 'rec');
  mkdirSync(recorded);
  const port = options.port ?? (await freePort(BARESIP_PORTS));
  const control = await freePort();
  const rtp = await freeMediaPort();
  const wav = options.saysWav ?? join(directory, 'silence.wav');
  if (options.saysWav === undefined) writeFileSync(wav, silentWav());
  const isBuffered = options.isUnbuffered !== true;
  const { certificate } = options;
  const pem = certificate === undefined ? null : join(directory, 'certificate.pem');
  if (certificate !== undefined && pem !== null)
    writeFileSync(pem, certificate.key + certificate.certificate);
  const settings = configuration({ port, control, rtp, wav, recorded, isBuffered, rate });
  writeFileSync(join(directory, 'config'), pem === null ? settings : `${settings}sip_certificate ${pem}\n`);
  const account = [
    pem === null ? `<sip:${user}@127.0.0.1:${port}>` : `<sip:${user}@127.0.0.1:${port + 1};transport=tls>`,
    'regint=0',
    `answermode=${answer}`,
    `audio_codecs=${codecs}`,
    ...(encryption === undefined ? [] : [`mediaenc=${encryption}`]),
  ];
  writeFileSync(join(directory, 'accounts'), `${account.join(';')}\n`);
  writeFileSync(join(directory, 'contacts'), '');
  const peer = startProcess('baresip', ['-f', directory], directory);
  await whenReady(peer, 'baresip has bound its ports', () => isBound(port) && isBound(control, ['tcp']));
  const socket = connect({ host: '127.0.0.1', port: control });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const events: BaresipEvent[] = [];
  readNetstrings(socket, (text) => {
    const message: unknown = JSON.parse(text);
    if (isEvent(message)) events.push(message);
  });
  return {
    ...peer,
    port,
    rtpPort: rtp,
    user,
    events,
    command(name, params) {
      const text = JSON.stringify({
        command: name,
        ...(params === undefined ? {} : { params }),
        token: name,
      });
      socket.write(`${Buffer.byteLength(text)}:${text},`);
    },
    async waitFor(type) {
      await until(() => events.some((event) => event.type === type), `baresip reports ${type}`);
      const found = events.find((event) => event.type === type);
      if (found === undefined) throw new Error(`no ${type}`);
      return found;
    },
    recordings: (kind) =>
      readdirSync(recorded)
        .filter((name) => name.endsWith(`-${kind}.wav`))
        .map((name) => join(recorded, name)),
    bitRates: () =>
      [...peer.output().matchAll(/ audio=(\d+)\/(\d+) /g)].map(([, sent, received]) => ({
        sent: Number(sent),
        received: Number(received),
      })),
    async stop() {
      socket.destroy();
      await peer.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const isEvent = (message: unknown): message is BaresipEvent =>
  typeof message === 'object' && message !== null && 'event' in message && 'type' in message;

function readNetstrings(socket: NodeJS.ReadableStream, onText: (text: string) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      const colon = pending.indexOf(':');
      const length = colon === -1 ? Number.NaN : Number(pending.toString('latin1', 0, colon));
      if (!(pending.length >= colon + 1 + length + 1)) return;
      onText(pending.toString('utf8', colon + 1, colon + 1 + length));
      pending = pending.subarray(colon + 1 + length + 1);
    }
  });
}

const configuration = (o: {
  port: number;
  control: number;
  rtp: number;
  wav: string;
  recorded: string;
  isBuffered: boolean;
  rate: number;
}): string => `
sip_listen 127.0.0.1:${o.port}
net_interface 127.0.0.1
audio_source aufile,${o.wav}
ausrc_srate ${o.rate}
auplay_srate ${o.rate}
ausrc_channels 1
auplay_channels 1
rtp_ports ${o.rtp}-${o.rtp + 200}
${o.isBuffered ? '' : 'jitter_buffer_delay 0-0'}
module_path ${MODULE_PATH}
module g711.so
module g722.so
module opus.so
module aufile.so
module sndfile.so
module srtp.so
module_tmp account.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:${o.control}
snd_path ${o.recorded}
`;

/** One second of silence, 8 kHz, 16 bit, mono. */
function silentWav(): Buffer {
  const samples = 8000;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples * 2, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples * 2, 40);
  return Buffer.concat([head, Buffer.alloc(samples * 2)]);
}
