import type { ReactNode } from 'react';
import { t } from '../words/words.ts';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';

/**
 * The further actions of a page in a menu, so that its header has one or two buttons. An action that opens a dialog elsewhere
 * closes the menu first; one that holds its dialog leaves it open.
 */
export const MoreActions = ({ children }: { children: (close: () => void) => ReactNode }): ReactNode => (
  <Menu label={<Icon name="ellipsis" />} name={t('More actions')} corner="bottom-right">
    {children}
  </Menu>
);
