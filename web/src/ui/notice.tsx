import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** Something that stopped and needs the reader (`warn`), or is broken (`bad`), with what to do at its end. */
export function Notice({
  tone,
  title,
  action,
  children,
}: {
  tone: 'warn' | 'bad';
  title: string;
  action?: ReactNode;
  children?: ReactNode;
}): ReactNode {
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-4 py-2.5 text-sm ${tone === 'bad' ? 'bg-bad-tint text-bad' : 'bg-warn-tint text-warn'}`}
    >
      <Icon name="bell" />
      <span className="min-w-0 grow">
        <b className="font-semibold">{title}</b> {children}
      </span>
      {action}
    </div>
  );
}
