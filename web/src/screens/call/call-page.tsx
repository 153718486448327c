import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { numberOf, ownNumber, personNumber } from '../../parts/call-name.ts';
import { CallStatus, hangUpName } from '../../parts/call-status.tsx';
import { CopyButton } from '../../ui/controls.tsx';
import { formatNumber, formatSeconds, Time } from '../../ui/format.tsx';
import { Card, ErrorNote, Facts, Loading, Page } from '../../ui/page.tsx';
import { MoreActions } from '../../ui/more-actions.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { loggedTools } from '../test-cases/proposal.ts';
import { SaveCase } from '../test-cases/save-case.tsx';
import { AnsweredBy } from './answered-by.tsx';
import { Attempts } from './attempts.tsx';
import { BlockNumber, CallAgain, CallSummary, callTitle } from './call-head.tsx';
import { Deliveries } from './deliveries.tsx';
import { EraseCall } from './erase-call.tsx';
import { Evaluations } from './evaluations.tsx';
import { Findings } from './findings.tsx';
import { FollowUp } from './follow-up.tsx';
import { LiveCall } from './live-call.tsx';
import { Analysis, Latency } from './measures.tsx';
import { markersOf } from './markers.ts';
import { Networks } from './network.tsx';
import { Player } from './player.tsx';
import { RehearseCall } from './rehearse-call.tsx';
import { Score } from './score.tsx';
import { SipLadder } from './sip-ladder.tsx';
import { TimeLine } from './time-line.tsx';
import { Transcript } from './transcript.tsx';
import { readTranscript, type Line } from './transcript-lines.ts';
import { CostByAgent, Usage, VendorFaults } from './usage.tsx';
import type { Call } from './types.ts';
import { t } from '../../words/words.ts';

const LIVE = new Set(['registered', 'ongoing', 'retry']);
const REFRESH_MS = 5_000;
/** Values that the overview has under other names. */
const SHOWN = new Set(['callee_name', 'mobile_number']);

export function CallPage(): ReactNode {
  const { callId } = useParams({ from: '/app/calls/$callId' });
  const [isLive, setIsLive] = useState(true);
  const read = useRead(
    'getCall',
    { id: callId, send_analysis: true },
    { every: isLive ? REFRESH_MS : false },
  );
  const status = read.data?.data.call_status;
  if (status !== undefined && isLive !== LIVE.has(status)) setIsLive(LIVE.has(status));
  if (read.isPending) {
    return (
      <Page title={t('Call')}>
        <Loading shape="cards" />
      </Page>
    );
  }
  if (read.isError) {
    return (
      <Page title={t('Call')}>
        <ErrorNote error={read.error} retry={() => void read.refetch()} />
      </Page>
    );
  }
  return <CallDetails key={callId} call={read.data.data} />;
}

function CallDetails({ call }: { call: Call }): ReactNode {
  const { t: startAt } = useSearch({ from: '/app/calls/$callId' });
  const navigate = useNavigate({ from: '/calls/$callId' });
  const [second, setSecond] = useState(startAt ?? 0);
  // Seeking is a request to the player; a new object seeks again to the same second.
  const [seek, setSeek] = useState<{ to: number } | null>(startAt === undefined ? null : { to: startAt });
  const lines = readTranscript(call.transcription_url, call.transcript);
  const page = `${location.origin}/calls/${call.call_id}`;
  return (
    <Page
      title={callTitle(call)}
      intro={<CallSummary call={call} />}
      actions={
        <>
          <SaveCallCase call={call} lines={lines} />
          <CallAgain call={call} />
          <MoreActions>
            {(close) => (
              <>
                <RehearseCall call={call} />
                <BlockNumber call={call} onDone={close} />
                {call.recording_url === null ? (
                  <CopyButton text={page} label={t('Copy link')} />
                ) : (
                  <CopyButton
                    text={`${page}?t=${Math.floor(second)}`}
                    label={t('Copy link to {second}', { second: formatSeconds(second) })}
                  />
                )}
                <EraseCall call={call} />
              </>
            )}
          </MoreActions>
        </>
      }
    >
      <FollowUp call={call} />
      {call.call_status === 'ongoing' ? <LiveCall callId={call.call_id} /> : null}
      {call.recording_url === null ? (
        <WithoutRecording call={call} />
      ) : (
        <Player
          callId={call.call_id}
          url={call.recording_url}
          duration={call.recording_duration}
          seek={seek}
          markers={markersOf(call)}
          lines={lines}
          onSecond={setSecond}
        />
      )}
      <Tabs
        label={t('Parts of the call')}
        tabs={[
          [
            'Conversation',
            <Conversation
              key="conversation"
              call={call}
              lines={lines}
              second={call.recording_url === null ? null : second}
              onSeek={
                call.recording_url === null
                  ? null
                  : (to) => {
                      setSeek({ to });
                      void navigate({ search: { t: Math.floor(to) }, replace: true });
                    }
              }
            />,
          ],
          ['Timing', <Timing key="timing" call={call} />],
          [
            'Connection',
            <div key="connection" className="flex flex-col gap-4">
              <VendorFaults call={call} />
              <Networks call={call} />
              <Attempts call={call} />
              <SipLadder call={call} />
            </div>,
          ],
          [
            'Developer',
            <div key="developer" className="flex flex-col gap-4">
              <Deliveries callId={call.call_id} />
              <RawJson value={call} />
            </div>,
          ],
        ]}
      />
    </Page>
  );
}

