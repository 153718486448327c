import { useEffect, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { Button } from '../../ui/controls.tsx';
import type { FlowCheck } from './flow-check.tsx';
import { edgesIn, stepsIn, tasksIn, type FlowDocument } from './flow-document.ts';
import { stepsOf, wayOf } from './flow-text.ts';
import { boundsOf, centred, panned, zoomed } from './graph-camera.ts';
import { layoutFlow, placesById, STEP_SIZE, type Point } from './graph-layout.ts';
import { GraphMap } from './graph-map.tsx';
import { Arrows, EdgeLine, StepBox, TaskLine } from './graph-parts.tsx';
import { readPlaces, writePlaces } from './graph-places.ts';
import type { Row } from './outline-rows.ts';
import { countOf, type Trace } from './trace.ts';
import { useGraphCamera, ZOOM_STEP } from './use-graph-camera.ts';
import { t } from '../../words/words.ts';

/** A press on the graph: of a step that is dragged, or of the ground that pans. */
interface Hold {
  readonly id: string | null;
  readonly row: Row | null;
  readonly from: Point;
  /** Where the step stood. */
  readonly origin: Point;
  readonly hasMoved: boolean;
}
/** Pixels from which a press is a drag. */
const DRAG_PIXELS = 4;

/** The flow as a graph: steps are dragged and selected, edges have their conditions. */
export function GraphView({
  agentId,
  flow,
  row,
  check,
  trace,
  onRow,
}: {
  agentId: string;
  flow: FlowDocument;
  row: Row;
  check: FlowCheck;
  trace: Trace;
  onRow: (row: Row) => void;
}): ReactNode {
  const [places, setPlaces] = useState(() => readPlaces(localStorage, agentId));
  const [hold, setHold] = useState<Hold | null>(null);
  const steps = stepsIn(flow);
  const points = layoutFlow(flow).map((point, place) => places[steps[place]?.id ?? ''] ?? point);
  const { windowRef, camera, view, move, showAll } = useGraphCamera(boundsOf(points, STEP_SIZE));
  const clicked = useRef(row.step);
  const selected = points[row.step];
  const centre = useRef(() => {});
  useEffect(() => {
    centre.current = () => {
      if (selected === undefined) return;
      const middle = { x: selected.x + STEP_SIZE.width / 2, y: selected.y + STEP_SIZE.height / 2 };
      move((before, size) => centred(before, middle, size));
    };
  });
  useEffect(() => {
    // A step that was selected elsewhere comes into sight.
    if (clicked.current !== row.step) centre.current();
    clicked.current = row.step;
  }, [row.step]);
  const press = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    const place = event.target.closest('[data-step]')?.getAttribute('data-step') ?? null;
    const edge = event.target.closest('[data-edge]')?.getAttribute('data-edge')?.split(' ').map(Number);
    const id = place === null ? null : (steps[Number(place)]?.id ?? null);
    event.currentTarget.setPointerCapture(event.pointerId);
    setHold({
      id,
      row:
        place !== null
          ? { step: Number(place), edge: null }
          : edge === undefined
            ? null
            : { step: edge[0] ?? 0, edge: edge[1] ?? null },
      from: { x: event.clientX, y: event.clientY },
      origin: points[Number(place ?? 0)] ?? { x: 0, y: 0 },
      hasMoved: false,
    });
  };
  const drag = (event: PointerEvent<SVGSVGElement>): void => {
    if (hold === null) return;
    const by = { x: event.clientX - hold.from.x, y: event.clientY - hold.from.y };
    if (!hold.hasMoved && Math.hypot(by.x, by.y) < DRAG_PIXELS) return;
    if (hold.id === null) {
      move((before) => panned(before, by));
      setHold({ ...hold, from: { x: event.clientX, y: event.clientY }, hasMoved: true });
      return;
    }
    const point = { x: hold.origin.x + by.x / camera.scale, y: hold.origin.y + by.y / camera.scale };
    // The camera stays: the whole graph may be larger now.
    move((before) => before);
    setPlaces({ ...places, [hold.id]: point });
    if (!hold.hasMoved) setHold({ ...hold, hasMoved: true });
  };
  const release = (): void => {
    if (hold === null) return;
    setHold(null);
    if (hold.hasMoved) writePlaces(localStorage, agentId, places);
    else if (hold.row !== null) {
      clicked.current = hold.row.step;
      onRow(hold.row);
    }
  };
  const zoom = (factor: number): void =>
    move((before, size) => zoomed(before, factor, { x: size.width / 2, y: size.height / 2 }));
  return (
    <div className="flex flex-col gap-2">
      <div className="relative h-[70vh] min-h-96 overflow-hidden rounded-md border border-line bg-ground">
        <svg
          ref={windowRef}
          role="img"
          aria-label={t('Graph of {length} steps. The outline has the same steps for the keyboard.', {
            length: steps.length,
          })}
          className={`size-full touch-none select-none ${hold === null ? '' : 'cursor-grabbing'}`}
          onPointerDown={press}
          onPointerMove={drag}
          onPointerUp={release}
          onPointerCancel={() => setHold(null)}
        >
          <Arrows />
          <g transform={`translate(${camera.x} ${camera.y}) scale(${camera.scale})`}>
            <Drawing flow={flow} points={points} row={row} check={check} trace={trace} />
          </g>
        </svg>
        <GraphMap
          points={points}
          camera={camera}
          view={view}
          onCentre={(point) => move((before, size) => centred(before, point, size))}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => zoom(ZOOM_STEP)}>{t('Zoom in')}</Button>
        <Button onClick={() => zoom(1 / ZOOM_STEP)}>{t('Zoom out')}</Button>
        <Button onClick={showAll}>{t('Show all')}</Button>
        <Button
          disabled={Object.keys(places).length === 0}
          onClick={() => {
            setPlaces({});
            writePlaces(localStorage, agentId, {});
          }}
        >
          {t('Lay out anew')}
        </Button>
      </div>
    </div>
  );
}

