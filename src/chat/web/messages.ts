/** The messages of a web chat's WebSocket: one JSON object each. */
export const WEB_CHAT_PROTOCOL = 'callwright-chat.1';
/** Longest message of a page, in bytes; a longer one ends the connection. */
export const MOST_TEXT_BYTES = 8_192;
const MOST_TYPED_CHARS = 2_000;
const ID = /^[\w-]{1,40}$/;

export type PageMessage =
  /** The page has the token of the next connection. */
  | { readonly type: 'ready' }
  /** A line of the visitor. The same `id` again is the same line, sent again after a cut. */
  | { readonly type: 'text'; readonly id: string; readonly text: string }
  /** Ends the chat. */
  | { readonly type: 'hangup' };

export type ChatMessage =
  | { readonly type: 'ready'; readonly chat_id: string; readonly resume: string }
  /** A line of the chat; `seq` grows, and a connection with `?after=seq` gets the later ones. */
  | {
      readonly type: 'line';
      readonly seq: number;
      readonly role: 'agent' | 'caller' | 'person';
      readonly text: string;
      /** Of the visitor's lines: the page's own id. */
      readonly id: string | null;
      /** Likely answers. */
      readonly choices: readonly string[];
    }
  /** Who answers: the agent, or a person of the workspace; `is_answering`: an answer is on its way. */
  | { readonly type: 'state'; readonly with_person: boolean; readonly is_answering: boolean }
  /** Rate limit exceeded; the line was not stored. */
  | { readonly type: 'refused'; readonly id: string; readonly wait_seconds: number }
  | { readonly type: 'ended'; readonly reason: string };

/** Parses a page's message; null: not of this protocol. Never throws. */
export function parsePageMessage(bytes: Buffer): PageMessage | null {
  if (bytes.length > MOST_TEXT_BYTES) return null;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { type, id, text } = value as Readonly<Record<string, unknown>>;
  if (type === 'ready' || type === 'hangup') return { type };
  if (type !== 'text' || typeof id !== 'string' || typeof text !== 'string' || !ID.test(id)) return null;
  const typed = plain(text).slice(0, MOST_TYPED_CHARS).trim();
  return typed === '' ? null : { type, id, text: typed.toWellFormed() };
}

/** Without control characters, except line breaks. */
const plain = (text: string): string => text.toWellFormed().replaceAll(/(?!\n)\p{Cc}/gu, ' ');
