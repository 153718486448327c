import { createElement, type ReactNode } from 'react';
import { ICONS, type IconName } from './icon-shapes.ts';

/** A decoration beside words, in the colour of the text. 16 pixels; `isLarge`: 18, for tiles. */
export function Icon({ name, isLarge = false }: { name: IconName; isLarge?: boolean }): ReactNode {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`${isLarge ? 'size-4.5' : 'size-4'} shrink-0`}
    >
      {ICONS[name].map(([tag, attributes], index) =>
        // The shapes of an icon never change their order.
        createElement(tag, { key: index, ...attributes }),
      )}
    </svg>
  );
}
