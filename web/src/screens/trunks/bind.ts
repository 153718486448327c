import type { ChangeEvent } from 'react';
import type { TrunkValues } from './trunk-values.ts';

type Texts = { [K in keyof TrunkValues as TrunkValues[K] extends string ? K : never]: string };

/** Value and change of the field of a text of the form. */
export type Bind = (key: keyof Texts) => {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void;
};
