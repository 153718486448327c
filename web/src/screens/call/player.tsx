import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { formatSeconds } from '../../ui/format.tsx';
import { MarkerList } from './marker-list.tsx';
import type { Marker } from './markers.ts';
import { TimeLine } from './time-line.tsx';
import { Waveform } from './waveform.tsx';

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
  onSecond,
}: {
  callId: string;
  url: string;
  duration: number | null;
  seek: { to: number } | null;
  markers: readonly Marker[];
  onSecond: (second: number) => void;
}): ReactNode {
  const audio = useRef<HTMLAudioElement>(null);
  const peaks = useRead('getRecordingPeaks', { call_id: callId });
  const [second, setSecond] = useState(0);
  const [length, setLength] = useState(duration ?? 0);
  const [hasFailed, setHasFailed] = useState(false);
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
    <section aria-label="Recording" className="rounded-lg border border-line bg-surface p-5">
      {peaks.data === undefined ? null : (
        <Waveform
          peaks={peaks.data}
          markers={markers}
          length={length}
          share={length > 0 ? second / length : 0}
          onSeek={(share) => {
            if (audio.current !== null) audio.current.currentTime = share * length;
          }}
        />
      )}
      {hasFailed ? (
        <p role="alert" className="mb-3 text-bad">
          The recording cannot be played. Its link may have expired: reload the page.
        </p>
      ) : null}
      {/* The transcript beside it has the words. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio
        ref={audio}
        controls
        preload="metadata"
        src={localPath(url)}
        className="w-full"
        onTimeUpdate={follow}
        onSeeked={follow}
        onLoadedMetadata={(event) => setLength(event.currentTarget.duration)}
        onError={() => setHasFailed(true)}
      />
      <p className="mt-2 text-sm text-muted">
        {formatSeconds(second)} of {formatSeconds(length)}. The person is above, the assistant below.
      </p>
      <MarkerList markers={markers} onSeek={seekTo} />
      <TimeLine callId={callId} second={second} length={length} onSeek={seekTo} />
    </section>
  );
}
