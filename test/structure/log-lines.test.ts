import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * What the program writes into its log, by its own source: messages are fixed sentences, and fields are ids, counts,
 * names of our own things and errors that `safeError` has stripped. Anything else is somebody's number or words until
 * it is looked at and named here.
 */
const FIELDS: Readonly<Record<string, string>> = {
  err: 'stripped by safeError',
  callId: 'id',
  workspaceId: 'id',
  deliveryId: 'id',
  jobId: 'id',
  requestId: 'id',
  nodeId: 'id',
  node: 'id',
  attempt: 'count',
  attempts: 'count',
  status: 'code',
  sipCode: 'code',
  code: 'code',
  error: 'name of an error',
  errorCode: 'code',
  trace: 'places in the source',
  kind: 'name of our own',
  work: 'name of our own',
  reason: 'sentence of our own',
  route: 'pattern',
  action: 'name of our own',
  lost: 'names of operations and ids',
  pid: 'id',
  worker: 'count',
  trunk: 'id or name, the operator’s',
  peer: 'address of a SIP peer',
  listening: 'addresses of our own',
  transport: 'name of our own',
  wanted: 'path of our own',
  used: 'path of our own',
  user: 'account of the machine',
  joined: 'yes or no',
  signal: 'name of a signal',
  step: 'name of our own',
  seconds: 'length',
  startMs: 'length',
  swept: 'counts',
  '...traceOf(error)': 'name, code and places in the source',
};

const root = resolve(import.meta.dirname, '../../src');
const CALL = /\b(?:#?log|options\.log|deps\.log)\.(trace|debug|info|warn|error|fatal)\(/g;

interface Line {
  readonly at: string;
  /** The text between the parentheses. */
  readonly args: string;
}

function linesOf(file: string): Line[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(CALL)].map((match) => {
    const from = match.index + match[0].length;
    let depth = 1;
    let to = from;
    while (depth > 0 && to < text.length) {
      if ('({['.includes(text[to] ?? ' ')) depth += 1;
      if (')}]'.includes(text[to] ?? ' ')) depth -= 1;
      to += 1;
    }
    const line = text.slice(0, match.index).split('\n').length;
    return {
      at: `${file}:${line}`,
      args: text
        .slice(from, to - 1)
        .replaceAll(/\s+/g, ' ')
        .trim(),
    };
  });
}

/** The fields a line names, and its message; null where it is of neither shape. */
function read(args: string): { fields: string[]; message: string } | null {
  const alone = /^'([^']*)',?$/.exec(args);
  if (alone !== null) return { fields: [], message: alone[1] ?? '' };
  const both = /^(?:\{(.*)\}|(\w+)), ['"]([^`]*)['"],?$/.exec(args);
  if (both === null) return null;
  const [, inner = '', name, message = ''] = both;
  const fields =
    name === undefined ? inner.split(/,(?![^(]*\))/).map((part) => part.split(':')[0] ?? '') : [name];
  return { fields: fields.map((field) => field.trim()).filter((field) => field !== ''), message };
}

describe('log lines', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const lines = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).flatMap(linesOf);

  it('are fixed sentences with fields that are known to be nobody’s', () => {
    expect(lines.length).toBeGreaterThan(60);
    const unknown = lines.flatMap(({ at, args }) => {
      const line = read(args);
      if (line === null) return [`${at} ${args}`];
      return line.fields.filter((field) => !Object.hasOwn(FIELDS, field)).map((field) => `${at} ${field}`);
    });
    expect(unknown).toEqual([]);
  });
});
