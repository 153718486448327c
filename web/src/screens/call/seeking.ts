import type { PointerEvent } from 'react';

/** The part of the width at which the pointer is, 0 to 1. */
export const shareAt = (x: number, box: { readonly left: number; readonly width: number }): number =>
  Math.min(1, Math.max(0, (x - box.left) / Math.max(1, box.width)));

interface Seeking {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
}

/** A drawing of the recording seeks where it is pressed, and along while the pointer is dragged. */
export function seeking(onSeek: (share: number) => void): Seeking {
  const seek = (event: PointerEvent): void =>
    onSeek(shareAt(event.clientX, event.currentTarget.getBoundingClientRect()));
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      // Touches scroll the page; only pens and mice drag.
      if (event.pointerType !== 'touch') event.currentTarget.setPointerCapture(event.pointerId);
      seek(event);
    },
    onPointerMove: (event) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) seek(event);
    },
  };
}
