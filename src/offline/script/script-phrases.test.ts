import { readdirSync, readFileSync } from 'node:fs';
import { Type, type TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import latin from './phrases/hi-Latn.json' with { type: 'json' };
import { SCRIPT_DATA } from './script-phrases.ts';

const Phrase = Type.String({ pattern: String.raw`^\S(?:.*\S)?$` });
const some = Type.Array(Phrase, { minItems: 1, uniqueItems: true });
const any = Type.Array(Phrase, { uniqueItems: true });
const none = Type.Array(Phrase, { maxItems: 0 });
const exactly = (properties: Record<string, TSchema>) =>
  Type.Object(properties, { additionalProperties: false });
const each = (names: string, schema: TSchema): Record<string, TSchema> =>
  Object.fromEntries(names.split(' ').map((name) => [name, schema]));
/** Lines that each have this place. */
const filled = (place: string) =>
  Type.Array(Type.String({ pattern: String.raw`\{${place}\}` }), { minItems: 1, uniqueItems: true });

const SAY = exactly({
  ...each(
    'acknowledge whyDefault whyAsked clarify robot noPerson connecting hold hello welcome notUnderstood cannotAnswer changeWhat anythingElse howHelp goOn askCallback noCallback notInterested optOut wrongPerson goodbye',
    some,
  ),
  greeting: filled('name'),
  who: filled('name'),
  verify: filled('value'),
  readBack: filled('list'),
  callbackNoted: filled('when'),
});
const COMMANDS = exactly({
  ...each('others manner you openers ask tell close agrees declines', some),
  ...each('begins ends duties please pardons drop thenWords', any),
  statements: exactly(each('begin hold end', any)),
  swap: Type.Record(Phrase, Phrase),
});

const KINDS = 'price time place duration contact amount person';
const QUESTIONS = exactly({
  light: some,
  kinds: exactly(each(KINDS, some)),
  shows: exactly(each(KINDS, some)),
  alike: some,
});

function schemaOf(locale: string): TSchema {
  const isEnglish = locale === 'en';
  const listed = isEnglish ? none : some;
  return exactly({
    say: SAY,
    ask: exactly(each('date time number digits name free', Phrase)),
    instructions: exactly(each('ask tell close', listed)),
    slotWords: exactly(each('date time number digits name', listed)),
    conditions: listed,
    otherwise: listed,
    address: Type.Record(Phrase, Type.String()),
    commands: isEnglish ? Type.Null() : COMMANDS,
    questions: QUESTIONS,
  });
}
const LATIN = exactly({
  conditions: some,
  otherwise: some,
  slotWords: exactly(each('date time number digits name', some)),
  slotQuestions: exactly(each('date time number digits name', some)),
  commands: COMMANDS,
  onlyHindi: some,
});
const faultsOf = (schema: TSchema, data: unknown): string[] =>
  Errors(schema, data).map(({ instancePath, message }) => `${instancePath} ${message}`);

const folder = new URL('phrases/', import.meta.url);

describe('phrases of the script brain', () => {
  it.each(Object.entries(SCRIPT_DATA))('have every key of the schema and no other in %s', (locale, data) => {
    expect(faultsOf(schemaOf(locale), data)).toEqual([]);
  });

  it('have every key of the schema and no other in Hindi in Latin letters', () => {
    expect(faultsOf(LATIN, latin)).toEqual([]);
  });

  it('have a file for every written language, and all are read', () => {
    const names = readdirSync(folder).map((file) => file.replace('.json', ''));
    expect(names.toSorted()).toEqual([...Object.keys(SCRIPT_DATA), 'hi-Latn'].toSorted());
  });

  it.each(readdirSync(folder))('stand one to a row in %s, and no key is given twice', (file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  it.each(Object.entries(SCRIPT_DATA))(
    'have two words or more in each row of the same meaning in %s',
    (_, data) => {
      for (const row of data.questions.alike) expect(row).toMatch(/\S, \S/u);
    },
  );

  it('are refused with a missing line and with a line without its place', () => {
    const { robot: _, ...say } = SCRIPT_DATA['hi']!.say;
    const faults = faultsOf(schemaOf('hi'), { ...SCRIPT_DATA['hi'], say: { ...say, who: ['नमस्ते'] } });
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\/say must have required/),
        expect.stringMatching(/^\/say\/who\/0 /),
      ]),
    );
  });
});
