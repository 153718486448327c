import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../ui/controls.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words/words.ts';
import { MarkerList } from './marker-list.tsx';
import type { Marker } from './markers.ts';
import { TimeLine } from './time-line.tsx';
import { regionsOf, type Line } from './transcript-lines.ts';
import { Waveform } from './waveform.tsx';

const SPEEDS = [
  ['1', '1×'],
  ['1.5', '1.5×'],
  ['2', '2×'],
] as const;
const STEP_SECONDS = 5;

/** The address within this service: PUBLIC_URL may name another host than the one that this page came from. */
function localPath(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return `${pathname}${search}`;
}

/** Plays the recording: the waveform of both sides over the browser's own controls. */
export function Player({
  callId,
  url,
  duration,
  seek,
  markers,
  lines,
  onSecond,
}: {
  callId: string;
  url: string;
  duration: number | null;
  seek: { to: number } | null;
  markers: readonly Marker[];
  lines: readonly Line[];
  onSecond: (second: number) => void;
}): ReactNode {
  const audio = useRef<HTMLAudioElement>(null);
  const peaks = useRead('getRecordingPeaks', { call_id: callId });
  const [second, setSecond] = useState(0);
  const [length, setLength] = useState(duration ?? 0);
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number][0]>('1');
  const [hasFailed, setHasFailed] = useState(false);
  // A fresh link does not interrupt the playback: it is used once the old one fails.
  const [source, setSource] = useState(url);
  useEffect(() => {
    if (seek === null || audio.current === null) return;
    audio.current.currentTime = seek.to;
    // The player says so itself only once it has loaded that part.
    setSecond(seek.to);
    onSecond(seek.to);
  }, [seek, onSecond]);
  const seekTo = (to: number): void => {
    if (audio.current === null) return;
    audio.current.currentTime = to;
    setSecond(to);
    onSecond(to);
  };
  const follow = (): void => {
    const now = audio.current?.currentTime ?? 0;
    setSecond(now);
    onSecond(now);
  };
  return (
    <section aria-label={t('Recording')} className="rounded-lg border border-line bg-surface p-4">
      <p className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-sm bg-person" /> {t('Person, above')}
        </span>
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-sm bg-accent" /> {t('Assistant, below')}
        </span>
      </p>
      {peaks.data === undefined ? (
        // As high as the waveform, so that nothing moves when it comes.
        <div className="mb-3 h-28" />
      ) : (
        <Waveform
          peaks={peaks.data}
          markers={markers}
          regions={regionsOf(lines, length)}
          length={length}
          share={length > 0 ? second / length : 0}
          onSeek={(share) => seekTo(share * length)}
        />
      )}
      {hasFailed ? (
        <p role="alert" className="mb-3 text-bad">
          {t('The recording cannot be played. Its link may have expired: reload the page.')}
        </p>
      ) : null}
      {/* The transcript beside it has the words. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio
        ref={audio}
        controls
        preload="metadata"
        src={localPath(source)}
        className="w-full"
        onTimeUpdate={follow}
        onSeeked={follow}
        onLoadedMetadata={({ currentTarget }) => {
          // A source that loads again starts at its own speed.
          currentTarget.playbackRate = Number(speed);
          setLength(currentTarget.duration);
        }}
        onError={() => (url === source ? setHasFailed(true) : setSource(url))}
      />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button aria-label={t('Back 5 seconds')} onClick={() => seekTo(Math.max(0, second - STEP_SECONDS))}>
          −5 s
        </Button>
        <Button
          aria-label={t('Forward 5 seconds')}
          onClick={() => seekTo(Math.min(length, second + STEP_SECONDS))}
        >
          +5 s
        </Button>
        <Segmented
          label={t('Speed')}
          value={speed}
          options={SPEEDS}
          onChange={(next) => {
            setSpeed(next);
            if (audio.current !== null) audio.current.playbackRate = Number(next);
          }}
        />
      </div>
      <MarkerList markers={markers} onSeek={seekTo} />
      <TimeLine callId={callId} second={second} length={length} onSeek={seekTo} />
    </section>
  );
}
