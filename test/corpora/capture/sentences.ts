import languages from './languages.json' with { type: 'json' };

/** What people say of one language: lists with `|`, or blanks between words; `%` is filled. Written apart from the service. */
interface Speech {
  readonly yes: string;
  readonly no: string;
  readonly digits: string;
  /** `words=value`, with a blank or a new word between. */
  readonly numbers: string;
  readonly weekdays: string;
  readonly months: string;
  /** `words=days from now`. */
  readonly days: string;
  readonly dates: string;
  readonly dayFrames: string;
  /** `%h` is the hour: `am`: 8 to 11, `pm`: 1 to 4, `eve`: 5 to 7 in the evening. */
  readonly times: string;
  readonly both: string;
  readonly valueFrames: string;
  readonly countFrames: string;
  readonly moneyFrames: string;
  readonly names: string;
  readonly nameFrames: string;
  readonly addresses: string;
  readonly addressFrames: string;
  readonly free: string;
  readonly choices: string;
  readonly choiceFrames: string;
  readonly emailFrames: string;
  readonly at: string;
  readonly dot: string;
}
export interface Sentence {
  readonly text: string;
  readonly value: string | number | boolean;
  /** The values of a choice. */
  readonly values?: readonly string[];
  /** How many digits the question wants. */
  readonly digits?: number;
}
export const SPEECH: Readonly<Record<string, Speech>> = languages;

const DAY_MS = 86_400_000;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const HOURS = { am: [8, 11, 0], pm: [1, 4, 12], eve: [5, 7, 12] } as const;
/** Phone numbers of the country, with `#` for any digit, and how they become E.164. */
const PHONES: Readonly<Record<string, readonly [pattern: string, code: string, dropped: number]>> = {
  US: ['415555####', '+1', 0],
  IN: ['98########', '+91', 0],
  MY: ['0123######', '+60', 1],
  CN: ['138########', '+86', 0],
  MM: ['097########', '+95', 1],
  AE: ['050#######', '+971', 1],
};
const POSTCODES: Readonly<Record<string, number>> = { US: 5, IN: 6, MY: 5, CN: 6, MM: 5, AE: 5 };

/** Sentences of one language. The same seed makes the same ones. */
export class Speaker {
  readonly #speech: Speech;
  readonly #region: string;
  readonly #now: number;
  #state: number;

  /** `now`: epoch ms, the day that "today" is. */
  constructor(language: string, now: number, seed: number) {
    this.#speech = SPEECH[language]!;
    this.#region = language.slice(-2);
    this.#now = now;
    this.#state = seed;
  }

