import { t } from '../words/words.ts';

/** A field of a form, as the browser has it. */
type Field = Pick<HTMLInputElement, 'name' | 'value' | 'required' | 'type' | 'minLength'>;

/** What is wrong with a field, in words; undefined: nothing. Pure. */
export function problemOf({ value, required, type, minLength }: Field): string | undefined {
  if (value.trim() === '') return required ? t('Fill this in.') : undefined;
  if (type === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value))
    return t('Write an address such as name@example.com.');
  if (value.length < minLength) return t('Write at least {minLength} characters.', { minLength });
  return undefined;
}

/** The problems of a form by field, in place of the browser's own bubbles; the first field with one gets the focus. */
export function problemsOf(form: HTMLFormElement): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  for (const field of form.querySelectorAll('input')) {
    const problem = problemOf(field);
    if (problem === undefined) continue;
    if (problems.size === 0) field.focus();
    problems.set(field.name, problem);
  }
  return problems;
}
