import { createLog, type Log } from '../../../src/shared/log.ts';

/** A log at the level of a service that runs, and the lines that it wrote. */
export function keptLog(): { readonly log: Log; text(): string } {
  const lines: string[] = [];
  const destination = { write: (line: string): void => void lines.push(line) };
  return {
    log: createLog({ level: 'info', pretty: false, destination }),
    text: () => lines.join(''),
  };
}
