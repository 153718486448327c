import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import { t } from '../words/words.ts';

/** The first link of a page, shown while it has the focus: over the navigation to the content. */
export function SkipLink({ onSkip }: { onSkip?: (event: { preventDefault(): void }) => void }): ReactNode {
  return (
    <a
      href="#content"
      className="absolute -top-20 left-2 z-10 rounded-md bg-accent px-3 py-2 text-on-accent focus:top-2"
      onClick={onSkip}
    >
      {t('Skip to the content')}
    </a>
  );
}

/** The look of the link around the brand; each page brings a link of its own kind. */
export const BRAND_LINK = 'flex items-center gap-2.5 font-semibold text-ink no-underline';

export function Brand(): ReactNode {
  return (
    <>
      <img src="/favicon.svg" alt="" className="size-6" />
      Callwright
    </>
  );
}

/** Opens and closes the navigation, which a small window hides. */
export function MenuButton({ isOpen, onPress }: { isOpen: boolean; onPress: () => void }): ReactNode {
  return (
    <button
      type="button"
      className="flex min-h-control items-center gap-2 rounded-md border border-line px-3 text-sm lg:hidden"
      aria-expanded={isOpen}
      aria-controls="navigation"
      onClick={onPress}
    >
      <Icon name="menu" />
      {t('Menu')}
    </button>
  );
}