function Drawing({
  flow,
  points,
  row,
  check,
  trace,
}: {
  flow: FlowDocument;
  points: readonly Point[];
  row: Row;
  check: FlowCheck;
  trace: Trace;
}): ReactNode {
  const steps = stepsIn(flow);
  const byId = placesById(steps);
  const faulty = new Set(check.faults.map(({ node }) => node));
  return (
    <>
      {steps.flatMap((step, place) =>
        edgesIn(step).map((edge, at) => {
          const [from, to] = [points[place], points[byId.get(edge.to) ?? -1]];
          // An edge to a missing step is in the outline only.
          if (from === undefined || to === undefined) return null;
          return (
            <EdgeLine
              // Edges have no name of their own.
              // oxlint-disable-next-line react/no-array-index-key
              key={`${place} ${at}`}
              place={place}
              at={at}
              x1={from.x}
              y1={from.y}
              x2={to.x}
              y2={to.y}
              label={conditionOf(edge)}
              count={trace.counts === null ? null : countOf(trace.counts, step.id, edge)}
              isSelected={row.step === place && row.edge === at}
            />
          );
        }),
      )}
      {steps.flatMap((step, place) =>
        tasksIn(step).map((task) => {
          const [from, to] = [points[place], points[byId.get(task) ?? -1]];
          if (from === undefined || to === undefined) return null;
          return <TaskLine key={`${place} ${task}`} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />;
        }),
      )}
      {stepsOf({ nodes: steps }).map((step, place) => (
        <StepBox
          // Two steps may have one id while someone types.
          // oxlint-disable-next-line react/no-array-index-key
          key={place}
          place={place}
          x={points[place]?.x ?? 0}
          y={points[place]?.y ?? 0}
          id={step.id}
          kind={step.kind}
          words={step.words ?? ''}
          mark={step.id === flow.start ? t('start') : place >= flow.nodes.length ? t('at any time') : ''}
          look={
            trace.lit === step.id
              ? 'lit'
              : row.step === place
                ? 'selected'
                : faulty.has(step.id)
                  ? 'faulty'
                  : 'plain'
          }
        />
      ))}
    </>
  );
}

/** The condition of an edge; empty for the default. */
function conditionOf(edge: Readonly<Record<string, unknown>>): string {
  const words = wayOf(edge).split(' → ')[0] ?? '';
  return words === 'otherwise' ? '' : words;
}
