import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../ui/controls.tsx';
import { formatSeconds } from '../../ui/format.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words/words.ts';
import { MarkerList } from './marker-list.tsx';
import type { Marker } from './markers.ts';
import { spokenRegions } from './recording-times.ts';
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

/** Plays the recording under the waveform of both sides. It stays at the top of the window while the transcript scrolls. */
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
  const [isPlaying, setPlaying] = useState(false);
  const seekTo = (to: number): void => {
    if (audio.current === null) return;
    audio.current.currentTime = to;
    setSecond(to);
    onSecond(to);
  };
  const step = (seconds: number): void => seekTo(Math.min(length, Math.max(0, second + seconds)));
  const toggle = (): void => {
    if (audio.current === null) return;
    if (audio.current.paused) void audio.current.play().catch(() => undefined);
    else audio.current.pause();
  };
  const follow = (): void => {
    const now = audio.current?.currentTime ?? 0;
    setSecond(now);
    onSecond(now);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== ' ' || (event.target as Element).matches('button')) return;
    event.preventDefault();
    toggle();
  };
  const regions = regionsOf(lines, length);
  return (
    <>
      <section
        aria-label={t('Recording')}
        className="top-(--bar) z-15 rounded-lg border border-line bg-surface px-4 pt-3 pb-2 sm:sticky"
        onKeyDown={onKey}
      >
        <Waveform
          peaks={peaks.data}
          markers={markers}
          regions={peaks.data === undefined ? [] : spokenRegions(regions, peaks.data, length)}
          length={length}
          share={length > 0 ? second / length : 0}
          onSeek={(share) => seekTo(share * length)}
        />
        {hasFailed ? (
          <p role="alert" className="mb-3 text-bad">
            {t('The recording cannot be played. Its link may have expired: reload the page.')}
          </p>
        ) : null}
        {/* The transcript beside it has the words. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        <audio
          ref={audio}
          preload="metadata"
          src={localPath(source)}
          onTimeUpdate={follow}
          onSeeked={follow}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onLoadedMetadata={({ currentTarget }) => {
            // A source that loads again starts at its own speed.
            currentTarget.playbackRate = Number(speed);
            setLength(currentTarget.duration);
          }}
          onError={() => (url === source ? setHasFailed(true) : setSource(url))}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            look="primary"
            aria-label={isPlaying ? t('Pause the playback') : t('Play the recording')}
            onClick={toggle}
          >
            <Icon name={isPlaying ? 'pause' : 'play'} />
          </Button>
          <Button aria-label={t('Back 5 seconds')} onClick={() => step(-STEP_SECONDS)}>
            −5 s
          </Button>
          <Button aria-label={t('Forward 5 seconds')} onClick={() => step(STEP_SECONDS)}>
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
          <span className="text-sm tabular-nums">
            {t('{some} of {all}', { some: formatSeconds(second), all: formatSeconds(length) })}
          </span>
          <span className="ml-auto flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted max-sm:ml-0">
            <span className="flex items-center gap-1.5">
              <span aria-hidden="true" className="size-2.5 rounded-sm bg-person" /> {t('Person, above')}
            </span>
            <span className="flex items-center gap-1.5">
              <span aria-hidden="true" className="size-2.5 rounded-sm bg-accent" /> {t('Assistant, below')}
            </span>
          </span>
        </div>
      </section>
      <Card>
        <MarkerList markers={markers} onSeek={seekTo} />
        <TimeLine callId={callId} second={second} length={length} onSeek={seekTo} />
      </Card>
    </>
  );
}
