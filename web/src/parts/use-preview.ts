import { useEffect, useRef, useState } from 'react';

/** Plays one preview at a time; the same one again stops it. */
export function usePreview(): [playing: string | null, play: (url: string) => void] {
  const audio = useRef<HTMLAudioElement | null>(null);
  const [playing, setPlaying] = useState<string | null>(null);
  useEffect(() => () => audio.current?.pause(), []);
  const play = (url: string): void => {
    audio.current?.pause();
    if (playing === url) {
      setPlaying(null);
      return;
    }
    // Without the origin: the service may be reached under another address than its public one.
    const { pathname, search } = new URL(url, location.href);
    const next = new Audio(pathname + search);
    audio.current = next;
    const end = (): void => setPlaying((current) => (current === url ? null : current));
    next.addEventListener('ended', end);
    next.addEventListener('error', end);
    setPlaying(url);
    next.play().catch(end);
  };
  return [playing, play];
}
