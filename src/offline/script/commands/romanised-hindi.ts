import { type PhraseTable, type ScriptPhrases, normal } from '@callwright/language';
import type { CommandForms } from './command-forms.ts';

const list = (words: string): string[] => words.split(',').map((word) => word.trim());

/** Hindi in Latin letters, mixed with English nouns, as many scripts of Hindi agents are written. */
export const romanisedHindiCommands: CommandForms = {
  others: list(
    'grahak*, customer*, caller*, user*, mareez*, mariz*, patient*, client*, samne wale*, saamne wale*, unse, unhe, unhein, unhen, unko, unka, unki, unke, unhone, agent*, bot, poochein ki, puchein ki, batayein ki, kahein ki',
  ),
  manner: list(
    'script*, baatcheet*, lehja*, tone, vinamra*, vinamrata*, polite*, sahanubhuti*, dhyan se, vakya*, jawab ka intezar*, jawab ka intezaar*, jawab ki pratiksha*, aapka kaam, aapka lakshya, aapki bhumika',
  ),
  you: list('aap, aapka, aapki, aapke, aapko, aapse, aapne, apka, apki, apke, apko'),
  begins: list(
    'poochein, puchein, poochen, puchen, pooche, puche, batayein, bataye, batayen, kahein, boliye, samjhayein',
  ),
  ends: list(
    '*ein, *iye, *iyega, *jiye, *yen, karen, rahen, den, len, karo, bolo, dena, lena, karna, rakhna, mat',
  ),
  duties: list('*na hai, *ni hai, *na chahiye, *ni chahiye, *na hoga'),
  please: list('kripya, please'),
  statements: {
    end: list(
      'hai, hain, hoon, hun, hu, tha, thi, the, hoga, hogi, honge, *ega, *egi, *enge, *ungi, *unga, *oonga, *oongi, *ayenge, gaya, gayi, gaye, nahi, nahin',
    ),
  },
  openers: list(
    'namaste*, namaskar*, dhanyavad*, dhanyawad*, shukriya*, bahut*, accha*, achha*, theek hai*, thik hai*, ji*, haan*, badhiya*, badhai*',
  ),
  pardons: list('maaf kijiye*, maaf kijiyega*, kshama kijiye*, maaf karna*'),
  ask: list('poochein, puchein, poochen, puchen, pooche, puche, puchho, pucho, pata karein'),
  tell: list(
    'batayein, batayen, bataye, bata dein, bata den, kahein, samjhayein, samjhaayein, yaad dilayein',
  ),
  close: list(
    'call samapt*, call khatam*, call khatm*, call band*, call end*, call cut*, phone rakh*, alvida*, dhanyavad kah*, dhanyavad de*',
  ),
  drop: list('unhe, unhein, unse, unko, grahak ko, grahak se, customer ko, customer se, patient ko, ki'),
  swap: [
    ['unka', 'aapka'],
    ['unki', 'aapki'],
    ['unke', 'aapke'],
  ],
  thenWords: list('to, toh'),
  agrees: list('sahmat, raazi, razi, taiyar, tayyar, tayar, interested'),
  declines: list('mana, inkaar, inkar, not interested'),
};

/** The table's words for reading scripts, in Latin letters. */
export const romanisedHindi = ({ script }: PhraseTable): ScriptPhrases => ({
  ...script,
  instructions: { ask: [], tell: [], close: [] },
  conditions: list('agar, yadi, to, toh'),
  otherwise: list('nahi to, nahin to, warna, varna, anyatha'),
  slotWords: {
    date: list('din, tareekh, tarikh, kab'),
    time: list('samay, baje, time'),
    number: list('kitne, kitna, kitni, sankhya, rating'),
    digits: list('number, mobile'),
    name: list('naam, shubh naam'),
  },
  slotQuestions: {
    date: list('kaun sa din, kis din, kaunsa din, kaun si tareekh, kab'),
    time: list('kitne baje, kis samay, kaun sa samay'),
    number: list('kitne, kitna, kitni'),
    digits: list('number kya, number bata'),
    name: list('naam kya, shubh naam, naam bata'),
  },
});

/** Words that only Hindi has; two of them make a line Hindi. */
const HINDI = new Set(
  list(
    'hai, hain, hoon, ki, ka, ke, ko, se, mein, par, aur, nahi, nahin, kya, aap, aapka, aapki, aapke, aapko, unka, unki, unke, unse, unhe, unhein, agar, yadi, toh, main, hum, hamari, hamara, hamare, karein, karen, kijiye, poochein, puchein, batayein, kahein, dein, lein, sunein, bolein, rakhein, kar, raha, rahi, rahe, gaya, gayi, jayega, hoga, kal, aaj, liye, baad, kabhi, na, samjhayein',
  ),
);
const LEAST = 2;

export const isRomanisedHindi = (sentence: string): boolean =>
  normal(sentence)
    .split(' ')
    .filter((word) => HINDI.has(word)).length >= LEAST;
