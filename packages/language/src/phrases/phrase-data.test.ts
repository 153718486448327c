import { readFileSync } from 'node:fs';
import { Type, type TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { PHRASE_DATA } from './phrase-data.ts';

const Phrase = Type.String({ pattern: String.raw`^\S(?:.*\S)?$` });
const someOf = (row: TSchema) => Type.Array(row, { minItems: 1, uniqueItems: true });
const anyOf = (row: TSchema) => Type.Array(row, { uniqueItems: true });
const noneOf = (row: TSchema) => Type.Array(row, { maxItems: 0 });
const exactly = (properties: Record<string, TSchema>) =>
  Type.Object(properties, { additionalProperties: false });
const each = (names: readonly string[], schema: TSchema) =>
  exactly(Object.fromEntries(names.map((name) => [name, schema])));
/** A template with these places. */
const template = (...places: string[]) =>
  Type.Intersect(places.map((place) => Type.String({ pattern: String.raw`\{${place}\}` })));

const SAYS = [
  'idleCheckIn',
  'idleGoodbye',
  'maxLengthGoodbye',
  'apology',
  'technicalGoodbye',
  'didNotCatch',
  'oneMoment',
];
const HEARD = ['backchannels', 'farewells', 'greetings', 'shortAnswers', 'waits', 'refusals'];
const INTENTS = [
  'stop_calling',
  'goodbye',
  'robot',
  'who',
  'why',
  'why_asked',
  'human',
  'repeat',
  'hold',
  'later',
  'not_interested',
  'wrong_person',
  'thanks',
  'hello',
  'what',
];
const SLOTS = ['date', 'time', 'number', 'digits', 'name'];
const PARTS = ['morning', 'noon', 'afternoon', 'evening', 'night'];
const CURRENCIES = ['INR', 'USD', 'GBP', 'EUR', 'AUD', 'AED', 'MYR', 'CNY', 'MMK'];

/** English is read by rules where other languages have lists, so it has none of them. */
function schemaOf(locale: string): TSchema {
  const isEnglish = locale === 'en';
  const listed = isEnglish ? noneOf(Phrase) : someOf(Phrase);
  const numbers = Type.Record(
    Phrase,
    Type.Integer({ minimum: 0 }),
    isEnglish ? { maxProperties: 0 } : { minProperties: 10 },
  );
  return exactly({
    locale: Type.Literal(locale),
    says: exactly({
      ...each(SAYS, Phrase).properties,
      otherMoments: Type.Array(Phrase, { minItems: 2, uniqueItems: true }),
    }),
    keypad: exactly({
      ...Object.fromEntries(
        ['keypadOnly', 'pressYesNo', 'pressDay', 'pressHour', 'pressNumber'].map((name) => [name, Phrase]),
      ),
      pressChoice: template('digit', 'choice'),
    }),
    ...Object.fromEntries(HEARD.map((name) => [name, someOf(Phrase)])),
    yes: someOf(Phrase),
    no: someOf(Phrase),
    unsure: someOf(Phrase),
    intents: isEnglish ? exactly({}) : each(INTENTS, someOf(Phrase)),
    questionWords: someOf(Phrase),
    openQuestions: exactly({
      open: listed,
      inside: anyOf(Phrase),
      first: anyOf(Phrase),
      closed: anyOf(Phrase),
    }),
    slotQuestions: each(SLOTS, listed),
    numbers,
    time: exactly({
      today: someOf(Phrase),
      tomorrow: someOf(Phrase),
      dayAfterTomorrow: someOf(Phrase),
      partNames: someOf(Phrase),
      partStems: isEnglish
        ? exactly({})
        : Type.Partial(each(PARTS, someOf(Phrase)), { additionalProperties: false, minProperties: 4 }),
      fromNow: each(['after', 'hour', 'minute'], listed),
    }),
    machines: exactly({
      ...each(
        ['screening', 'voicemail', 'menu', 'hold', 'transfer', 'waiting'],
        someOf(Type.String({ minLength: 1 })),
      ).properties,
      full: anyOf(Type.String({ minLength: 1 })),
    }),
    voicemailUnlessPerson: anyOf(Type.String({ minLength: 1 })),
    exchange: anyOf(Type.String({ minLength: 1 })),
    people: Type.Array(someOf(Type.String({ minLength: 1 })), { minItems: 1 }),
    spoken: exactly({
      scales: Type.Record(Phrase, Type.Integer({ minimum: 1_000 }), { minProperties: 2 }),
      gap: Type.Union([Type.Literal(''), Type.Literal(' ')]),
      point: Phrase,
      percent: Phrase,
      and: Type.Union([Type.Literal(''), Phrase]),
      currencies: each(
        CURRENCIES,
        exactly({
          unit: Type.Array(Phrase, { minItems: 1, maxItems: 2 }),
          part: Type.Array(Phrase, { maxItems: 2 }),
        }),
      ),
      clock: exactly({ hour: template('h', 'part'), minute: template('h', 'm', 'part') }),
      parts: each(['morning', 'afternoon', 'evening', 'night'], Phrase),
      date: exactly({ full: template('d', 'month', 'y'), short: template('d', 'month') }),
    }),
  });
}

describe.each(Object.entries(PHRASE_DATA))('the phrases of %s', (locale, data) => {
  it('have every key of the schema and no other', () => {
    const faults = Errors(schemaOf(locale), data).map(
      ({ instancePath, message }) => `${instancePath} ${message}`,
    );
    expect(faults).toEqual([]);
  });

  it('stand one to a row, and no key is given twice', () => {
    const text = readFileSync(new URL(`${locale}.json`, import.meta.url), 'utf8');
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  it('name scales from the largest to the smallest', () => {
    const values = Object.values<number>(data.spoken.scales);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
  });

  it('have patterns that are complete in every row', () => {
    const { machines, voicemailUnlessPerson, exchange, people, time } = data;
    const rows = [
      ...Object.values(machines),
      voicemailUnlessPerson,
      exchange,
      ...people,
      ...Object.values(time.fromNow),
    ].flat();
    for (const row of rows) expect(() => new RegExp(row, 'u')).not.toThrow();
  });
});

describe('the schema', () => {
  it('refuses a missing list, an unknown key, a repeated row and a row with a blank at its end', () => {
    const { waits: _, ...rest } = PHRASE_DATA.hi;
    const broken = { ...rest, yes: ['हाँ', 'हाँ'], no: ['नहीं '], extra: [] };
    const paths = Errors(schemaOf('hi'), broken).map(
      ({ instancePath, keyword }) => `${instancePath} ${keyword}`,
    );
    expect(paths).toEqual(
      expect.arrayContaining([' required', ' additionalProperties', '/yes uniqueItems', '/no/0 pattern']),
    );
  });
});
