import { useRef, useState, type ReactNode } from 'react';
import { t } from '../../words/words.ts';
import type { VersionProps } from '../agent/types.ts';
import { TestCall } from '../playground/test-call.tsx';
import type { FlowDocument } from './flow-document.ts';
import { MovesList } from './moves-list.tsx';
import type { Row } from './outline-rows.ts';
import { movesIn, reached, type Move } from './trace.ts';

/** A call in the browser with the stored version. `onLit` gets the step that it has reached, as it goes. */
export function VoicePanel({
  target,
  flow,
  isChanged,
  onLit,
  onRow,
}: {
  target: VersionProps;
  flow: FlowDocument;
  /** The flow on the screen is not stored yet. */
  isChanged: boolean;
  onLit: (id: string | null) => void;
  onRow: (row: Row) => void;
}): ReactNode {
  const [moves, setMoves] = useState<readonly Move[]>([]);
  // The stream of a call keeps the functions of the render in which it began.
  const all = useRef<readonly Move[]>([]);
  const show = (next: readonly Move[]): void => {
    all.current = next;
    setMoves(next);
    onLit(reached(flow, next));
  };
  return (
    <section aria-label={t('Test by voice')} className="flex flex-col gap-3">
      {isChanged ? (
        <p className="text-sm text-muted">
          {t('The test follows the stored flow: save to try the changes.')}
        </p>
      ) : null}
      <p className="text-sm text-muted">
        {t('Talk to it through the microphone of this computer. It is charged as a call.')}
      </p>
      <TestCall
        agentId={target.agentId}
        versionId={target.version.version_id}
        onBegin={() => show([])}
        onEvents={(events) => {
          const more = movesIn(events);
          if (more.length > 0) show([...all.current, ...more]);
        }}
      />
      <MovesList flow={flow} moves={moves} at={moves.length} onRow={onRow} />
    </section>
  );
}
