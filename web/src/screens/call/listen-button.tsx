import { useEffect, useRef, useState, type ReactNode } from 'react';
import { call as request } from '../../api/client.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Listening, type Levels, type ListeningState } from '../../voice/listening.ts';
import { Meters } from './meters.tsx';

const WORDS: Readonly<Record<ListeningState, string>> = {
  connecting: 'Connecting…',
  live: 'You hear the call: the person on the left, the assistant on the right. They do not hear you.',
  ended: '',
};

/** Hears a live call. The record of the call says who listened. */
export function ListenButton({ callId }: { callId: string }): ReactNode {
  const running = useRef<Listening | null>(null);
  const [state, setState] = useState<ListeningState>('ended');
  const [failure, setFailure] = useState('');
  const [levels, setLevels] = useState<Levels | null>(null);
  useEffect(() => () => running.current?.stop(), []);
  const input = { call_id: callId };
  const start = (): void => {
    setFailure('');
    const listening = new Listening((next) => {
      setState(next);
      if (next === 'ended') setLevels(null);
    }, setLevels);
    running.current = listening;
    listening
      .start(() => request('listenToCall', input))
      .catch((error: unknown) =>
        setFailure(error instanceof Error ? error.message : 'Listening could not begin.'),
      );
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {state === 'ended' ? (
        <Button onClick={start}>Listen</Button>
      ) : (
        <Button onClick={() => running.current?.stop()}>Stop listening</Button>
      )}
      <CopyCurl operation="listenToCall" input={input} of="listening to this call" />
      <span role="status" className={failure === '' ? 'text-sm text-muted' : 'text-bad'}>
        {failure || WORDS[state] || 'The record of the call shows who listened.'}
      </span>
      {levels === null ? null : <Meters levels={levels} />}
    </div>
  );
}
