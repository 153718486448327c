import type { ReactNode } from 'react';

/** The frame of the screens before the sign-in. */
export function Entrance({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <main className="flex min-h-screen flex-col items-center px-4 py-[12vh]">
      <title>{`${title} · Callwright`}</title>
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <img src="/favicon.svg" alt="" className="size-9" />
          <span className="text-lg font-semibold">Callwright</span>
        </div>
        <div className="rounded-lg border border-line bg-surface p-6">
          <h1 className="mb-5 text-xl font-semibold tracking-tight">{title}</h1>
          {children}
        </div>
      </div>
    </main>
  );
}
