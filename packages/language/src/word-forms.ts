import { normalPhrase } from './text.ts';

const SPACELESS = /[\p{Script=Han}\p{Script=Myanmar}]/u;

/** A form as the text, with a space at both ends, is searched for it. */
function needle(form: string): string {
  const word = normalPhrase(form.replaceAll('*', ' '));
  if (SPACELESS.test(word)) return word;
  return `${form.startsWith('*') ? '' : ' '}${word}${form.endsWith('*') ? '' : ' '}`;
}
const needles = new Map<string, string>();
function needleOf(form: string): string {
  const known = needles.get(form) ?? needle(form);
  needles.set(form, known);
  return known;
}

/**
 * Forms are words or phrases in `normal` form, and so is the text; a star at an end stands for more letters. Scripts without
 * spaces are searched for them anywhere.
 */
export const holds = (text: string, forms: readonly string[]): boolean =>
  forms.some((form) => ` ${text} `.includes(needleOf(form)));
export const beginsWith = (text: string, forms: readonly string[]): boolean =>
  forms.some((form) => {
    const start = form.startsWith('*') ? `${text} `.indexOf(needleOf(form)) : 0;
    if (form.startsWith('*')) return start >= 0 && !text.slice(0, start).includes(' ');
    return ` ${text} `.startsWith(needleOf(form)) || text.startsWith(needleOf(form));
  });
export const endsWith = (text: string, forms: readonly string[]): boolean =>
  forms.some((form) => ` ${text} `.endsWith(needleOf(form)) || text.endsWith(needleOf(form)));
