import { useEffect, useRef, useState, type ReactNode } from 'react';
import { call as request } from '../../api/client.ts';
import { useWidget, workletUrl } from '../../api/widget.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Listening, type Levels, type ListeningState } from '../../voice/listening.ts';
import { Microphone } from '../../voice/microphone.ts';
import { Meters } from './meters.tsx';

const WORDS: Readonly<Record<ListeningState, string>> = {
  connecting: 'Connecting…',
  live: 'You hear the call: the person on the left, the assistant on the right. They do not hear you.',
  ended: '',
};
const TALKING = 'The person hears you. The assistant is silent, and learns what you both say.';

const messageOf = (error: unknown, otherwise: string): string =>
  error instanceof Error ? error.message : otherwise;

/** Hears a live call, and talks in the assistant's place. The record of the call says who did. */
export function ListenButton({
  callId,
  isTalking,
  onTalking,
}: {
  callId: string;
  isTalking: boolean;
  onTalking: (isTalking: boolean) => void;
}): ReactNode {
  const running = useRef<Listening | null>(null);
  const microphone = useRef<Microphone | null>(null);
  const widget = useWidget();
  const [state, setState] = useState<ListeningState>('ended');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [levels, setLevels] = useState<Levels | null>(null);
  const hush = (): void => {
    microphone.current?.stop();
    microphone.current = null;
    running.current?.hearOwnSide(true);
    onTalking(false);
  };
  useEffect(
    () => () => {
      microphone.current?.stop();
      running.current?.stop();
    },
    [],
  );
  const input = { call_id: callId };
  const start = (): void => {
    setFailure('');
    const listening = new Listening((next) => {
      setState(next);
      if (next !== 'ended') return;
      setLevels(null);
      hush();
    }, setLevels);
    running.current = listening;
    listening
      .start(() => request('listenToCall', input))
      .catch((error: unknown) => setFailure(messageOf(error, 'Listening could not begin.')));
  };
  /** Microphone first: the assistant falls silent when the person can be heard in its place. */
  const talk = async (url: string): Promise<void> => {
    setFailure('');
    setIsBusy(true);
    try {
      let isTaken = false;
      microphone.current = await Microphone.open(url, (pcm) => {
        if (isTaken) running.current?.send(pcm);
      });
      await request('controlCall', { ...input, operation: 'take_over' });
      isTaken = true;
      running.current?.hearOwnSide(false);
      onTalking(true);
    } catch (error) {
      hush();
      setFailure(messageOf(error, 'Talking could not begin.'));
    } finally {
      setIsBusy(false);
    }
  };
  const handBack = (): void => {
    hush();
    request('controlCall', { ...input, operation: 'hand_back' }).catch((error: unknown) =>
      setFailure(messageOf(error, 'The call could not be handed back.')),
    );
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {state === 'ended' ? (
        <Button onClick={start}>Listen</Button>
      ) : (
        <Button onClick={() => running.current?.stop()}>Stop listening</Button>
      )}
      {state !== 'live' ? null : isTalking ? (
        <Button look="primary" onClick={handBack}>
          Hand back to the assistant
        </Button>
      ) : (
        <Button
          look="primary"
          busy={isBusy}
          disabled={widget === null}
          onClick={() => (widget === null ? undefined : void talk(workletUrl(widget)))}
        >
          Talk
        </Button>
      )}
      <CopyCurl operation="listenToCall" input={input} of="listening to this call" />
      <span role="status" className={failure === '' ? 'text-sm text-muted' : 'text-bad'}>
        {failure || (isTalking ? TALKING : WORDS[state]) || 'The record of the call shows who listened.'}
      </span>
      {levels === null ? null : <Meters levels={levels} />}
    </div>
  );
}
