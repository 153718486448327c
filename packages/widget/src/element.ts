import { CallError, WebCall, type CallState, type Line, type Opened } from './web-call.ts';
import { WebChat, type ChatLine, type OpenedChat } from './web-chat.ts';

/** The widget's script: a custom element that calls an agent, or chats with it, without any other dependency. */

/** Where the script came from: the service. Read now, because `currentScript` is gone later. */
const SCRIPT_URL =
  document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;
const TAG = 'callwright-call';

const STYLE = `
:host { --accent: var(--callwright-accent, #1f5fbf); --ink: var(--callwright-ink, #1b1f24); --ground: var(--callwright-ground, #fff);
  --line: var(--callwright-line, #767c85); --radius: var(--callwright-radius, 12px); font: var(--callwright-font, 15px/1.45 system-ui, sans-serif);
  color: var(--ink); display: inline-block; }
:host([position="bottom-right"]) { position: fixed; right: 20px; bottom: 20px; z-index: 2147483000; }
:host([position="bottom-left"]) { position: fixed; left: 20px; bottom: 20px; z-index: 2147483000; }
button, input { font: inherit; color: inherit; border-radius: calc(var(--radius) - 4px); border: 1px solid var(--line); background: var(--ground); padding: 8px 12px; min-height: 40px; box-sizing: border-box; }
button { cursor: pointer; } button.main { background: var(--accent); border-color: var(--accent); color: var(--callwright-accent-ink, #fff); font-weight: 600; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
section { width: min(340px, calc(100vw - 40px)); background: var(--ground); border: 1px solid var(--line); border-radius: var(--radius); padding: 12px; display: grid; gap: 10px; box-sizing: border-box; box-shadow: 0 8px 28px rgb(0 0 0 / .18); }
[hidden] { display: none !important; }
h2 { font-size: 1em; margin: 0; } p { margin: 0; }
.lines { max-height: 220px; overflow: auto; display: grid; gap: 6px; }
.lines b { font-weight: 600; } .row { display: flex; gap: 8px; flex-wrap: wrap; } .row input { flex: 1; min-width: 0; }
.keys { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6px; }
progress { width: 100%; height: 6px; accent-color: var(--accent); } .error { color: var(--callwright-error, #a4161a); }
`;

const TEXTS = {
  label: 'Talk to us',
  heading: 'Call',
  connecting: 'Connecting…',
  live: 'Connected',
  away: 'Connection lost, trying again…',
  ended: 'The call has ended.',
  end: 'End call',
  mute: 'Mute',
  keypad: 'Keypad',
  placeholder: 'Type a message',
  send: 'Send',
  again: 'Call again',
  rate: 'How was the call?',
  thanks: 'Thank you.',
  agent: 'Agent',
  person: 'Team',
  you: 'You',
  answering: 'Writing…',
  choices: 'Suggested answers',
} as const;
/** Those that differ in a chat. */
const CHAT_TEXTS: Partial<Record<TextName, string>> = {
  heading: 'Chat',
  ended: 'The chat has ended.',
  end: 'End chat',
  again: 'Chat again',
};
type TextName = keyof typeof TEXTS;

