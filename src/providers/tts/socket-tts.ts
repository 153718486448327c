import type { VendorSettings } from '../../vendors/catalogue.ts';
import type { TtsContext, TtsEvent, TtsOptions, TtsProvider, TtsSession, TtsVoice } from '../ports/voice.ts';
import type { TtsVendor } from './dialect.ts';
import { TtsConnection, type TtsLimits } from './tts-connection.ts';

/** A vendor's voices over WebSocket. Calls share connections; a lost one fails its sentences as retryable. */
export class SocketTts implements TtsProvider {
  readonly name: string;
  readonly #vendor: TtsVendor;
  readonly #apiKey: string | null;
  readonly #limits: TtsLimits;
  readonly #connections = new Set<TtsConnection>();

  constructor(vendor: TtsVendor, settings: Pick<VendorSettings, 'apiKey'>, limits: TtsLimits = {}) {
    this.name = vendor.name;
    this.#vendor = vendor;
    this.#apiKey = settings.apiKey;
    this.#limits = limits;
  }

  speaks(language: TtsVoice['language']): boolean {
    return this.#vendor.speaks(language);
  }

  /** Connects at once. */
  open(options: TtsOptions): TtsSession {
    this.#connection(options);
    const contexts = new Set<SocketContext>();
    return {
      begin: () => {
        const context = new SocketContext(options, this.#vendor, (one) => this.#connection(one));
        contexts.add(context);
        return context;
      },
      close: () => {
        for (const context of contexts) context.cancel();
        contexts.clear();
      },
    };
  }

  /** Keeps a connection with room for this call. */
  warm(options: TtsOptions): void {
    this.#connection(options);
  }

  close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    return Promise.resolve();
  }

  /** A connection with room for a further context of this voice. */
  #connection(options: TtsOptions): TtsConnection {
    const key = this.#vendor.key(options);
    for (const connection of this.#connections) {
      if (connection.key === key && connection.hasRoom) return connection;
    }
    const connection: TtsConnection = new TtsConnection(this.#vendor, options, {
      apiKey: this.#apiKey,
      limits: this.#limits,
      onOver: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    return connection;
  }
}

/** A reply: one context on one connection, or several when the voice needs another one. */
class SocketContext implements TtsContext {
  readonly #options: TtsOptions;
  readonly #vendor: TtsVendor;
  readonly #connect: (options: TtsOptions) => TtsConnection;
  #current: { readonly connection: TtsConnection; readonly name: string } | null = null;
  /** Contexts of the current voice and of earlier ones. */
  readonly #all: { readonly connection: TtsConnection; readonly name: string }[] = [];
  #voice = '';
  #isOver = false;

  constructor(options: TtsOptions, vendor: TtsVendor, connect: (options: TtsOptions) => TtsConnection) {
    this.#options = options;
    this.#vendor = vendor;
    this.#connect = connect;
  }

  say(text: string, onEvent: (event: TtsEvent) => void, voice?: Partial<TtsVoice>): void {
    if (this.#isOver) return;
    const options = { ...this.#options, ...voice };
    const { voiceKey, language, speed } = options;
    const wanted = `${this.#vendor.key(options)} ${voiceKey} ${language} ${speed}`;
    if (wanted !== this.#voice) this.end();
    this.#voice = wanted;
    const current = this.#current;
    if (current?.connection.say(current.name, text, options, onEvent) === true) return;
    // The first sentence, another voice, or a connection that was lost between two sentences.
    const connection = this.#connect(options);
    this.#current = { connection, name: connection.begin() };
    this.#all.push(this.#current);
    connection.say(this.#current.name, text, options, onEvent);
  }

  end(): void {
    const current = this.#current;
    this.#current = null;
    current?.connection.end(current.name);
  }

  cancel(): void {
    this.#isOver = true;
    for (const { connection, name } of this.#all) connection.cancel(name);
  }
}
