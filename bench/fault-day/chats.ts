import { WebChatter } from '../../test/helpers/browser/web-chatter.ts';
import { sleep } from '../attacks/attack.ts';
import type { Tenant } from './world.ts';

const PAGES = 2;
const LINES = 8;
const READING_MS = 1_500;
/** The page counts a line as lost when the agent has not answered it within this time. */
const ANSWER_MS = 150_000;

/** One line of a page. */
export interface Turn {
  readonly tenant: Tenant['name'];
  readonly at: number;
  /** Until the agent's next line; null: none came. */
  readonly waitedMs: number | null;
}

/** Pages of a tenant that write to its agent, chat after chat. A page that is cut comes back, as the widget does. */
export class Chats {
  readonly turns: Turn[] = [];
  readonly chatIds: string[] = [];
  /** Codes of connections that the service closed. */
  readonly closes: number[] = [];
  /** Lines that pages were shown twice. */
  twice = 0;
  readonly #tenant: Tenant;
  readonly #stop = new AbortController();
  readonly #pages: Promise<void>;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
    this.#pages = Promise.all(Array.from({ length: PAGES }, () => this.#page())).then(() => undefined);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#pages;
  }

  async #page(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#chat().catch(() => undefined);
      await sleep(1_000, this.#stop.signal);
    }
  }

  async #chat(): Promise<void> {
    const { url } = this.#tenant.client;
    const answer = await fetch(`${url}/api/v0/chat/web`, {
      method: 'POST',
      headers: { 'x-api-key': this.#tenant.publicKey, 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ agent_id: this.#tenant.agentId, custom_args_values: { callee_name: 'Priya' } }),
    });
    const { chat_id: chatId, token } = (await answer.json()) as { chat_id: string; token: string };
    if (answer.status !== 200) return;
    const page = new Page(`${url.replace('http:', 'ws:')}/web-chat`, url, token);
    await page.open();
    this.chatIds.push(chatId);
    try {
      for (let nth = 1; nth <= LINES && !this.#stop.signal.aborted && !page.hasEnded; nth += 1) {
        const at = Date.now();
        const waitedMs = await page.ask(`line-${nth}`, `Question number ${nth}: can you help me?`);
        if (!page.hasEnded || waitedMs !== null) this.turns.push({ tenant: this.#tenant.name, at, waitedMs });
        await sleep(READING_MS, this.#stop.signal);
      }
    } finally {
      page.leave();
      this.closes.push(...page.closes);
      this.twice += page.twice;
    }
  }
}

/** A page with its chat, across connections. */
class Page {
  readonly closes: number[] = [];
  twice = 0;
  hasEnded = false;
  readonly #url: string;
  readonly #origin: string;
  #token: string;
  #chatter: WebChatter | null = null;
  #read = 0;
  /** Lines that were shown, by their number. */
  readonly #shown = new Map<number, { readonly role: string; readonly text: string }>();

  constructor(url: string, origin: string, token: string) {
    this.#url = url;
    this.#origin = origin;
    this.#token = token;
  }

  async open(): Promise<void> {
    const after = Math.max(0, ...this.#shown.keys());
    this.#read = 0;
    this.#chatter = await WebChatter.connect(this.#url, this.#token, this.#origin, after);
    this.#token = await this.#chatter.resume();
    this.#chatter.send({ type: 'ready' });
  }

  /** Writes a line; resolves with the wait for the agent's next one, null when none comes. */
  async ask(id: string, text: string): Promise<number | null> {
    const from = performance.now();
    const before = this.#agentLines();
    this.#chatter?.send({ type: 'text', id, text });
    while (performance.now() - from < ANSWER_MS) {
      await sleep(50);
      this.#take();
      if (this.#agentLines() > before) return performance.now() - from;
      if (this.hasEnded) return null;
      if (this.#chatter?.closed == null) continue;
      this.closes.push(this.#chatter.closed);
      await this.#comeBack(from);
      this.#chatter?.send({ type: 'text', id, text });
    }
    return null;
  }

  leave(): void {
    this.#take();
    if (this.#chatter?.closed === null) this.#chatter.send({ type: 'hangup' });
  }

  async #comeBack(from: number): Promise<void> {
    while (performance.now() - from < ANSWER_MS) {
      try {
        await this.open();
        return;
      } catch {
        await sleep(1_000);
      }
    }
  }

  #take(): void {
    const messages = this.#chatter?.messages ?? [];
    for (const message of messages.slice(this.#read)) {
      if (message.type === 'ended') this.hasEnded = true;
      if (message.type !== 'line') continue;
      if (this.#shown.has(message.seq)) this.twice += 1;
      this.#shown.set(message.seq, { role: message.role, text: message.text });
    }
    this.#read = messages.length;
  }

  #agentLines(): number {
    return [...this.#shown.values()].filter(({ role }) => role === 'agent').length;
  }
}
