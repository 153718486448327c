import { useEffect, useRef, useState, type ReactNode } from 'react';
import { call as request, ApiFailure } from '../../api/client.ts';
import { useWidget, workletUrl } from '../../api/widget.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { CallError, WebCall, type CallState, type Line } from '../../voice/web-call.ts';

const STATES: Readonly<Record<CallState, string>> = {
  connecting: 'Connecting…',
  live: 'Connected. Speak, or type below.',
  away: 'Connection lost, trying again…',
  ended: 'The call has ended.',
};

/** A call with a version of an assistant through the microphone of this computer. */
export function TestCall({ agentId, versionId }: { agentId: string; versionId: string }): ReactNode {
  const widget = useWidget();
  const running = useRef<WebCall | null>(null);
  const [state, setState] = useState<CallState | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [level, setLevel] = useState(0);
  useEffect(() => () => running.current?.stop(), []);
  const isLive = state !== null && state !== 'ended';

  const start = async (url: string): Promise<void> => {
    const call = new WebCall({
      open: async () => {
        try {
          return await request('openTestWebCall', { agent_id: agentId, version_id: versionId });
        } catch (error) {
          const code = error instanceof ApiFailure ? error.code : 'failed';
          throw new CallError(code, error instanceof Error ? error.message : 'The call could not begin.');
        }
      },
      workletUrl: url,
      onState: (next) => setState(next),
      onLine: (line) => setLines((before) => [...before, line]),
      onLevel: (loudness) => setLevel(Math.min(1, loudness * 4)),
    });
    running.current = call;
    setLines([]);
    setFailure(null);
    setState('connecting');
    await call.start().catch((error: unknown) => setFailure(error instanceof Error ? error.message : null));
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        {isLive ? (
          <Button look="danger" onClick={() => running.current?.stop()}>
            End test call
          </Button>
        ) : (
          <Button
            look="primary"
            disabled={widget === null}
            onClick={() => (widget === null ? undefined : void start(workletUrl(widget)))}
          >
            Call in the browser
          </Button>
        )}
        <CopyCurl operation="openTestWebCall" input={{ agent_id: agentId, version_id: versionId }} />
        <span role="status">{failure ?? (state === null ? '' : STATES[state])}</span>
      </div>
      {isLive ? (
        <>
          <progress aria-label="Loudness of the microphone" max={1} value={level} className="w-full" />
          <Typing onSend={(text) => running.current?.send(text)} />
          <Keypad onPress={(digit) => running.current?.press(digit)} />
        </>
      ) : null}
      {lines.length === 0 ? null : (
        <div
          role="log"
          aria-label="Test call"
          tabIndex={0}
          className="flex max-h-60 flex-col gap-1 overflow-y-auto"
        >
          {lines.map((line, index) => (
            // Lines are only ever added at the end.
            // oxlint-disable-next-line react/no-array-index-key
            <p key={index} className="wrap-anywhere">
              <b>{line.role === 'agent' ? 'Assistant' : 'You'}:</b> {line.text}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

/** Words instead of speech. */
function Typing({ onSend }: { onSend: (text: string) => void }): ReactNode {
  const [typed, setTyped] = useState('');
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') onSend(typed);
        setTyped('');
      }}
    >
      <div className="min-w-40 grow">
        <TextField
          label="Type instead of speaking"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Button type="submit">Send</Button>
    </form>
  );
}

/** The keys of a phone. */
function Keypad({ onPress }: { onPress: (digit: string) => void }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Keypad
      </Button>
      {isOpen ? (
        <div role="group" aria-label="Keys" className="grid grid-cols-3 gap-2">
          {Array.from('123456789*0#', (digit) => (
            <Button key={digit} aria-label={`Key ${digit}`} onClick={() => onPress(digit)}>
              {digit}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
