import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { ErrorNote, Loading } from '../../ui/page.tsx';
import type { VersionProps } from './types.ts';
import { LlmCard } from './llm-card.tsx';
import { S2sCard } from './s2s-card.tsx';
import { SttCard } from './stt-card.tsx';

/** Who hears and who thinks, if not those of the workspace. */
export function ModelsTab({
  writes,
  ...target
}: VersionProps & {
  /** It hears voice messages at most, and never talks. */
  writes: boolean;
}): ReactNode {
  const read = useRead('getProviders', {});
  if (read.isPending) return <Loading />;
  if (read.isError) return <ErrorNote error={read.error} retry={() => void read.refetch()} />;
  const { available } = read.data.providers;
  return (
    <div className="grid items-start gap-6 @3xl:grid-cols-2">
      <div className="flex flex-col gap-6">
        <SttCard {...target} available={available.stt} />
        {writes ? null : <S2sCard {...target} available={available.s2s} />}
      </div>
      <LlmCard {...target} available={available.llm} />
    </div>
  );
}
