import type { ImportResult } from '../../domain/campaigns/import/importer.ts';
import type { ImportTask } from '../../domain/campaigns/import/run-import.ts';

export interface ToThread {
  readonly task: ImportTask;
}

export type FromThread =
  | { readonly kind: 'progress'; readonly readBytes: number; readonly rows: number }
  | { readonly kind: 'ended'; readonly result: ImportResult }
  | {
      readonly kind: 'failed';
      readonly error: {
        readonly name: string;
        readonly code: string;
        readonly message: string;
        readonly trace: string;
      };
    };
