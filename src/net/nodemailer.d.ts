/** The part of nodemailer that send-mail.ts uses. */
declare module 'nodemailer' {
  import type { Transform } from 'node:stream';

  interface Transport {
    use(
      step: 'stream',
      plugin: (mail: { message: { transform(make: () => Transform): void } }, done: () => void) => void,
    ): void;
    sendMail(mail: object): Promise<unknown>;
    close(): void;
  }
  export function createTransport(options: object): Transport;
}
