import type { Point } from './graph-layout.ts';

/** What part of the graph is in sight: a point of the graph is shown at `x + scale * point`, in pixels. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** `readable`: the least that a graph opens with. */
export const SCALES = { least: 0.1, readable: 0.5, most: 2 } as const;
/** Pixels left free around the whole graph, and the largest scale that shows it. */
const MARGIN = 24;
const WHOLE_SCALE = 1;

const bounded = (scale: number): number => Math.min(SCALES.most, Math.max(SCALES.least, scale));

/** The point of the graph that is shown at a pixel. */
export const toGraph = (camera: Camera, pixel: Point): Point => ({
  x: (pixel.x - camera.x) / camera.scale,
  y: (pixel.y - camera.y) / camera.scale,
});

export const panned = (camera: Camera, by: Point): Camera => ({
  ...camera,
  x: camera.x + by.x,
  y: camera.y + by.y,
});

/** Larger or smaller, with the point at `pixel` in its place. */
export function zoomed(camera: Camera, factor: number, pixel: Point): Camera {
  const scale = bounded(camera.scale * factor);
  const under = toGraph(camera, pixel);
  return { x: pixel.x - under.x * scale, y: pixel.y - under.y * scale, scale };
}

/** The point in the middle, at the same scale. */
export const centred = ({ scale }: Camera, point: Point, view: Size): Camera => ({
  x: view.width / 2 - point.x * scale,
  y: view.height / 2 - point.y * scale,
  scale,
});

/** The rectangle of all corners, each that of a step of this size. */
export function boundsOf(corners: readonly Point[], step: Size): Point & Size {
  if (corners.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x + step.width, height: Math.max(...ys) - y + step.height };
}

/** The whole graph in sight; from its top where it is too large for the scale `least`. */
export function fitted(bounds: Point & Size, view: Size, least: number = SCALES.least): Camera {
  const room = { width: view.width - 2 * MARGIN, height: view.height - 2 * MARGIN };
  const wanted = Math.min(
    WHOLE_SCALE,
    bounds.width === 0 ? WHOLE_SCALE : room.width / bounds.width,
    bounds.height === 0 ? WHOLE_SCALE : room.height / bounds.height,
  );
  const scale = Math.max(least, bounded(wanted));
  return {
    x: view.width / 2 - (bounds.x + bounds.width / 2) * scale,
    y: Math.max(MARGIN, (view.height - bounds.height * scale) / 2) - bounds.y * scale,
    scale,
  };
}