const create = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[K] => {
  const element = Object.assign(document.createElement(name), properties);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

class CallwrightCall extends HTMLElement {
  static readonly observedAttributes = ['label', 'heading', 'mode'];
  /**
   * Set by the page: fetches a session that its server opened. The agent then uses the variables of the session, and those of
   * the page are not sent.
   */
  session: (() => Promise<object>) | null = null;
  #call: WebCall | null = null;
  #chat: WebChat | null = null;
  readonly #root = this.attachShadow({ mode: 'open' });
  readonly #launch = create('button', { className: 'main', type: 'button' }, { part: 'launch' });
  readonly #panel = create('section', { hidden: true }, { part: 'panel' });
  readonly #heading = create('h2', { id: 'heading' });
  readonly #status = create('p', {}, { role: 'status', part: 'status' });
  readonly #level = create('progress', { max: 1, value: 0 }, { part: 'level' });
  readonly #lines = create('div', { className: 'lines', tabIndex: 0 }, { role: 'log', part: 'transcript' });
  readonly #end = create('button', { type: 'button' }, { part: 'end' });
  readonly #mute = create('button', { type: 'button' }, { part: 'mute', 'aria-pressed': 'false' });
  readonly #keypad = create('button', { type: 'button' }, { part: 'keypad', 'aria-expanded': 'false' });
  readonly #keys = create('div', { className: 'keys', hidden: true });
  readonly #form = create('form', { className: 'row' });
  readonly #input = create('input', { maxLength: 2000, autocomplete: 'off' });
  readonly #sendButton = create('button', { type: 'submit' });
  readonly #choices = create('div', { className: 'row', hidden: true }, { role: 'group', part: 'choices' });
  readonly #rating = create('div', { className: 'row', hidden: true }, { role: 'group' });

  constructor() {
    super();
    // A sheet of the shadow root needs no exception in the page's content security policy.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    this.#panel.setAttribute('aria-labelledby', 'heading');
    for (const digit of '123456789*0#') {
      const key = create('button', { type: 'button', textContent: digit });
      key.addEventListener('click', () => this.#call?.press(digit));
      this.#keys.append(key);
    }
    for (const rating of [1, 2, 3, 4, 5]) {
      const button = create('button', { type: 'button', textContent: String(rating) });
      button.addEventListener('click', () => void this.rate(rating));
      this.#rating.append(button);
    }
    const controls = create('div', { className: 'row' });
    controls.append(this.#mute, this.#keypad, this.#end);
    this.#form.append(this.#input, this.#sendButton);
    this.#panel.append(
      this.#heading,
      this.#status,
      this.#level,
      this.#lines,
      this.#choices,
      this.#form,
      this.#keys,
      controls,
      this.#rating,
    );
    this.#root.append(this.#launch, this.#panel);
    this.#launch.addEventListener('click', () => void this.start().catch(() => undefined));
    this.#end.addEventListener('click', () => this.stop());
    this.#mute.addEventListener('click', () => this.mute(this.#mute.getAttribute('aria-pressed') !== 'true'));
    this.#keypad.addEventListener('click', () => {
      this.#keys.hidden = !this.#keys.hidden;
      this.#keypad.setAttribute('aria-expanded', String(!this.#keys.hidden));
    });
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.send(this.#input.value);
      this.#input.value = '';
    });
  }

  connectedCallback(): void {
    this.#write();
  }

  attributeChangedCallback(): void {
    this.#write();
  }

  /** A page that removes the element ends its call or chat. */
  disconnectedCallback(): void {
    this.stop();
  }

  get state(): CallState | 'idle' {
    return this.#talk?.state ?? 'idle';
  }

  /**
   * Begins a call or chat. For a call the browser asks for the microphone, so it must follow a click. Rejects with a code and a
   * message.
   */
  async start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    if (this.#talk !== null && this.#talk.state !== 'ended') return;
    const given = { ...this.#variables, ...variables };
    const talk = this.#isTyped ? this.#newChat(given) : this.#newCall(given);
    this.#lines.replaceChildren();
    this.#offer([]);
    this.#rating.hidden = true;
    this.#launch.hidden = true;
    this.#panel.hidden = false;
    this.mute(false);
    this.#write();
    this.#say(this.#text('connecting'), false);
    this.#show(true);
    (this.#chat === null ? this.#end : this.#input).focus();
    try {
      await talk.start();
    } catch (error) {
      const { code, message } = error as CallError;
      this.#say(message, true);
      this.#emit('error', { code, message });
      throw error;
    }
  }

  stop(): void {
    this.#talk?.stop();
  }

  /** Sends typed words. */
  send(text: string): void {
    if (text.trim() === '') return;
    this.#offer([]);
    this.#talk?.send(text);
  }

  mute(isMuted: boolean): void {
    this.#mute.setAttribute('aria-pressed', String(isMuted));
    this.#call?.mute(isMuted);
  }

  /** Rates the last call, 1 to 5. */
  async rate(rating: number, comment: string | null = null): Promise<void> {
    const opened = this.#call?.opened ?? null;
    if (opened === null) return;
    await this.#post(
      `/calling/${opened.call_id}/feedback`,
      { rating, comment },
      { 'x-webcall-token': opened.token },
    );
    this.#rating.hidden = true;
    this.#say(this.#text('thanks'), false);
  }

  /** The last call or chat. */
  get #talk(): WebCall | WebChat | null {
    return this.#chat ?? this.#call;
  }

  /** The session of the page's server, or a call or chat by the public key. */
  #begin(path: string, variables: Record<string, string>, more: object): Promise<unknown> {
    if (this.session === null) return this.#open(path, variables, more);
    return this.session().catch(() => {
      throw new CallError('session_failed', 'The call could not be prepared. Please try again.');
    });
  }

  #newCall(variables: Record<string, string>): WebCall {
    const call: WebCall = new WebCall({
      open: () => this.#begin('/calling/webcall', variables, { media_type: 'audio' }) as Promise<Opened>,
      workletUrl: new URL('worklet.js', SCRIPT_URL).href,
      onState: (state, reason) => {
        if (call === this.#talk) this.#onState(state, reason);
      },
      onLine: (line) => this.#onLine(line),
      onLevel: (level) => {
        this.#level.value = Math.min(1, level * 4);
      },
      onFlush: (ms) => this.#emit('flush', { ms }),
    });
    this.#chat = null;
    this.#call = call;
    return call;
  }

  #newChat(variables: Record<string, string>): WebChat {
    const chat: WebChat = new WebChat({
      open: () => this.#begin('/chat/web', variables, {}) as Promise<OpenedChat>,
      storageKey: `${TAG}:${this.#server}:${this.getAttribute('agent') ?? ''}`,
      onState: (state, reason) => {
        if (chat === this.#talk) this.#onState(state, reason);
      },
      onLine: (line) => {
        this.#onLine(line);
        this.#offer(line.choices);
      },
      onAnswering: (isAnswering) => {
        if (chat.state === 'live') this.#say(this.#text(isAnswering ? 'answering' : 'live'), false);
      },
    });
    this.#call = null;
    this.#chat = chat;
    return chat;
  }

  /** Buttons with likely answers. */
  #offer(choices: readonly string[]): void {
    this.#choices.replaceChildren(
      ...choices.map((choice) => {
        const button = create('button', { type: 'button', textContent: choice });
        button.addEventListener('click', () => {
          this.send(choice);
          this.#input.focus();
        });
        return button;
      }),
    );
    this.#choices.hidden = choices.length === 0;
  }

  get #server(): string {
    return this.getAttribute('server') ?? new URL(SCRIPT_URL).origin;
  }

  get #isTyped(): boolean {
    return this.getAttribute('mode') === 'text';
  }

  /** The attribute `variables`, a JSON object. */
  get #variables(): Record<string, string> {
    try {
      return JSON.parse(this.getAttribute('variables') ?? '{}') as Record<string, string>;
    } catch {
      return {};
    }
  }

  #open(path: string, variables: Record<string, string>, more: object): Promise<unknown> {
    const signed = this.getAttribute('signed-values');
    const body = {
      agent_id: this.getAttribute('agent') ?? '',
      custom_args_values: variables,
      ...(signed === null ? {} : { signed_values: signed }),
      ...more,
    };
    return this.#post(path, body, { 'x-api-key': this.getAttribute('public-key') ?? '' });
  }

  async #post(path: string, body: object, headers: Record<string, string>): Promise<unknown> {
    const response = await fetch(`${this.#server}/api/v0${path}`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }).catch(() => {
      // The browser hides why: a page of an unlisted origin may not read the answer.
      throw new CallError(
        'refused',
        `The call was refused: ${location.origin} is not an allowed domain of this agent, or the service cannot be reached.`,
      );
    });
    const answer = (await response.json()) as { code?: string; message?: string };
    if (response.ok) return answer;
    throw new CallError(answer.code ?? 'refused', answer.message ?? 'The call was refused.');
  }

  #onState(state: CallState, reason: string | null): void {
    if (state === 'live') this.#emit('start', this.#ids);
    if (state !== 'ended') {
      this.#say(this.#text(state), false);
      return;
    }
    this.#say(this.#text('ended'), false);
    this.#show(false);
    this.#offer([]);
    this.#rating.hidden = (this.#call?.opened ?? null) === null;
    this.#launch.textContent = this.#text('again');
    this.#launch.hidden = false;
    this.#launch.focus();
    this.#emit('end', { ...this.#ids, reason });
  }

  get #ids(): object {
    return { call_id: this.#call?.opened?.call_id ?? null, chat_id: this.#chat?.chatId ?? null };
  }

  #onLine(line: Line | ChatLine): void {
    const item = create('p');
    const who = this.#text(line.role === 'caller' ? 'you' : line.role);
    item.append(create('b', { textContent: `${who}: ` }), line.text);
    this.#lines.append(item);
    this.#lines.scrollTop = this.#lines.scrollHeight;
    this.#emit('line', line);
  }

  #show(isLive: boolean): void {
    for (const part of [this.#form, this.#end]) part.hidden = !isLive;
    for (const part of [this.#mute, this.#keypad, this.#level]) part.hidden = !isLive || this.#chat !== null;
    if (!isLive) this.#keys.hidden = true;
  }

  #say(text: string, isError: boolean): void {
    this.#status.textContent = text;
    this.#status.classList.toggle('error', isError);
  }

  #text(name: TextName): string {
    const own = this.getAttribute(name === 'label' || name === 'heading' ? name : `text-${name}`);
    return own ?? (this.#isTyped ? CHAT_TEXTS[name] : undefined) ?? TEXTS[name];
  }

  #write(): void {
    if (this.#talk === null) this.#launch.textContent = this.#text('label');
    this.#heading.textContent = this.#text('heading');
    this.#end.textContent = this.#text('end');
    this.#mute.textContent = this.#text('mute');
    this.#keypad.textContent = this.#text('keypad');
    this.#sendButton.textContent = this.#text('send');
    this.#input.placeholder = this.#text('placeholder');
    this.#input.setAttribute('aria-label', this.#text('placeholder'));
    this.#lines.setAttribute('aria-label', this.#text('heading'));
    this.#level.setAttribute('aria-label', this.#text('mute'));
    this.#rating.setAttribute('aria-label', this.#text('rate'));
    this.#choices.setAttribute('aria-label', this.#text('choices'));
  }

  /** Events bubble out of frames of the page's own elements: `call-start`, `call-line`, `call-end`, `call-error`, `call-flush`. */
  #emit(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(`call-${name}`, { detail, bubbles: true, composed: true }));
  }
}

// Twice on one page: the first script defines the element.
if (customElements.get(TAG) === undefined) customElements.define(TAG, CallwrightCall);
