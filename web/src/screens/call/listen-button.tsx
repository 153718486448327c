import { useEffect, useRef, useState, type ReactNode } from 'react';
import { call as request } from '../../api/client.ts';
import { useWidget, workletUrl } from '../../api/widget.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Listening, type Levels, type ListeningState } from '../../voice/listening.ts';
import { Microphone } from '../../voice/microphone.ts';
import { plainMessage } from '../../ui/plain-message.ts';
import { t } from '../../words/words.ts';
import { Meters } from './meters.tsx';

const WORDS: Readonly<Record<ListeningState, string>> = {
  connecting: 'Connecting…',
  live: 'You hear the call: the person on the left, the assistant on the right. They do not hear you.',
  ended: '',
};
const TALKING = 'The person hears you. The assistant is silent, and learns what you both say.';

const messageOf = (error: unknown, otherwise: string): string =>
  error instanceof Error ? plainMessage(error.message) : t(otherwise);

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
  const microphone = useRef<Promise<Microphone> | null>(null);
  const widget = useWidget();
  const [state, setState] = useState<ListeningState>('ended');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [levels, setLevels] = useState<Levels | null>(null);
  const hush = (): void => {
    void microphone.current?.then((opened) => opened.stop()).catch(() => {});
    running.current?.hearOwnSide(true);
    onTalking(false);
  };
  const putAway = (): void => {
    void microphone.current?.then((opened) => opened.close()).catch(() => {});
    microphone.current = null;
  };
  useEffect(
    () => () => {
      running.current?.stop();
      putAway();
    },
    [],
  );
  const input = { call_id: callId };
  /** Loaded while the member listens; one that could not be loaded is loaded again. */
  const prepare = (url: string): Promise<Microphone> => {
    microphone.current ??= Microphone.prepare(url).catch((error: unknown) => {
      microphone.current = null;
      throw error;
    });
    return microphone.current;
  };
  const start = (): void => {
    setFailure('');
    const listening = new Listening((next) => {
      setState(next);
      if (next !== 'ended') return;
      setLevels(null);
      hush();
      putAway();
    }, setLevels);
    if (widget !== null) prepare(workletUrl(widget)).catch(() => {});
    running.current = listening;
    listening
      .start(() => request('listenToCall', input))
      .catch((error: unknown) => setFailure(messageOf(error, 'Listening could not begin.')));
  };
  /**
   * The assistant falls silent while the microphone opens. Where the browser has to ask first, it goes on until the reader has
   * allowed it.
   */
  const talk = async (url: string): Promise<void> => {
    setFailure('');
    setIsBusy(true);
    let isTaken = false;
    const takeOver = async (): Promise<void> => {
      await request('controlCall', { ...input, operation: 'take_over' });
      isTaken = true;
    };
    try {
      const prepared = await prepare(url);
      const opening = prepared.open((pcm) => {
        if (isTaken) running.current?.send(pcm);
      });
      if (!(await Microphone.isAllowed())) await opening;
      const steps = await Promise.allSettled([opening, takeOver()]);
      for (const step of steps) if (step.status === 'rejected') throw step.reason;
      running.current?.hearOwnSide(false);
      onTalking(true);
    } catch (error) {
      if (isTaken) handBack();
      else hush();
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
        <Button onClick={start}>{t('Listen')}</Button>
      ) : (
        <Button onClick={() => running.current?.stop()}>{t('Stop listening')}</Button>
      )}
      {state !== 'live' ? null : isTalking ? (
        <Button look="primary" onClick={handBack}>
          {t('Hand back to the assistant')}
        </Button>
      ) : (
        <Button
          look="primary"
          busy={isBusy}
          disabled={widget === null}
          onPointerDown={() => {
            microphone.current?.then((prepared) => prepared.openAhead()).catch(() => {});
          }}
          onClick={() => (widget === null ? undefined : void talk(workletUrl(widget)))}
        >
          {t('Talk')}
        </Button>
      )}
      <CopyCurl operation="listenToCall" input={input} of={t('listening to this call')} />
      <span role="status" className={failure === '' ? 'text-sm text-muted' : 'text-bad'}>
        {failure || t((isTalking ? TALKING : WORDS[state]) || 'The record of the call shows who listened.')}
      </span>
      {levels === null ? null : <Meters levels={levels} />}
    </div>
  );
}
