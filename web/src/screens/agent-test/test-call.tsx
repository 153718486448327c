import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { call as request, ApiFailure } from '../../api/client.ts';
import { readEvents, type ServerEvent } from '../../api/server-events.ts';
import { useWidget, workletUrl } from '../../api/widget.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import type { Conversation } from '../test-cases/proposal.ts';
import { SaveCase } from '../test-cases/save-case.tsx';
import { SpokenLog } from './spoken-log.tsx';
import { linesIn, NOTHING_SPOKEN, withEvent, withLine, withWords, type Spoken } from './spoken.ts';
import { CallError, type CallState, type Line, WebCall } from '@callwright/widget';
import { t } from '../../words/words.ts';

const STATES: Readonly<Record<CallState, string>> = {
  connecting: 'Connecting…',
  live: 'Connected. Speak, or type below.',
  away: 'Connection lost, trying again…',
  ended: 'The call has ended.',
};

/** A call with a version of an assistant through the microphone of this computer. */
export function TestCall({
  agentId,
  versionId,
  args = {},
  fills = false,
  isShown = true,
  begins = false,
  onBegin,
  onEvents,
}: {
  agentId: string;
  versionId: string;
  /** Values of the variables. */
  args?: Readonly<Record<string, string>>;
  /** It takes the height that is left: what was said scrolls inside it. */
  fills?: boolean;
  /** The call ends when it is no longer shown. */
  isShown?: boolean;
  /** Begins by itself. */
  begins?: boolean;
  onBegin?: () => void;
  /** Events of the live stream of the call, as they come. */
  onEvents?: (events: readonly unknown[]) => void;
}): ReactNode {
  const widget = useWidget();
  const running = useRef<WebCall | null>(null);
  const watching = useRef<AbortController | null>(null);
  const [state, setState] = useState<CallState | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [spoken, setSpoken] = useState<Spoken>(NOTHING_SPOKEN);
  const [begun, setBegun] = useState(args);
  const [level, setLevel] = useState(0);
  useEffect(
    () => () => {
      running.current?.stop();
      watching.current?.abort();
    },
    [],
  );
  useEffect(() => {
    if (!isShown) running.current?.stop();
  }, [isShown]);
  const isLive = state !== null && state !== 'ended';
  const input = { agent_id: agentId, version_id: versionId, custom_args_values: { ...args } };

  /** Latencies and interruptions are in the live stream of the call; without it the words are shown all the same. */
  const watch = (callId: string): void => {
    if (watching.current !== null) return;
    const leave = new AbortController();
    watching.current = leave;
    const add = (events: readonly ServerEvent[]): void => {
      const data = events.map((event) => event.data);
      setSpoken((before) => data.reduce(withEvent, before));
      onEvents?.(data);
    };
    request('watchCall', { call_id: callId }, leave.signal)
      .then((response) => readEvents(response, add))
      .catch(() => undefined);
  };

  const start = async (url: string): Promise<void> => {
    const call = new WebCall({
      open: async () => {
        try {
          return await request('openTestWebCall', input);
        } catch (error) {
          const code = error instanceof ApiFailure ? error.code : 'failed';
          throw new CallError(code, error instanceof Error ? error.message : t('The call could not begin.'));
        }
      },
      workletUrl: url,
      onState: (next) => {
        setState(next);
        if (next === 'live' && call.opened !== null) watch(call.opened.call_id);
      },
      onLine: (line) => setSpoken((before) => withLine(before, line)),
      onWords: (text, isFinal) => setSpoken((before) => withWords(before, text, isFinal)),
      onLevel: (loudness) => setLevel(Math.min(1, loudness * 4)),
    });
    running.current = call;
    watching.current?.abort();
    watching.current = null;
    setSpoken(NOTHING_SPOKEN);
    setBegun(args);
    setFailure(null);
    onBegin?.();
    setState('connecting');
    await call.start().catch((error: unknown) => setFailure(error instanceof Error ? error.message : null));
  };

  const hasBegun = useRef(false);
  useEffect(() => {
    if (!begins || hasBegun.current || widget === null) return;
    hasBegun.current = true;
    void start(workletUrl(widget));
  });
  return (
    <div className={`flex flex-col gap-3 ${fills ? 'min-h-0 grow' : ''}`}>
      <div className="flex flex-wrap items-center gap-3">
        {isLive ? (
          <Button look="danger" onClick={() => running.current?.stop()}>
            {t('End test call')}
          </Button>
        ) : (
          <Button
            look="primary"
            disabled={widget === null}
            onClick={() => (widget === null ? undefined : void start(workletUrl(widget)))}
          >
            {t('Call in the browser')}
          </Button>
        )}
        <CopyCurl operation="openTestWebCall" input={input} />
        <span role="status">{failure ?? (state === null ? '' : t(STATES[state]))}</span>
      </div>
      <SpokenLog spoken={spoken} fills={fills} />
      {isLive ? (
        <>
          <progress aria-label={t('Loudness of the microphone')} max={1} value={level} className="w-full" />
          <Typing onSend={(text) => running.current?.send(text)} />
          <Keypad onPress={(digit) => running.current?.press(digit)} />
        </>
      ) : null}
      {state === 'ended' && running.current?.opened != null ? (
        <p>
          <Link
            to="/calls/$callId"
            params={{ callId: running.current.opened.call_id }}
            className="text-accent underline"
          >
            {t('Open the record of this call')}
          </Link>
        </p>
      ) : null}
      {state === 'ended' && linesIn(spoken).length > 0 ? (
        <div>
          <SaveCase
            agentId={agentId}
            conversation={conversationOf(begun, linesIn(spoken))}
            {...sourceOf(running.current)}
          />
        </div>
      ) : null}
    </div>
  );
}

/** The tools of a call are on its page. */
const conversationOf = (
  variables: Readonly<Record<string, string>>,
  lines: readonly Line[],
): Conversation => ({
  name: '',
  variables,
  lines: lines.filter(({ role, by }) => role === 'caller' && by !== 'keypad').map(({ text }) => text),
  tools: [],
  end: null,
});
const sourceOf = (call: WebCall | null): { source?: { call_id: string } } =>
  call?.opened == null ? {} : { source: { call_id: call.opened.call_id } };

/** Words instead of speech. */
function Typing({ onSend }: { onSend: (text: string) => void }): ReactNode {
  const [typed, setTyped] = useState('');
  const send = (): void => {
    if (typed.trim() !== '') onSend(typed);
    setTyped('');
  };
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-40 grow">
        <TextField
          label={t('Type instead of speaking')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Enter would save the form that the call is in.
            event.preventDefault();
            event.stopPropagation();
            send();
          }}
        />
      </div>
      <Button onClick={send}>{t('Send')}</Button>
    </div>
  );
}

/** The keys of a phone. */
function Keypad({ onPress }: { onPress: (digit: string) => void }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {t('Keypad')}
      </Button>
      {isOpen ? (
        <div role="group" aria-label={t('Keys')} className="grid grid-cols-3 gap-2">
          {Array.from('123456789*0#', (digit) => (
            <Button key={digit} aria-label={t('Key {digit}', { digit })} onClick={() => onPress(digit)}>
              {digit}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
