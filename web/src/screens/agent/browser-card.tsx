import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { call as request, ApiFailure } from '../../api/client.ts';
import { Button, CopyButton, TextField } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import { CallError, WebCall, type CallState, type Line } from '../../voice/web-call.ts';
import type { Agent, Version } from './agent-page.tsx';

interface Widget {
  readonly version: string;
  readonly script: string;
  readonly integrity: string;
}

const readWidget = async (): Promise<Widget> => {
  const response = await fetch('/widget/latest.json');
  if (!response.ok) throw new Error('the widget is not built');
  return (await response.json()) as Widget;
};

const STATES: Readonly<Record<CallState, string>> = {
  connecting: 'Connecting…',
  live: 'Connected. Speak, or type below.',
  away: 'Connection lost, trying again…',
  ended: 'The call has ended.',
};

/** A test call in the browser, and the snippet that lets a web site call the assistant. */
export function BrowserCard({
  agent,
  version,
  mayCall,
}: {
  agent: Agent;
  version: Version;
  mayCall: boolean;
}): ReactNode {
  const widget = useQuery({ queryKey: ['widget'], queryFn: readWidget });
  return (
    <Card title="Browser calls">
      <div className="flex flex-col gap-4">
        {mayCall && widget.data !== undefined ? (
          <TestCall
            agentId={agent.id}
            versionId={version.version_id}
            workletUrl={`/widget/${widget.data.version}/worklet.js`}
          />
        ) : null}
        {widget.data === undefined ? null : <Snippet agent={agent} widget={widget.data} />}
        <p className="text-sm text-muted">
          Pages of these addresses may begin calls:{' '}
          {version.whitelisted_domains.length === 0
            ? 'none but this service. Change it with edit_agent_whitelisted_domains.'
            : version.whitelisted_domains.join(', ')}
        </p>
      </div>
    </Card>
  );
}

function Snippet({ agent, widget }: { agent: Agent; widget: Widget }): ReactNode {
  const { origin } = location;
  const text = [
    `<script src="${origin}${widget.script}" integrity="${widget.integrity}" crossorigin="anonymous"></script>`,
    `<callwright-call agent="${agent.id}" public-key="${agent.webcall_public_key}" position="bottom-right"></callwright-call>`,
  ].join('\n');
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted">Put this into the pages of your web site:</p>
      <pre className="overflow-x-auto rounded-md border border-line p-3 text-sm" tabIndex={0}>
        {text}
      </pre>
      <div>
        <CopyButton text={text} label="Copy snippet" />
      </div>
    </div>
  );
}

function TestCall({
  agentId,
  versionId,
  workletUrl,
}: {
  agentId: string;
  versionId: string;
  workletUrl: string;
}): ReactNode {
  const running = useRef<WebCall | null>(null);
  const [state, setState] = useState<CallState | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [level, setLevel] = useState(0);
  const [typed, setTyped] = useState('');
  useEffect(() => () => running.current?.stop(), []);
  const isLive = state !== null && state !== 'ended';

  const start = async (): Promise<void> => {
    const call = new WebCall({
      open: async () => {
        try {
          return await request('openTestWebCall', { agent_id: agentId, version_id: versionId });
        } catch (error) {
          const code = error instanceof ApiFailure ? error.code : 'failed';
          throw new CallError(code, error instanceof Error ? error.message : 'The call could not begin.');
        }
      },
      workletUrl,
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
  const send = (): void => {
    if (typed.trim() !== '') running.current?.send(typed);
    setTyped('');
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        {isLive ? (
          <Button look="danger" onClick={() => running.current?.stop()}>
            End test call
          </Button>
        ) : (
          <Button look="primary" onClick={() => void start()}>
            Call in the browser
          </Button>
        )}
        <span role="status">{failure ?? (state === null ? '' : STATES[state])}</span>
      </div>
      {isLive ? (
        <>
          <progress aria-label="Loudness of the microphone" max={1} value={level} className="w-full" />
          <form
            className="flex items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              send();
            }}
          >
            <TextField
              label="Type instead of speaking"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button type="submit">Send</Button>
          </form>
        </>
      ) : null}
      {lines.length === 0 ? null : (
        <div role="log" aria-label="Test call" tabIndex={0} className="max-h-60 overflow-y-auto">
          {lines.map((line, index) => (
            <p key={index}>
              <b>{line.role === 'agent' ? 'Assistant' : 'You'}:</b> {line.text}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
