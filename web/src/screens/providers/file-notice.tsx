import type { ReactNode } from 'react';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words/words.ts';

/** Before a change of what the provision file declares: the file sets it back. */
export const FileNotice = (): ReactNode => (
  <Notice tone="warn" title={t('The provision file declares this.')}>
    {t('The file sets it back when it is applied again: change it there, too.')}
  </Notice>
);