  #random(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }
  #whole(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }
  #pick<T>(list: readonly T[]): T {
    return list[this.#whole(0, list.length - 1)]!;
  }
  #of(list: string): string {
    return this.#pick(list.split('|'));
  }
  #framed(frames: string, text: string): string {
    return this.#of(frames).replace('%', () => text);
  }
  #entry(list: readonly string[]): readonly [text: string, value: string] {
    const [text = '', value = ''] = this.#pick(list).split('=');
    return [text, value];
  }
  #digits(pattern: string): string {
    return pattern.replaceAll('#', () => String(this.#whole(0, 9)));
  }
  /** Digits one by one in words, or written. */
  #said(digits: string): string {
    if (this.#random() < 0.35) return digits;
    const words = this.#speech.digits.split(' ');
    return digits
      .split('')
      .map((digit) => words[Number(digit)]!)
      .join(' ');
  }
  #date(ahead: number): string {
    return new Date(this.#now + ahead * DAY_MS).toISOString().slice(0, 10);
  }
  #digitsFramed(value: string): Sentence {
    return { text: this.#framed(this.#speech.valueFrames, this.#said(value)), value };
  }

  /** One sentence in ten names another value first and takes it back: "Monday, no, Tuesday". */
  #corrected(say: () => Sentence): Sentence {
    const kept = say();
    if (this.#random() >= 0.1) return kept;
    const [no = ''] = this.#speech.no.split('|');
    return { ...kept, text: `${say().text}, ${no}, ${kept.text}` };
  }

  yesNo(): Sentence {
    const value = this.#random() < 0.5;
    return { text: this.#of(value ? this.#speech.yes : this.#speech.no) + this.#pick(['', '.', '!']), value };
  }
  choice(): Sentence {
    return this.#corrected(() => this.#choiceOnce());
  }
  #choiceOnce(): Sentence {
    const values = this.#speech.choices.split(' ');
    const value = this.#pick(values);
    return { text: this.#framed(this.#speech.choiceFrames, value), value, values };
  }
  digits(): Sentence {
    const value = this.#digits('#'.repeat(this.#whole(4, 8)));
    return { ...this.#digitsFramed(value), digits: value.length };
  }
  account(): Sentence {
    return this.#digitsFramed(this.#digits('#'.repeat(this.#whole(6, 12))));
  }
  card(): Sentence {
    const digits = this.#digits(`4${'#'.repeat(14)}`);
    const sum = digits
      .split('')
      .map((digit, at) => Number(digit) * (at % 2 === 0 ? 2 : 1))
      .reduce((total, each) => total + (each > 9 ? each - 9 : each), 0);
    return this.#digitsFramed(digits + String((10 - (sum % 10)) % 10));
  }
  phone(): Sentence {
    const [pattern, code, dropped] = PHONES[this.#region]!;
    const number = this.#digits(pattern);
    return { ...this.#digitsFramed(number), value: code + number.slice(dropped) };
  }
  postcode(): Sentence {
    const length = POSTCODES[this.#region]!;
    return this.#digitsFramed(String(this.#whole(1, 9)) + this.#digits('#'.repeat(length - 1)));
  }
  number(): Sentence {
    return this.#corrected(() => this.#numberOnce());
  }
  #numberOnce(): Sentence {
    const isWritten = this.#random() < 0.4;
    const written = String(this.#whole(0, 9_999));
    const [words, value] = isWritten ? [written, written] : this.#entry(this.#numbers());
    return { text: this.#framed(this.#speech.countFrames, words), value: Number(value) };
  }
  money(): Sentence {
    return this.#corrected(() => this.#moneyOnce());
  }
  #moneyOnce(): Sentence {
    const isWritten = this.#random() < 0.6;
    const written = String(this.#whole(1, 20_000));
    const [words, value] = isWritten ? [written, written] : this.#entry(this.#numbers());
    const frames = isWritten ? this.#speech.moneyFrames : this.#worded(this.#speech.moneyFrames);
    return { text: this.#framed(frames, words), value: Number(value) };
  }
  /** A sign of a currency stands before digits alone. */
  #worded(frames: string): string {
    return frames
      .split('|')
      .filter((frame) => !/(?:[$₹¥]|RM)%/u.test(frame))
      .join('|');
  }
  #numbers(): string[] {
    return this.#speech.numbers.match(/[^=]+=\d+/gu)!.map((entry) => entry.trim());
  }
  #day(): readonly [text: string, value: string] {
    const way = this.#whole(0, 2);
    if (way === 0) {
      const ahead = this.#whole(1, 7);
      const weekday = new Date(this.#now + ahead * DAY_MS).getUTCDay();
      return [this.#speech.weekdays.split(' ')[weekday]!, this.#date(ahead)];
    }
    if (way === 1) {
      const [text, ahead] = this.#entry(this.#speech.days.split('|'));
      return [text, this.#date(Number(ahead))];
    }
    const month = this.#whole(0, 11);
    const day = this.#whole(1, MONTH_LENGTHS[month]!);
    const year = new Date(this.#now).getUTCFullYear();
    const isPast = Date.UTC(year, month, day, 23) < this.#now;
    const at = Date.UTC(isPast ? year + 1 : year, month, day);
    const text = this.#of(this.#speech.dates)
      .replace('%d', String(day))
      .replace('%m', this.#speech.months.split(' ')[month]!);
    return [text, new Date(at).toISOString().slice(0, 10)];
  }
  date(): Sentence {
    return this.#corrected(() => this.#dateOnce());
  }
  #dateOnce(): Sentence {
    const [day, value] = this.#day();
    return { text: this.#framed(this.#speech.dayFrames, day), value };
  }
  #hour(): readonly [text: string, value: string] {
    const [frame, part] = this.#entry(this.#speech.times.split('|'));
    const [from, to, plus] = HOURS[part as keyof typeof HOURS];
    const hour = this.#whole(from, to);
    const words = this.#speech.digits.split(' ');
    const said = hour < 10 && this.#random() < 0.4 ? words[hour]! : String(hour);
    return [frame.replace('%h', said), `${String(hour + plus).padStart(2, '0')}:00`];
  }
  time(): Sentence {
    return this.#corrected(() => this.#timeOnce());
  }
  #timeOnce(): Sentence {
    if (this.#random() < 0.2) {
      const value = `${String(this.#whole(8, 22)).padStart(2, '0')}:${this.#pick(['00', '15', '30', '45'])}`;
      return { text: value, value };
    }
    const [text, value] = this.#hour();
    return { text, value };
  }
  dateTime(): Sentence {
    return this.#corrected(() => this.#dateTimeOnce());
  }
  #dateTimeOnce(): Sentence {
    const [[day, date], [time, hour]] = [this.#day(), this.#hour()];
    return {
      text: this.#of(this.#speech.both).replace('%d', day).replace('%t', time),
      value: `${date}T${hour}`,
    };
  }
  name(): Sentence {
    const value = this.#of(this.#speech.names);
    return { text: this.#framed(this.#speech.nameFrames, value), value };
  }
  address(): Sentence {
    const value = this.#of(this.#speech.addresses);
    return { text: this.#framed(this.#speech.addressFrames, value), value };
  }
  free(): Sentence {
    const value = `${this.#of(this.#speech.free)}${this.#pick(['', ' 2', ' 3', ' 4'])}`;
    return { text: value, value };
  }
  spelled(): Sentence {
    const value = this.#pick(['SMITH', 'LOPEZ', 'KUMAR', 'WOOD', 'BAKER', 'SINGH', 'LEE', 'PATEL']);
    return { text: value.split('').join(this.#pick([' ', ', ', '-', '. '])), value };
  }
  email(): Sentence {
    const [first, last] = [this.#pick(['ravi', 'ann', 'mina', 'lee']), this.#pick(['kumar', 'wood', 'tan'])];
    const host = this.#pick(['gmail.com', 'example.org', 'mail.co.in']);
    const { at, dot } = this.#speech;
    const value = `${first}.${last}@${host}`;
    const spoken = `${first} ${dot} ${last} ${at} ${host.replaceAll('.', ` ${dot} `)}`;
    return { text: this.#framed(this.#speech.emailFrames, this.#random() < 0.4 ? value : spoken), value };
  }
}
