import { CallError, type CallState } from './web-call.ts';

/** The service's answer to a page that begins a chat. */
export interface OpenedChat {
  readonly chat_id: string;
  readonly token: string;
  readonly ws_url: string;
}

export interface ChatLine {
  /** `person`: a person of the business, who took the chat over. */
  readonly role: 'agent' | 'caller' | 'person';
  readonly text: string;
  readonly by: 'text';
  readonly interrupted: false;
  /** Likely answers to an agent's line. */
  readonly choices: readonly string[];
}

export interface WebChatOptions {
  /** Begins the chat at the service. Throws a `CallError`. */
  readonly open: () => Promise<OpenedChat>;
  /** Names the chat in the tab's storage, where it outlives a change of the page. */
  readonly storageKey: string;
  readonly onState: (state: CallState, reason: string | null) => void;
  readonly onLine: (line: ChatLine) => void;
  /** Who answers, and whether an answer is on its way. */
  readonly onAnswering: (isAnswering: boolean, withPerson: boolean) => void;
}

const PROTOCOL = 'callwright-chat.1';
/** Waits between tries to come back; a chat ends at the service long after the last one. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
const MOST_TRIES = 40;
/** Chats of this page by their key: a second element with the same one keeps nothing. */
const held = new Set<string>();
/** Refused upgrades in a row after which the chat counts as over: the browser does not tell why. */
const MOST_REFUSED = 4;

/** One chat of this page with an agent. A cut connection comes back by itself, and no line is lost or doubled. */
export class WebChat {
  readonly #options: WebChatOptions;
  #socket: WebSocket | null = null;
  #opened: OpenedChat | null = null;
  #state: CallState = 'connecting';
  #reason: string | null = null;
  /** The last line that the page has. */
  #after = 0;
  /** Lines of the visitor that the service has not shown yet. */
  readonly #unsent = new Map<string, string>();
  #tries = 0;
  #refused = 0;
  /** Null: the chat ends with the page. */
  readonly #key: string | null;
  /** The chat began on an earlier page, and has not connected on this one. */
  #isKept = false;

  constructor(options: WebChatOptions) {
    this.#options = options;
    const { storageKey: key } = options;
    this.#key = held.has(key) ? null : key;
    held.add(key);
  }

  get state(): CallState {
    return this.#state;
  }

  get chatId(): string | null {
    return this.#opened?.chat_id ?? null;
  }

  /** Continues the chat of the page before, or begins one. Throws a `CallError`. */
  async start(): Promise<void> {
    try {
      const kept = this.#key === null ? null : readKept(this.#key);
      this.#isKept = kept !== null;
      this.#opened = kept ?? (await this.#options.open());
      if (this.#state !== 'ended') this.#connect();
    } catch (error) {
      this.#end(null);
      throw error instanceof CallError ? error : new CallError('failed', String(error));
    }
  }

  send(text: string): void {
    if (this.#state === 'ended') return;
    const id = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('-');
    this.#unsent.set(id, text);
    this.#tell({ type: 'text', id, text });
  }

  /** Ends the chat for both sides. */
  stop(): void {
    this.#tell({ type: 'hangup' });
    this.#socket?.close(1000);
    this.#end('USER_LEFT');
  }

  #tell(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect(): void {
    const { ws_url: url, token } = this.#opened ?? { ws_url: '', token: '' };
    const socket = new WebSocket(`${url}?after=${this.#after}`, [PROTOCOL, `token.${token}`]);
    this.#socket = socket;
    let wasOpen = false;
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      wasOpen = true;
      if (socket === this.#socket) this.#receive(JSON.parse(data) as Message);
    });
    socket.addEventListener('close', ({ code }) => {
      this.#refused = wasOpen ? 0 : this.#refused + 1;
      if (socket === this.#socket) this.#onClose(code);
    });
  }

  #receive(message: Message): void {
    switch (message.type) {
      case 'ready': {
        this.#tries = 0;
        const { ws_url } = this.#opened ?? { ws_url: '' };
        this.#opened = { chat_id: message.chat_id, token: message.resume, ws_url };
        this.#isKept = false;
        this.#keep(this.#opened);
        this.#tell({ type: 'ready' });
        for (const [id, text] of this.#unsent) this.#tell({ type: 'text', id, text });
        this.#set('live');
        return;
      }
      case 'line':
        if (message.seq <= this.#after) return;
        this.#after = message.seq;
        if (message.id !== null) this.#unsent.delete(message.id);
        this.#options.onLine({
          role: message.role,
          text: message.text,
          by: 'text',
          interrupted: false,
          choices: message.choices,
        });
        return;
      case 'state':
        this.#options.onAnswering(message.is_answering, message.with_person);
        return;
      case 'refused':
        setTimeout(() => {
          const text = this.#unsent.get(message.id);
          if (text !== undefined) this.#tell({ type: 'text', id: message.id, text });
        }, message.wait_seconds * 1_000);
        return;
      case 'ended':
        this.#reason = message.reason;
        return;
      default:
        message satisfies never;
    }
  }

  #onClose(code: number): void {
    if (this.#state === 'ended') return;
    if (this.#isKept) {
      // The earlier chat is over.
      this.#keep(null);
      this.#opened = null;
      this.start().catch(() => undefined);
      return;
    }
    const isOver = code === 1000 || code === 4001 || this.#reason !== null;
    const isLost = this.#tries >= MOST_TRIES || this.#refused >= MOST_REFUSED;
    if (isOver || isLost) return this.#end(this.#reason ?? 'CONNECTION_LOST');
    this.#set('away');
    this.#tries += 1;
    setTimeout(
      () => {
        if (this.#state === 'away') this.#connect();
      },
      Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** (this.#tries - 1)),
    );
    return undefined;
  }

  /** Pages without storage begin a new chat each. */
  #keep(opened: OpenedChat | null): void {
    if (this.#key === null) return;
    try {
      if (opened === null) sessionStorage.removeItem(this.#key);
      else sessionStorage.setItem(this.#key, JSON.stringify(opened));
    } catch {
      // The browser forbids storage to this page.
    }
  }

  #set(state: CallState): void {
    if (this.#state === 'ended') return;
    this.#state = state;
    this.#options.onState(state, this.#reason);
  }

  #end(reason: string | null): void {
    if (this.#state === 'ended') return;
    this.#keep(null);
    if (this.#key !== null) held.delete(this.#key);
    this.#reason ??= reason;
    this.#set('ended');
  }
}

type Message =
  | { readonly type: 'ready'; readonly chat_id: string; readonly resume: string }
  | {
      readonly type: 'line';
      readonly seq: number;
      readonly role: ChatLine['role'];
      readonly text: string;
      readonly id: string | null;
      readonly choices: readonly string[];
    }
  | { readonly type: 'state'; readonly with_person: boolean; readonly is_answering: boolean }
  | { readonly type: 'refused'; readonly id: string; readonly wait_seconds: number }
  | { readonly type: 'ended'; readonly reason: string };

function readKept(key: string): OpenedChat | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as OpenedChat | null;
  } catch {
    return null;
  }
}
