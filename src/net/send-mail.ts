import { isIP } from 'node:net';
import { PassThrough } from 'node:stream';
import type { Mailbox } from '../shared/mailbox.ts';
import { hostLookup, type Lookup } from './resolve-host.ts';

export interface Mail {
  readonly from: Mailbox;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Of the message, the same in every attempt to send it. Letters, digits, dots and hyphens. */
  readonly id: string;
  readonly at: Date;
}

/** Between two steps of the server. */
const STEP_MS = 30_000;
const LOOPBACK = /^(?:localhost|127\.|::1$)/;

/**
 * Sends a mail by the server of `url`, smtp://[user:password@]host[:port] or smtps://…, to every address that it takes. It resolves the
 * host once and connects to that address; the certificate must be of the host. With smtp:// it encrypts when the server offers
 * STARTTLS, and sends no password unencrypted except to this machine. Rejects when the server takes the mail for no address, or does
 * not answer; a server that fails to confirm the whole message counts as having taken it, so that no address gets it twice.
 */
export async function sendMail(url: string, mail: Mail, resolve: Lookup = hostLookup()): Promise<void> {
  const server = new URL(url);
  const host = server.hostname.replaceAll(/^\[|\]$/g, '');
  const isEncrypted = server.protocol === 'smtps:';
  const user = decodeURIComponent(server.username);
  // Loaded with the first mail: most processes send none.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: isIP(host) === 0 ? await addressOf(host, resolve) : host,
    port: server.port === '' ? (isEncrypted ? 465 : 587) : Number(server.port),
    secure: isEncrypted,
    requireTLS: user !== '' && !LOOPBACK.test(host),
    ...(isIP(host) === 0 ? { tls: { servername: host } } : {}),
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(server.password) } }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let isWritten = false;
  transport.use('stream', ({ message }, done) => {
    message.transform(() => new PassThrough().once('end', () => (isWritten = true)));
    done();
  });
  try {
    await transport.sendMail({
      from: mail.from,
      to: [...mail.to],
      subject: mail.subject,
      text: mail.text,
      textEncoding: 'base64',
      date: mail.at,
      messageId: `<${mail.id}@${mail.from.address.split('@')[1] ?? ''}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    const { responseCode: code, message } = error as Error & { responseCode?: number };
    // Its words may name an address.
    if (code !== undefined) throw new Error(`the mail server answered ${code}`, { cause: error });
    if (!isWritten) throw new Error(`the mail server took no mail: ${message}`, { cause: error });
  } finally {
    transport.close();
  }
}

const addressOf = (host: string, resolve: Lookup): Promise<string> =>
  new Promise((found, fail) => {
    resolve(host, { all: true }, (error, [first]) => {
      if (error !== null) fail(error);
      else if (first === undefined) fail(new Error('the mail server has no address'));
      else found(first.address);
    });
  });
