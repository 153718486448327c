import type { PhraseTable } from './phrases/phrase-table.ts';
import { words } from './text.ts';

const dictionary = (lines: string): ReadonlyMap<string, string> =>
  new Map(
    lines
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [native = '', ...spellings] = line.trim().split(' ');
        return spellings.map((spelling) => [spelling, native] as const);
      }),
  );

/** Hindi words of numbers, days and times, with the ways in which people and recognisers write them in Latin letters. */
const HINDI = dictionary(`
  शून्य shunya zero
  एक ek
  दो do
  तीन teen tin
  चार char chaar
  पाँच paanch panch
  छह chhe che chhah
  सात saat sat
  आठ aath aat
  नौ nau
  दस das dus
  ग्यारह gyarah gyara
  बारह barah bara baarah
  तेरह terah tera
  चौदह chaudah chauda
  पंद्रह pandrah pandra
  सोलह solah sola
  सत्रह satrah satra
  अठारह atharah athara
  उन्नीस unnis
  बीस bees bis
  पच्चीस pachees pachis pacchis
  तीस tees tis
  चालीस chalis chaalis
  पचास pachas pachaas
  साठ saath
  सत्तर sattar
  अस्सी assi
  नब्बे nabbe
  सौ sau
  बजे baje
  आज aaj aj
  कल kal
  परसों parson parso
  सुबह subah subha
  दोपहर dopahar dopahr dopeher
  शाम shaam sham
  रात raat rat
  को ko
  में mein me
  बाद baad bad
  घंटे ghante ghanta ghantey
  मिनट minat minute
  सोमवार somvar somvaar
  मंगलवार mangalvar mangalvaar mangal
  बुधवार budhvar budhvaar budh
  गुरुवार guruvar guruvaar brihaspativar
  शुक्रवार shukravar shukravaar shukrvar
  शनिवार shanivar shanivaar
  रविवार ravivar ravivaar itvaar itwar
`);

/** Words around them that show a line to be Hindi. */
const HINDI_AROUND = new Set(
  'haan han ji hai hain aap mujhe mera meri karo karna kijiye karein call theek thik ke ka ki tak se log din wala wali accha achha sirf bas aur lagbhag'.split(
    ' ',
  ),
);

/**
 * A line of romanised Hindi with its number, day and time words in Devanagari ("kal do baje" → "कल दो बजे"). Lines in which
 * other words prevail stay as they are: English has "do", "no" and "me" too.
 */
export function inNativeScript(text: string, { locale }: PhraseTable): string {
  if (locale !== 'hi' || !/[a-z]/i.test(text)) return text;
  const tokens = words(text);
  const latin = tokens.filter((token) => /^[a-z]+$/.test(token));
  const known = latin.filter((token) => HINDI.has(token));
  const around = latin.filter((token) => HINDI_AROUND.has(token) && !HINDI.has(token));
  // A single "no" or "me" is English.
  if (known.length === 0 || (known.length === 1 && /^(?:me|bad|rat|sat|bara|sham)$/.test(known[0] ?? '')))
    return text;
  if ((known.length + around.length) * 2 <= latin.length) return text;
  return tokens.map((token) => HINDI.get(token) ?? token).join(' ');
}
