import type { ReactNode } from 'react';
import { Spark } from '../../ui/chart/spark.tsx';

/** Figures side by side in one frame. */
export const FigureStrip = ({ children }: { children: ReactNode }): ReactNode => (
  <div className="grid grid-cols-2 overflow-hidden rounded-lg border border-line bg-line gap-px xl:grid-cols-4">
    {children}
  </div>
);

/** A figure, its course, and a line about it. `title`: how it is computed. */
export function Figure({
  name,
  title,
  value,
  course = [],
  children,
}: {
  name: string;
  title?: string;
  value: ReactNode;
  course?: readonly number[];
  children?: ReactNode;
}): ReactNode {
  return (
    <div title={title} className="flex items-start justify-between gap-2 bg-surface px-4 py-4">
      <div className="min-w-0">
        <h2 className="text-xs text-muted">{name}</h2>
        <p className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
        <div className="mt-0.5 text-xs text-muted">{children}</div>
      </div>
      <span className="self-end max-sm:hidden">
        <Spark values={course} />
      </span>
    </div>
  );
}
