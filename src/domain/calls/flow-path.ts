import { readMove, type FlowMove } from '../../shared/flow-moves.ts';

/** A move of a flow in a call; `ms` since the call was answered. */
export interface TimedMove extends FlowMove {
  readonly ms: number;
}

/** How the writer of logs begins the moves of an entry; in texts of the call its quotes are escaped. */
const MARK = '"steps":[';

/** The moves of a written event log in order. Lines that are no entries are left out, so a cut log counts as far as it goes. */
export function flowPath(log: string): TimedMove[] {
  const moves: TimedMove[] = [];
  // Most lines have no moves: only those that do are parsed.
  for (let at = log.indexOf(MARK); at !== -1;) {
    const from = log.lastIndexOf('\n', at) + 1;
    const end = log.indexOf('\n', at);
    moves.push(...movesOf(log.slice(from, end === -1 ? undefined : end)));
    at = end === -1 ? -1 : log.indexOf(MARK, end);
  }
  return moves;
}

function movesOf(line: string): TimedMove[] {
  const entry = parsed(line);
  const [ms, , event] = Array.isArray(entry) ? (entry as unknown[]) : [];
  if (typeof ms !== 'number' || typeof event !== 'object' || event === null || !('steps' in event)) return [];
  const steps: readonly unknown[] = Array.isArray(event.steps) ? event.steps : [];
  return steps.flatMap((step) => {
    const move = typeof step === 'string' ? readMove(step) : null;
    return move === null ? [] : [{ ...move, ms }];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
