import { useRef, useState, type ReactNode } from 'react';
import type { TestMove } from '../agent/test-state.ts';
import { movesIn } from '../agent-flow/trace.ts';
import { TestCall } from './test-call.tsx';
import { t } from '../../words/words.ts';

/** A call through the microphone of this computer. */
export function VoiceWay({
  agentId,
  versionId,
  state,
  args,
  isShown,
  begins,
  onMoves,
}: {
  agentId: string;
  versionId: string;
  /** Names what is stored of the version: another one is not the one that the call began with. */
  state: string;
  args: Readonly<Record<string, string>>;
  /** The call ends when it is no longer shown. */
  isShown: boolean;
  begins: boolean;
  /** Gets every move through the flow so far. */
  onMoves: (moves: readonly TestMove[]) => void;
}): ReactNode {
  const [begun, setBegun] = useState<string | null>(null);
  // The stream of a call keeps the functions of the render in which it began.
  const moves = useRef<readonly TestMove[]>([]);
  const show = (next: readonly TestMove[]): void => {
    moves.current = next;
    onMoves(next);
  };
  return (
    <div className="flex min-h-0 grow flex-col gap-3">
      {begun === null ? (
        <p className="text-sm text-muted">
          {t('Talk to it through the microphone of this computer. It is charged as a call.')}
        </p>
      ) : begun === state ? null : (
        <p role="status" className="text-sm text-warn">
          {t('This call began before the last change. Call again to test it.')}
        </p>
      )}
      <TestCall
        agentId={agentId}
        versionId={versionId}
        args={args}
        fills
        isShown={isShown}
        begins={begins}
        onBegin={() => {
          setBegun(state);
          show([]);
        }}
        onEvents={(events) => {
          const more = movesIn(events);
          if (more.length > 0) show([...moves.current, ...more]);
        }}
      />
    </div>
  );
}
