import { memo, type ReactNode } from 'react';
import { STEP_SIZE } from './graph-layout.ts';

const { width, height } = STEP_SIZE;
/** Letters of a line of a step, and of the label of an edge. */
const LETTERS = { line: 30, label: 28 } as const;
/** Where labels stand, in pixels below and beside the step that their edges leave; `share` of the way to the target. */
const LABEL = { first: 18, line: 15, reach: 120, share: 0.3 } as const;
/** How far the line to a task leaves the sides of both steps. */
const TASK_REACH = 48;
const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

export type StepLook = 'plain' | 'selected' | 'faulty' | 'lit';
const STROKES: Readonly<Record<StepLook, string>> = {
  plain: 'stroke-line',
  selected: 'stroke-accent stroke-2',
  faulty: 'stroke-bad stroke-2',
  lit: 'stroke-good stroke-4',
};

/** A step as a box. Its properties are plain values, so that only a step that changed is drawn again. */
export const StepBox = memo(function StepBox({
  place,
  x,
  y,
  id,
  kind,
  words,
  mark,
  look,
}: {
  place: number;
  x: number;
  y: number;
  id: string;
  kind: string;
  words: string;
  mark: string;
  look: StepLook;
}): ReactNode {
  return (
    <g data-step={place} transform={`translate(${x} ${y})`} className="cursor-grab">
      <rect width={width} height={height} rx={6} className={`fill-surface ${STROKES[look]}`} />
      <text x={10} y={20} className="fill-ink font-mono text-xs font-medium">
        {shortened(id, LETTERS.line)}
      </text>
      <text x={10} y={38} className="fill-muted text-xs">
        {shortened([kind, mark].filter((part) => part !== '').join(', '), LETTERS.line)}
      </text>
      <text x={10} y={58} className="fill-ink text-xs">
        {shortened(words, LETTERS.line)}
      </text>
    </g>
  );
});

/** An edge from the lower side of a step to the upper side of another, with its condition below the first. */
export const EdgeLine = memo(function EdgeLine({
  place,
  at,
  x1,
  y1,
  x2,
  y2,
  label,
  count,
  isSelected,
}: {
  place: number;
  at: number;
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  label: string;
  /** Calls that took it; null: not counted. */
  count: number | null;
  isSelected: boolean;
}): ReactNode {
  const [fromX, fromY, toX, toY] = [x1 + width / 2, y1 + height, x2 + width / 2, y2];
  // Edges upwards leave and arrive sideways of the steps between.
  const bend = Math.max(40, Math.abs(toY - fromY) / 2);
  const side = toY < fromY ? width * 0.75 : 0;
  const parts = [shortened(label, LETTERS.label), count === null ? '' : String(count)];
  const shown = parts.filter((part) => part !== '').join(' · ');
  const path = `M${fromX} ${fromY} C${fromX + side} ${fromY + bend} ${toX + side} ${toY - bend} ${toX} ${toY}`;
  return (
    <g data-edge={`${place} ${at}`} className="cursor-pointer">
      <path d={path} fill="none" className="stroke-transparent" strokeWidth={14} />
      <path
        d={path}
        fill="none"
        className={isSelected ? 'stroke-accent stroke-2' : 'stroke-muted'}
        markerEnd={isSelected ? 'url(#flow-arrow-selected)' : 'url(#flow-arrow)'}
      />
      {shown === '' ? null : (
        <text
          x={fromX + Math.max(-LABEL.reach, Math.min(LABEL.reach, (toX - fromX) * LABEL.share))}
          y={fromY + LABEL.first + at * LABEL.line}
          textAnchor="middle"
          strokeWidth={4}
          style={{ paintOrder: 'stroke' }}
          className={`stroke-surface text-xs ${isSelected ? 'fill-accent' : 'fill-muted'}`}
        >
          {shown}
        </text>
      )}
    </g>
  );
});

/** The way from a talk to a step that it may start and goes on after: drawn broken, and from side to side. */
export const TaskLine = memo(function TaskLine({
  x1,
  y1,
  x2,
  y2,
}: {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}): ReactNode {
  const isRight = x2 >= x1;
  const [fromX, toX] = isRight ? [x1 + width, x2 + width] : [x1, x2];
  const out = (isRight ? 1 : -1) * TASK_REACH;
  const [fromY, toY] = [y1 + height / 2, y2 + height / 2];
  return (
    <path
      data-task=""
      d={`M${fromX} ${fromY} C${fromX + out} ${fromY} ${toX + out} ${toY} ${toX} ${toY}`}
      fill="none"
      strokeDasharray="5 4"
      className="stroke-muted"
      markerEnd="url(#flow-arrow)"
    />
  );
});

/** The heads of edges. */
export const Arrows = (): ReactNode => (
  <defs>
    {(['flow-arrow', 'flow-arrow-selected'] as const).map((id) => (
      <marker
        key={id}
        id={id}
        viewBox="0 0 8 8"
        refX={8}
        refY={4}
        markerWidth={8}
        markerHeight={8}
        orient="auto"
      >
        <path d="M0 0 L8 4 L0 8 z" className={id === 'flow-arrow' ? 'fill-muted' : 'fill-accent'} />
      </marker>
    ))}
  </defs>
);
