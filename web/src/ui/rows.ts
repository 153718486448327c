const ROWS = 'main table tbody tr';

/** Moves the focus by so many rows of the table that has it, else into the first table of the screen. */
export function moveToRow(by: number): void {
  const focused = document.activeElement;
  const table = focused?.closest('main table') ?? document.querySelector('main table');
  if (table === null || table === undefined) return;
  const targets = [...document.querySelectorAll<HTMLElement>(ROWS)]
    .filter((row) => table.contains(row))
    .flatMap((row) => row.querySelector<HTMLElement>('a, button:not(:disabled), select') ?? []);
  const at = targets.findIndex((target) => target.closest('tr')?.contains(focused) === true);
  const next = at < 0 ? (by > 0 ? 0 : targets.length - 1) : at + by;
  targets[next]?.focus();
}
