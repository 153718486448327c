/**
 * Imports the modules named by its arguments and prints every regular expression that their top-level code constructs,
 * one JSON line each. A program of its own, because only a fresh process runs the top-level code of every module.
 */
import { pathToFileURL } from 'node:url';

const FRAME = /(file:\/\/\S+\.ts):(\d+):\d+/;

/** The first caller outside this file. */
function caller(): { file: string; line: number } {
  for (const frame of (new Error('where').stack ?? '').split('\n')) {
    const [, file = '', line = ''] = FRAME.exec(frame) ?? [];
    if (file !== '' && file !== import.meta.url) return { file, line: Number(line) };
  }
  return { file: '', line: 0 };
}

const files = process.argv.slice(2).map((path) => pathToFileURL(path).href);
const record = (pattern: RegExp): RegExp => {
  const { file, line } = caller();
  const { source, flags } = pattern;
  if (files.includes(file)) process.stdout.write(`${JSON.stringify({ file, line, source, flags })}\n`);
  return pattern;
};
const recording = new Proxy(RegExp, {
  construct: (target, args: [string, string?]) => record(new target(...args)),
  apply: (target, _this, args: [string, string?]) => record(new target(...args)),
});
globalThis.RegExp = recording;
for (const file of files) await import(file);
