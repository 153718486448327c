import { Socket } from 'node:dgram';
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { Client } from 'pg';
import { FATE_VARIABLE, LAST_WORDS, nameOf, pointOf, readFate, type Fate } from './fates.ts';

// Loaded before the program (node --import): it then dies at the point it was told, as by kill -9, and knows nothing
// of it. Lists are read in a thread, all else happens in the main one.
const fate = readFate(process.env[FATE_VARIABLE]);
if (fate !== null && (isMainThread || fate.point.startsWith('import'))) arm(fate);

function arm(fate: Fate): void {
  const point = pointOf(fate.point);
  let passes = 0;
  const isIt = (): boolean => (passes += 1) === fate.nth;
  const die = (): void => {
    writeSync(2, `${LAST_WORDS}${nameOf(fate)}\n`);
    process.kill(process.pid, 'SIGKILL');
  };

  if (point.at === 'packet') {
    // oxlint-disable-next-line typescript/unbound-method -- called with its socket below
    const send = Socket.prototype.send as (...args: unknown[]) => void;
    Socket.prototype.send = function sendOrDie(this: Socket, ...args: unknown[]): void {
      const text = Buffer.isBuffer(args[0]) ? args[0].toString('latin1', 0, 600) : '';
      if (!point.like.test(text) || !isIt()) return send.apply(this, args);
      if (fate.when === 'before') die();
      const done = args.at(-1);
      const last = typeof done === 'function' ? args.slice(0, -1) : args;
      return send.apply(this, [...last, die]);
    } as typeof Socket.prototype.send;
    return;
  }

  const marked = new WeakSet<object>();
  // oxlint-disable-next-line typescript/unbound-method -- called with its client below
  const query = Client.prototype.query as (...args: unknown[]) => unknown;
  Client.prototype.query = function queryOrDie(this: Client, ...args: unknown[]): unknown {
    const text = textOf(args[0]);
    const ask = (): unknown => query.apply(this, args);
    /** The statement's result is heard before whoever asked for it, by a callback or a promise. */
    const askAnd = (hear: (result: { rows: unknown[] }) => void): unknown => {
      const told = args.at(-1);
      if (typeof told !== 'function') {
        const answer = ask();
        if (!(answer instanceof Promise)) throw new Error(`nobody tells the end of: ${text}`);
        return answer.then((result: { rows: unknown[] }) => {
          hear(result);
          return result;
        });
      }
      return query.apply(this, [
        ...args.slice(0, -1),
        (error: Error | null, result: { rows: unknown[] }): void => {
          if (!error) hear(result);
          told(error, result);
        },
      ]);
    };
    /** Dies before the statement, when its words have left, or when its effect is known. */
    const around = (): unknown => {
      if (fate.when === 'after') return askAnd(die);
      if (fate.when === 'before') die();
      else setImmediate(die);
      return ask();
    };
    if (point.at === 'commit') {
      const isCommit = /^\s*commit\b/i.test(text);
      if (isCommit && marked.delete(this) && isIt()) return around();
      if (/^\s*(?:begin|start transaction|rollback)\b/i.test(text)) marked.delete(this);
      if (isLike(text, args)) marked.add(this);
      return ask();
    }
    if (!isLike(text, args)) return ask();
    if (point.withRows !== true) return isIt() ? around() : ask();
    return askAnd(({ rows }) => {
      if (rows.length > 0 && isIt()) die();
    });
  } as typeof Client.prototype.query;

  const isLike = (text: string, args: readonly unknown[]): boolean =>
    point.like.test(text) && (point.value === undefined || valuesOf(args).includes(point.value));
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string } | null)?.text ?? '');

const valuesOf = (args: readonly unknown[]): readonly unknown[] => (Array.isArray(args[1]) ? args[1] : []);
