import { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { innerRuleFor, type AddressGuard } from '../../net/address-guard.ts';
import { Fields } from '@callwright/fields';
import { redact } from './redact.ts';
import { faultOfClose, faultOfStatus, vendorFault, type VendorFault } from './fault.ts';

export interface VendorSocketOptions {
  /** Name of the vendor in faults. */
  readonly vendor: string;
  /** `ws:` or `wss:`; a key belongs in the headers. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Removed from every fault. */
  readonly secrets?: readonly string[];
  /** Address rules of a workspace's URL; absent: the operator's URL, which may be an inner one. */
  readonly guard?: AddressGuard;
  /** Limits of the upgrade, and from it to the vendor's greeting (null: it need not speak first). */
  readonly connectMs?: number;
  readonly greetingMs?: number | null;
  /** The connection is pinged this often, and lost after twice this time without any traffic. */
  readonly pingMs?: number;
  onOpen(): void;
  /** Text or binary, as the vendor sent it. True: the vendor has greeted. */
  onMessage(message: string | Buffer): boolean;
  /** Fault of a vendor-specific close code; null: the standard one. */
  closeFault?(code: number, reason: string): VendorFault | null;
  /** The connection failed. Called at most once, and not after `close`. */
  onFault(fault: VendorFault): void;
}

const CONNECT_MS = 1_500;
const GREETING_MS = 1_500;
const PING_MS = 20_000;
/** After `close`: time for the vendor's last messages, then for its closing handshake. */
const LAST_WORDS_MS = 1_500;
const HANDSHAKE_MS = 1_000;
const LARGEST_MESSAGE = 4_194_304;
const LARGEST_REFUSAL = 2_000;

/** One WebSocket to a vendor, with limits, pings and faults that name their cause. It connects at once. */
export class VendorSocket {
  readonly #options: VendorSocketOptions;
  readonly #socket: WebSocket;
  readonly #timers = new Set<NodeJS.Timeout>();
  #greeting: NodeJS.Timeout | null = null;
  #connecting: NodeJS.Timeout | null = null;
  #heardAt = 0;
  #state: 'connecting' | 'open' | 'closing' | 'over' = 'connecting';

  constructor(options: VendorSocketOptions) {
    this.#options = options;
    const refusal = options.guard?.refusal(options.url) ?? null;
    this.#socket = new WebSocket(options.url, {
      ...(options.guard === undefined ? {} : { lookup: options.guard.lookup }),
      ...(refusal === null ? {} : { createConnection: refusedSocket }),
      headers: { ...options.headers },
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: LARGEST_MESSAGE,
    });
    const { connectMs = CONNECT_MS } = options;
    this.#connecting = this.#after(connectMs, () =>
      this.#fail(vendorFault(options.vendor, 'timeout', `no connection within ${connectMs} ms`)),
    );
    this.#listen(refusal);
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Bytes that wait in this process; a vendor that does not read makes them grow. */
  get buffered(): number {
    return this.#socket.bufferedAmount;
  }

  send(message: string | Uint8Array): void {
    if (this.#state !== 'open') return;
    this.#socket.send(message, () => undefined);
  }

  /** Sends the vendor's closing messages and closes. Messages still arrive until the vendor has closed. */
  close(...messages: readonly string[]): void {
    if (this.#state === 'closing' || this.#state === 'over') return;
    const wasOpen = this.#state === 'open';
    for (const message of messages) this.send(message);
    this.#state = 'closing';
    this.#clearTimers();
    if (!wasOpen) return this.#end();
    const bye = (): void => {
      this.#socket.close(1000);
      this.#after(HANDSHAKE_MS, () => this.#end());
    };
    if (messages.length === 0) bye();
    else this.#after(LAST_WORDS_MS, bye);
  }

  /** `refusal`: the address rule that the URL breaks. */
  #listen(refusal: string | null): void {
    const { vendor } = this.#options;
    this.#socket.on('open', () => this.#onOpen());
    this.#socket.on('message', (data: Buffer, isBinary) => {
      this.#heardAt = performance.now();
      if (this.#state !== 'open' && this.#state !== 'closing') return;
      const hasGreeted = this.#options.onMessage(isBinary ? data : data.toString('utf8'));
      if (hasGreeted && this.#greeting !== null) clearTimeout(this.#greeting);
    });
    this.#socket.on('pong', () => {
      this.#heardAt = performance.now();
    });
    this.#socket.on('ping', () => {
      this.#heardAt = performance.now();
    });
    this.#socket.on('unexpected-response', (_, response) => {
      let body = String(response.headers['dg-error'] ?? '');
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        if (body.length < LARGEST_REFUSAL) body += body === '' ? part : ` ${part}`;
      });
      const refused = (): void => this.#fail(faultOfStatus(vendor, response.statusCode ?? 0, textOf(body)));
      response.once('end', refused);
      response.once('error', refused);
    });
    this.#socket.on('close', (code, reason) => {
      if (this.#state === 'closing') return this.#end();
      const text = reason.toString('utf8');
      this.#fail(this.#options.closeFault?.(code, text) ?? faultOfClose(vendor, code, text));
    });
    this.#socket.on('error', (error) => {
      if (this.#state === 'closing') return this.#end();
      const code = 'code' in error ? String(error.code) : '';
      const rule = refusal ?? (code === 'BLOCKED' ? innerRuleFor('llm') : null);
      if (rule !== null) this.#fail(vendorFault(vendor, 'rejected', `the address ${rule}`));
      else this.#fail(vendorFault(vendor, 'lost', code || error.message));
    });
  }

  #onOpen(): void {
    if (this.#state !== 'connecting') return;
    if (this.#connecting !== null) clearTimeout(this.#connecting);
    this.#state = 'open';
    this.#heardAt = performance.now();
    const { vendor, greetingMs = GREETING_MS, pingMs = PING_MS } = this.#options;
    if (greetingMs !== null) {
      this.#greeting = this.#after(greetingMs, () =>
        this.#fail(vendorFault(vendor, 'timeout', `no first message within ${greetingMs} ms`)),
      );
    }
    const ping = (): void => {
      if (this.#state !== 'open') return;
      if (performance.now() - this.#heardAt > 2 * pingMs) {
        return this.#fail(vendorFault(vendor, 'timeout', `silent for ${2 * pingMs} ms`));
      }
      this.#socket.ping();
      this.#after(pingMs, ping);
    };
    this.#after(pingMs, ping);
    this.#options.onOpen();
  }

  #fail(fault: VendorFault): void {
    if (this.#state === 'closing' || this.#state === 'over') return;
    this.#end();
    this.#options.onFault({ ...fault, message: redact(fault.message, this.#options.secrets ?? []) });
  }

  #end(): void {
    this.#state = 'over';
    this.#clearTimers();
    this.#socket.terminate();
  }

  #after(ms: number, work: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    timer.unref();
    this.#timers.add(timer);
    return timer;
  }

  #clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

/** A socket that never connects. */
function refusedSocket(): Socket {
  const socket = new Socket();
  // Deferred until the listeners are attached.
  setImmediate(() => socket.destroy(new Error('refused')));
  return socket;
}

/** The message of a JSON error body, or the body. */
function textOf(body: string): string {
  try {
    const answer = Fields.parse(body.slice(body.indexOf('{')));
    const nested = answer.of('error');
    const names = ['err_msg', 'message', 'error', 'reason', 'detail'];
    return names.map((name) => answer.text(name) || nested.text(name)).find((text) => text !== '') ?? body;
  } catch {
    return body;
  }
}
