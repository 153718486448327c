import { differenceOf } from '../../domain/agents/draft/difference.ts';
import type { AgentPlan, Drift, PlannedChange } from '../../http/agents/document/plan.ts';

/** Characters of a value in a line. */
const SHOWN = 60;
/** Lines of one setting. */
const MOST_LINES = 8;

/** One line for each place in which a setting differs. */
export function changeLines({ key, before, after }: PlannedChange): string[] {
  const lines = differenceOf({ [key]: before }, { [key]: after }).map(
    (change) => `  ~ ${change.path}: ${shown(change.before)} -> ${shown(change.after)}`,
  );
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `  ~ ${key}: ${more} more`] : lines;
}

export const planLines = (plan: AgentPlan): string[] =>
  plan.creation === null
    ? [plan.folder, ...plan.changes.flatMap(changeLines)]
    : [`${plan.folder}: a new agent`, `  + ${plan.changes.map(({ key }) => key).join(', ')}`];

export function driftLines({ folder, whole, changes }: Drift): string[] {
  if (whole === 'deleted') return [`${folder}: its agent was deleted on the service`];
  if (whole === 'new') return [`the service has an agent "${folder}" that no folder has`];
  return [`${folder}: changed on the service`, ...changes.flatMap(changeLines)];
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
