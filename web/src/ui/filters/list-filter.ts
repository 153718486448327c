import { LOCALE } from '../../words/language.ts';
import { t } from '../../words/words.ts';
import { formatTime } from '../format.tsx';
import type { Choices } from './choices.tsx';

interface Named<Name extends string> {
  readonly name: Name;
  /** Translated. */
  readonly label: string;
  /** As the address has it; undefined: the filter is not set. */
  readonly value: string | undefined;
}

/** A filter of a list: one of several values, a day, a minute in the reader's zone, or a text. */
export type ListFilter<Name extends string = string> = Named<Name> &
  (
    | { readonly kind: 'choice'; readonly options: Choices }
    | { readonly kind: 'day' | 'minute' }
    | { readonly kind: 'text'; readonly placeholder: string }
  );

const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

/** What a chip says of the filter's value. */
export function wordsOf(filter: ListFilter): string {
  const { value = '' } = filter;
  if (filter.kind === 'choice') return t(filter.options.find(([each]) => each === value)?.[1] ?? value);
  if (filter.kind === 'day') return DAY.format(new Date(value));
  return filter.kind === 'minute' ? formatTime(new Date(value).toISOString()) : value;
}

export const isSet = ({ value }: ListFilter): boolean => value !== undefined && value !== '';
