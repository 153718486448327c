import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A message that the server took. */
export interface TakenMail {
  readonly user: string | null;
  readonly from: string;
  readonly to: readonly string[];
  readonly data: string;
}

export interface MailServer {
  readonly port: number;
  readonly taken: readonly TakenMail[];
  /** Answers of the next steps in place of the usual ones, by the first word of the request. */
  readonly answers: Map<string, string[]>;
  /** Connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** An SMTP server (RFC 5321) on loopback that takes every mail, with AUTH PLAIN. */
export async function startMailServer(): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const answers = new Map<string, string[]>();
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let user: string | null = null;
    let from = '';
    let to: string[] = [];
    let text = '';
    let data: string[] | null = null;
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    const usual = (line: string, verb: string): string => {
      const address = /<(.*)>/.exec(line)?.[1] ?? '';
      if (verb === 'EHLO') return '250-mail.test\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME';
      if (verb === 'AUTH') {
        [, user = ''] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0');
        return '235 welcome';
      }
      if (verb === 'MAIL') from = address;
      if (verb === 'RCPT') to = [...to, address];
      if (verb === 'DATA') data = [];
      return verb === 'DATA' ? '354 go on' : '250 fine';
    };
    const take = (line: string): void => {
      if (data !== null && line !== '.') return void data.push(line.replace(/^\./, ''));
      const verb = data === null ? (line.split(' ')[0] ?? '').toUpperCase() : 'MESSAGE';
      const other = answers.get(verb)?.shift();
      if (other === 'close') return void socket.destroy();
      if (verb === 'MESSAGE') {
        if (other === undefined) taken.push({ user, from, to, data: (data ?? []).join('\r\n') });
        data = null;
      }
      return say(other ?? usual(line, verb));
    };
    say('220 mail.test');
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\r\n');
      text = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    answers,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
