import type { ReactNode } from 'react';
import { Button } from './controls.tsx';
import { saveSheets, type Sheet } from './sheet.ts';

/** Downloads the figures of a table as CSV. */
export function SheetButton({ sheet }: { sheet: Sheet }): ReactNode {
  return (
    <Button
      aria-label={`CSV: ${sheet.name}`}
      onClick={() => saveSheets([sheet], `${sheet.name.toLowerCase().replaceAll(' ', '-')}.csv`)}
    >
      CSV
    </Button>
  );
}
