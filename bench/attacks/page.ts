import { Agent, fetch } from 'undici';
import { WebSocket } from 'ws';
import { WEB_CHAT_PROTOCOL } from '../../src/chat/web/messages.ts';
import { WEB_CALL_PROTOCOL } from '../../src/telephony/web/messages.ts';
import { request, sleep, type Report, type Target } from './attack.ts';

export type PagePath = '/api/v0/calling/webcall' | '/api/v0/chat/web';

/** The public key of an agent's widget, which every page shows. */
export async function publicKey(target: Target, key: string, agentId: string): Promise<string> {
  for (;;) {
    const { status, body } = await request(target, key, 'GET', `/api/v0/agent/${agentId}`);
    if (status === 200) return String(body.agents.webcall_public_key);
    // The workspace has its share of the requests already.
    if (status !== 429 && status !== 503) throw new Error(`the agent was answered with ${status}`);
    await sleep(200);
  }
}

let machines = 0;
const addressOf = (n: number): string => `127.${40 + (Math.floor(n / 256) % 200)}.${n % 256}.1`;

/** A browser at another address: it opens browser calls and chats as a page does. */
export class PageMachine {
  /** Loopback has sixteen million addresses; each machine has a /24. */
  readonly address = addressOf((machines += 1));
  readonly #agent = new Agent({
    localAddress: this.address,
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 1_000,
  });

  /**
   * Begins a call or a chat and connects to it; null: refused, with the status in the report. `onMessage` gets every message,
   * also one that arrives with the answer to the upgrade.
   */
  async open(
    target: Pick<Target, 'url'>,
    path: PagePath,
    { key, agentId }: { readonly key: string; readonly agentId: string },
    report: Report,
    onMessage?: (socket: WebSocket, data: Buffer) => void,
  ): Promise<WebSocket | null> {
    const origin = target.url;
    const response = await fetch(`${target.url}${path}`, {
      method: 'POST',
      dispatcher: this.#agent,
      headers: { 'content-type': 'application/json', 'x-api-key': key, origin },
      body: JSON.stringify({ agent_id: agentId, custom_args_values: { callee_name: 'Eve' } }),
    }).catch(() => null);
    const body = (await response?.json().catch(() => null)) as { ws_url?: string; token?: string } | null;
    if (response?.status !== 200 || body?.ws_url === undefined) {
      report.answer(`begin ${response?.status ?? 0}`);
      return null;
    }
    const protocol = path === '/api/v0/chat/web' ? WEB_CHAT_PROTOCOL : WEB_CALL_PROTOCOL;
    const socket = new WebSocket(body.ws_url, [protocol, `token.${body.token}`], {
      origin,
      localAddress: this.address,
    });
    if (onMessage !== undefined) socket.on('message', (data: Buffer) => onMessage(socket, data));
    return new Promise((resolve) => {
      socket.on('error', () => resolve(null));
      socket.once('unexpected-response', (_, { statusCode = 0 }) => {
        report.answer(`upgrade ${statusCode}`);
        socket.terminate();
        resolve(null);
      });
      socket.once('open', () => resolve(socket));
    });
  }

  /** Sends one request over a new connection; `reset`: the service closed the connection without an answer. */
  async probe(url: string): Promise<'answered' | 'refused' | 'reset'> {
    const agent = new Agent({ localAddress: this.address, pipelining: 0 });
    try {
      const { status, body } = await fetch(url, { dispatcher: agent });
      await body?.cancel();
      return status === 200 ? 'answered' : 'refused';
    } catch {
      return 'reset';
    } finally {
      await agent.destroy();
    }
  }

  /** The status of a sign-in with a wrong password; 0: no answer. */
  async signIn(url: string, email: string): Promise<number> {
    const response = await fetch(`${url}/dashboard-api/sign-in`, {
      method: 'POST',
      dispatcher: this.#agent,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'wrong password' }),
    }).catch(() => null);
    await response?.body?.cancel();
    return response?.status ?? 0;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
