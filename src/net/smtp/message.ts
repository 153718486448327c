import type { Mailbox } from '../../shared/mailbox.ts';

export interface Mail {
  readonly from: Mailbox;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Of the message, the same in every attempt to send it. Letters, digits, dots and hyphens. */
  readonly id: string;
  readonly at: Date;
}

/** Bytes of an encoded word; with its frame a line stays below 76 characters (RFC 2047 section 2). */
const WORD_BYTES = 42;
const LINE_CHARACTERS = 76;

/** The message with its headers (RFC 5322), in lines that end with CR LF. Every line is ASCII and at most 998 characters long. */
export function messageOf({ from, to, subject, text, id, at }: Mail): string {
  const sender = from.name === '' ? from.address : `${encoded(from.name)} <${from.address}>`;
  const body = Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'), 'utf8').toString('base64');
  return [
    `From: ${sender}`,
    `To: ${to.join(',\r\n ')}`,
    `Subject: ${encoded(subject)}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${from.address.split('@')[1] ?? ''}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...piecesOf(body, LINE_CHARACTERS),
    '',
  ].join('\r\n');
}

/** A text as encoded words of UTF-8, so that no character of it ends the header. */
function encoded(text: string): string {
  const words: string[] = [];
  let part = '';
  for (const character of text) {
    if (Buffer.byteLength(part + character) > WORD_BYTES) {
      words.push(part);
      part = '';
    }
    part += character;
  }
  return [...words, part].map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}

function piecesOf(text: string, characters: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += characters) pieces.push(text.slice(at, at + characters));
  return pieces;
}
