/** The answer of an SMTP server: its code and its lines without the code. */
export interface SmtpReply {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Characters of an answer that are read at most. */
export const LONGEST_REPLY = 65_536;
const LINE = /^(\d{3})([ -]?)(.*)$/;

/**
 * Takes the first whole answer from what a server sent; null: it is not whole. Throws when the bytes are no SMTP (RFC 5321 section
 * 4.2), or an answer is longer than LONGEST_REPLY.
 */
export function takeReply(text: string): { readonly reply: SmtpReply; readonly rest: string } | null {
  const lines: string[] = [];
  let from = 0;
  for (;;) {
    const end = text.indexOf('\n', from);
    if (end === -1) {
      if (text.length > LONGEST_REPLY) throw new Error('the mail server answers too much');
      return null;
    }
    const [, code = '', mark, words = ''] = LINE.exec(text.slice(from, end).replace(/\r$/, '')) ?? [];
    if (code === '') throw new Error('the mail server does not speak SMTP');
    lines.push(words);
    from = end + 1;
    if (mark !== '-') return { reply: { code: Number(code), lines }, rest: text.slice(from) };
  }
}
