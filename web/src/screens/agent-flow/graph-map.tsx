import type { PointerEvent, ReactNode } from 'react';
import { boundsOf, fitted, toGraph, type Camera, type Size } from './graph-camera.ts';
import { STEP_SIZE, type Point } from './graph-layout.ts';

const MAP: Size = { width: 160, height: 110 };
/** Of the middle of a map in the whole graph, whose scale may be less than that of the graph. */
const DETAIL = 10;

/** The whole graph in small, with the part in sight. A press brings that part into the middle. */
export function GraphMap({
  points,
  camera,
  view,
  onCentre,
}: {
  points: readonly Point[];
  camera: Camera;
  view: Size;
  onCentre: (point: Point) => void;
}): ReactNode {
  const large = { width: MAP.width * DETAIL, height: MAP.height * DETAIL };
  const whole = fitted(boundsOf(points, STEP_SIZE), large);
  const [from, to] = [toGraph(camera, { x: 0, y: 0 }), toGraph(camera, { x: view.width, y: view.height })];
  const press = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.buttons === 0) return;
    event.stopPropagation();
    const box = event.currentTarget.getBoundingClientRect();
    onCentre(toGraph(whole, { x: (event.clientX - box.x) * DETAIL, y: (event.clientY - box.y) * DETAIL }));
  };
  return (
    <svg
      aria-hidden="true"
      width={MAP.width}
      height={MAP.height}
      viewBox={`0 0 ${large.width} ${large.height}`}
      className="absolute right-2 bottom-2 rounded-md border border-line bg-ground"
      onPointerDown={press}
      onPointerMove={press}
    >
      <g transform={`translate(${whole.x} ${whole.y}) scale(${whole.scale})`}>
        {points.map(({ x, y }, place) => (
          // The place of a step is its name here.
          // oxlint-disable-next-line react/no-array-index-key
          <rect key={place} x={x} y={y} {...STEP_SIZE} className="fill-muted" />
        ))}
        <rect
          x={from.x}
          y={from.y}
          width={to.x - from.x}
          height={to.y - from.y}
          vectorEffect="non-scaling-stroke"
          className="fill-none stroke-accent stroke-2"
        />
      </g>
    </svg>
  );
}
