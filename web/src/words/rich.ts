import { Fragment, createElement, type ReactNode } from 'react';
import { t } from './words.ts';

/** A text in the chosen language whose values are elements; a name without a value stays. */
export const rich = (english: string, values: Readonly<Record<string, ReactNode>>): ReactNode =>
  t(english)
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      createElement(
        Fragment,
        { key: index },
        // A value of null is an element that is not there.
        index % 2 === 0 ? part : values[part] === undefined ? `{${part}}` : values[part],
      ),
    );
