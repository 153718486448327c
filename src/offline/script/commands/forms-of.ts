import { bengaliCommands, burmeseCommands, chineseCommands, odiaCommands } from './eastern.ts';
import { gujaratiCommands, hindiCommands, marathiCommands, punjabiCommands } from './indic.ts';
import { arabicCommands, kannadaCommands, malayCommands, tamilCommands, teluguCommands } from './others.ts';
import type { CommandForms } from './command-forms.ts';

/** By the `locale` of the phrase tables. English scripts are read by rules. */
const FORMS: Readonly<Record<string, CommandForms>> = {
  hi: hindiCommands,
  mr: marathiCommands,
  gu: gujaratiCommands,
  pa: punjabiCommands,
  bn: bengaliCommands,
  or: odiaCommands,
  ta: tamilCommands,
  te: teluguCommands,
  kn: kannadaCommands,
  ms: malayCommands,
  zh: chineseCommands,
  my: burmeseCommands,
  ar: arabicCommands,
};

/** Null: English. */
export const commandFormsOf = (locale: string): CommandForms | null => FORMS[locale] ?? null;
