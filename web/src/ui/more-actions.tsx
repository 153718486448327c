import type { ReactNode } from 'react';
import { t } from '../words/words.ts';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import { useIsPhone } from './use-is-phone.ts';

/**
 * The further actions of a page: beside the others, on a phone in a menu, so that its header stays on one line. An action
 * that opens a dialog elsewhere closes the menu first; one that holds its dialog leaves it open.
 */
export function MoreActions({ children }: { children: (close: () => void) => ReactNode }): ReactNode {
  const isPhone = useIsPhone();
  if (!isPhone) return children(() => undefined);
  return (
    <Menu label={<Icon name="ellipsis" />} name={t('More actions')} corner="bottom-right">
      {children}
    </Menu>
  );
}