/** What was said, and what came of it. */
function Conversation({
  call,
  lines,
  second,
  onSeek,
}: {
  call: Call;
  lines: readonly Line[];
  second: number | null;
  onSeek: ((to: number) => void) | null;
}): ReactNode {
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      {LIVE.has(call.call_status) && lines.length === 0 ? null : (
        <Card title={t('Transcript')}>
          <Transcript
            lines={lines}
            isPartial={call.transcript_partial}
            isErased={call.erased_at !== null}
            second={second}
            onSeek={onSeek}
          />
        </Card>
      )}
      <div className="flex flex-col gap-4">
        <Overview call={call} />
        <Analysis platform={call.platform_analysis} client={call.client_analysis} />
        <Findings call={call} onSeek={onSeek} />
        <Score score={call.score} />
        <Evaluations evaluations={call.evaluations} />
        <Usage call={call} />
        <CostByAgent call={call} />
      </div>
    </div>
  );
}

/** How long the assistant took to answer. */
const Timing = ({ call }: { call: Call }): ReactNode =>
  call.latency.turns.length === 0 ? (
    <p className="text-muted">{t('No answer of the assistant was timed.')}</p>
  ) : (
    <Latency call={call} />
  );

/** For a call with a conversation that has ended. */
function SaveCallCase({ call, lines }: { call: Call; lines: readonly Line[] }): ReactNode {
  if (call.agent_id === null || call.agent_name === null || lines.length === 0 || LIVE.has(call.call_status))
    return null;
  const conversation = {
    name: '',
    variables: call.custom_args_values,
    lines: lines
      .filter(({ speaker, isKeys }) => speaker === 'caller' && isKeys !== true)
      .map(({ text }) => text),
    tools: loggedTools(call.tool_call_logs),
    end: call.call_sub_status,
  };
  return <SaveCase agentId={call.agent_id} conversation={conversation} source={{ call_id: call.call_id }} />;
}

/** What the conversation decided, where there is no recording to show it beside. */
function WithoutRecording({ call }: { call: Call }): ReactNode {
  if (call.answered_at === null || call.ended_at === null || call.erased_at !== null) return null;
  return (
    <Card>
      <TimeLine callId={call.call_id} second={null} length={null} onSeek={null} />
    </Card>
  );
}

function Overview({ call }: { call: Call }): ReactNode {
  const rows: (readonly [string, ReactNode])[] = [
    ['Person', [call.callee_name, numberOf(personNumber(call))].filter(Boolean).join(', ')],
    ['Your number', ownNumber(call)],
    ['Assistant', call.agent_name ?? t('Deleted')],
    ['State', <CallStatus key="state" status={call.call_status} subStatus={call.call_sub_status} />],
    ['Placed', <Time key="placed" iso={call.initiation_time} />],
    ['Dialled', <Time key="dialled" iso={call.last_dialed_at} />],
    ['Answered', <Time key="answered" iso={call.answered_at} />],
    ['Answered by', <AnsweredBy key="by" call={call} />],
    ['Ended', <Time key="ended" iso={call.ended_at} />],
    ['Next attempt', <Time key="next" iso={call.next_attempt_at} />],
    ['Duration', formatSeconds(call.call_duration)],
    ['Credits', formatNumber(call.call_cost)],
    ['Hung up by', hangUpName(call.hangup_by)],
    ['Interruptions', formatNumber(call.interruptions)],
    ...(call.listeners.length === 0
      ? []
      : [['Listened live', call.listeners.map(({ listener }) => listener).join(', ')] as const]),
    ...Object.entries(call.custom_args_values).filter(([name]) => !SHOWN.has(name)),
  ];
  const parent = call.parent_call_id;
  return (
    <Card title={t('Overview')}>
      <Facts
        rows={[
          ...rows,
          ...(parent === null
            ? []
            : [
                [
                  'Callback after',
                  <Link
                    key="parent"
                    to="/calls/$callId"
                    params={{ callId: parent }}
                    className="text-accent underline"
                  >
                    {t('the earlier call')}
                  </Link>,
                ] as const,
              ]),
        ]}
      />
    </Card>
  );
}
