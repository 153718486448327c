import { once } from 'node:events';
import { WebSocket } from 'ws';
import { decodeAlawTo, decodeUlawTo } from '@callwright/audio';
import { wordsIn } from '@callwright/stand-ins';

/** A bare client of a stand-in: what arrives, in order. */
export class StandInClient {
  readonly messages: Record<string, unknown>[] = [];
  readonly audio: Buffer[] = [];
  closed: { code: number; reason: string } | null = null;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.audio.push(data);
      else this.messages.push(JSON.parse(data.toString('utf8')) as Record<string, unknown>);
    });
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString('utf8') }));
    socket.on('error', () => undefined);
  }

  /** Throws `status body` if the upgrade is refused. */
  static async open(
    baseUrl: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<StandInClient> {
    const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}${path}`, { headers });
    const client = new StandInClient(socket);
    socket.on('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (part: Buffer) => (body += part.toString('utf8')));
      response.on('end', () => socket.emit('refused', `${response.statusCode ?? 0} ${body}`));
    });
    const refused = await Promise.race([
      once(socket, 'open').then(() => null),
      once(socket, 'refused').then(([why]) => String(why)),
    ]);
    if (refused !== null) throw new Error(refused);
    return client;
  }

  send(...messages: object[]): void {
    for (const message of messages) this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#socket.terminate();
  }
}

/** The words in audio of a wire format. */
export function wordsOf(
  audio: Buffer,
  encoding: 'mulaw' | 'alaw' | 'linear16' | 'float32',
  rate: number,
): string {
  const size = { mulaw: 1, alaw: 1, linear16: 2, float32: 4 }[encoding];
  const pcm = new Int16Array(Math.floor(audio.length / size));
  if (encoding === 'mulaw') decodeUlawTo(pcm, audio);
  else if (encoding === 'alaw') decodeAlawTo(pcm, audio);
  else if (encoding === 'linear16') for (let i = 0; i < pcm.length; i++) pcm[i] = audio.readInt16LE(2 * i);
  else for (let i = 0; i < pcm.length; i++) pcm[i] = Math.round(audio.readFloatLE(4 * i) * 32_767);
  return wordsIn(pcm, rate)
    .map(({ text }) => text)
    .join(' ');
}
