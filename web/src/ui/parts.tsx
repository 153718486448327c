import { Fragment, type ReactNode } from 'react';
import { t } from '../words/words.ts';
import { Tabs } from './tabs.tsx';
import { useIsSmall } from './use-is-small.ts';

export type Part = readonly [name: string, content: ReactNode];

/** The parts of a long page one below the other; a phone or tablet shows the chosen one. */
export function Parts({ parts }: { parts: readonly Part[] }): ReactNode {
  const isSmall = useIsSmall();
  if (isSmall) return <Tabs label={t('Parts of the page')} tabs={parts} />;
  return parts.map(([name, content]) => <Fragment key={name}>{content}</Fragment>);
}
