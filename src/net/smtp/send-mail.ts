import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { messageOf, type Mail } from './message.ts';
import { takeReply, type SmtpReply } from './replies.ts';

/** Between two steps of the server. */
const STEP_MS = 30_000;
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const LOOPBACK = /^(?:localhost|127\.|::1$)/;

/**
 * Sends a mail by the server of `url`, smtp://[user:password@]host[:port] or smtps://…, to every address that it takes. With smtp:// it
 * encrypts when the server offers STARTTLS, and sends no password unencrypted except to this machine. Rejects when the server takes
 * the mail for no address, or does not answer; a server that fails to confirm the whole message counts as having taken it, so that
 * nobody gets it twice.
 */
export async function sendMail(url: string, mail: Mail): Promise<void> {
  const server = new URL(url);
  const session = await Session.open(server);
  try {
    await session.login(decodeURIComponent(server.username), decodeURIComponent(server.password));
    await session.ask(`MAIL FROM:<${mail.from.address}>`, 250);
    const refusals: unknown[] = [];
    for (const address of mail.to)
      await session.ask(`RCPT TO:<${address}>`, 250, 251).catch((error: unknown) => refusals.push(error));
    if (refusals.length === mail.to.length) throw refusals[0];
    await session.ask('DATA', 354);
    await session.finish(messageOf(mail));
  } finally {
    session.close();
  }
}

class Session {
  readonly #server: URL;
  #socket: Socket;
  #text = '';
  #waiting: { resolve: (reply: SmtpReply) => void; reject: (error: Error) => void } | null = null;
  #fault: Error | null = null;
  #isEncrypted: boolean;
  #offers: readonly string[] = [];

  private constructor(server: URL) {
    this.#server = server;
    this.#isEncrypted = server.protocol === 'smtps:';
    const place = { host: hostOf(server), port: portOf(server) };
    this.#socket = this.#isEncrypted ? connectTls({ ...place, ...nameOf(server) }) : connectTcp(place);
    this.#listen();
  }

  static async open(server: URL): Promise<Session> {
    const session = new Session(server);
    try {
      session.#expect(await session.#next(), [220]);
      await session.#greet();
      if (!session.#isEncrypted && session.#offers.includes('STARTTLS')) await session.#encrypt();
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** Nothing is sent without a user. */
  async login(user: string, password: string): Promise<void> {
    if (user === '') return;
    if (!this.#isEncrypted && !LOOPBACK.test(hostOf(this.#server)))
      throw new Error('the mail server offers no encryption, so it gets no password');
    const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
    const methods = this.#offers.find((offer) => offer.startsWith('AUTH '))?.split(' ') ?? [];
    if (methods.includes('PLAIN') || !methods.includes('LOGIN')) {
      await this.ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 235);
      return;
    }
    await this.ask('AUTH LOGIN', 334);
    await this.ask(base64(user), 334);
    await this.ask(base64(password), 235);
  }

  async ask(line: string, ...codes: number[]): Promise<SmtpReply> {
    this.#socket.write(`${line}\r\n`);
    return this.#expect(await this.#next(), codes);
  }

  /** Sends the message; only an answer that refuses it is an error. */
  async finish(message: string): Promise<void> {
    this.#socket.write(`${message.replaceAll(/^\./gm, '..')}.\r\n`);
    const reply = await this.#next().catch(() => null);
    if (reply === null) return;
    this.#expect(reply, [250]);
    this.#socket.write('QUIT\r\n');
  }

  close(): void {
    this.#socket.end();
    this.#socket.destroySoon();
  }

  async #greet(): Promise<void> {
    const name = hostname().replaceAll(/[^\w.-]/g, '') || 'localhost';
    const { lines } = await this.ask(`EHLO ${name}`, 250);
    this.#offers = lines.map((offer) => offer.trim().toUpperCase());
  }

  async #encrypt(): Promise<void> {
    await this.ask('STARTTLS', 220);
    const plain = this.#socket;
    plain.removeAllListeners();
    // What came before the encryption is not to be believed.
    this.#text = '';
    this.#socket = connectTls({ socket: plain, ...nameOf(this.#server) });
    this.#listen();
    await new Promise<void>((resolve, reject) => {
      this.#socket
        .once('secureConnect', resolve)
        .once('error', reject)
        .once('close', () => {
          reject(new Error('the mail server closed the connection'));
        });
    });
    this.#isEncrypted = true;
    await this.#greet();
  }

  #listen(): void {
    const fail = (error: Error): void => {
      this.#fault ??= error;
      this.#waiting?.reject(this.#fault);
      this.#waiting = null;
    };
    this.#socket.setEncoding('latin1');
    this.#socket.setTimeout(STEP_MS, () =>
      this.#socket.destroy(new Error('the mail server does not answer')),
    );
    this.#socket.on('data', (text: string) => {
      this.#text += text;
      try {
        this.#deliver();
      } catch (error) {
        this.#socket.destroy(error as Error);
      }
    });
    this.#socket.on('error', fail);
    this.#socket.on('close', () => fail(new Error('the mail server closed the connection')));
  }

  /** Gives a whole answer to who waits for it. */
  #deliver(): void {
    const taken = takeReply(this.#text);
    if (taken === null || this.#waiting === null) return;
    this.#text = taken.rest;
    this.#waiting.resolve(taken.reply);
    this.#waiting = null;
  }

  #next(): Promise<SmtpReply> {
    return new Promise((resolve, reject) => {
      if (this.#fault !== null) return reject(this.#fault);
      this.#waiting = { resolve, reject };
      this.#deliver();
      return undefined;
    });
  }

  #expect(reply: SmtpReply, codes: readonly number[]): SmtpReply {
    if (codes.includes(reply.code)) return reply;
    // Its words may name an address.
    throw new Error(`the mail server answered ${reply.code}`);
  }
}

const hostOf = ({ hostname: host }: URL): string => host.replaceAll(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: URL): number =>
  port === '' ? PORTS[protocol === 'smtps:' ? 'smtps:' : 'smtp:'] : Number(port);
/** The name that the server's certificate must have. */
const nameOf = (server: URL): { servername?: string; host: string } => {
  const host = hostOf(server);
  return isIP(host) === 0 ? { servername: host, host } : { host };
};
