import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const projectFolder = resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the project's folder. */
  readonly file: string;
  readonly text: string;
}

/** The TypeScript of the service and of the libraries, without tests. */
export const productFiles = (): SourceFile[] =>
  globSync(['src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: projectFolder })
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(projectFolder, file), 'utf8') }));
