import { Socket } from 'node:dgram';
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { Client } from 'pg';
import { FAULT_VARIABLE, DEATH_NOTICE, nameOf, pointOf, decodeFault, type Fault } from './fault-points.ts';

// Loaded before the program (node --import): injects the fault, SIGKILL at the given point, without changes to the
// program. Statements run in several threads, each with its own count of passes; SIP packets leave from the main thread.
const fault = decodeFault(process.env[FAULT_VARIABLE]);
if (fault !== null && (isMainThread || pointOf(fault.point).at !== 'packet')) arm(fault);

function arm(fault: Fault): void {
  const point = pointOf(fault.point);
  let passes = 0;
  const isDue = (): boolean => (passes += 1) === fault.nth;
  const die = (): void => {
    writeSync(2, `${DEATH_NOTICE}${nameOf(fault)}\n`);
    process.kill(process.pid, 'SIGKILL');
  };

  if (point.at === 'packet') {
    // oxlint-disable-next-line typescript/unbound-method -- called with its socket below
    const send = Socket.prototype.send as (...args: unknown[]) => void;
    Socket.prototype.send = function sendOrDie(this: Socket, ...args: unknown[]): void {
      const text = Buffer.isBuffer(args[0]) ? args[0].toString('latin1', 0, 600) : '';
      if (!point.like.test(text) || !isDue()) return send.apply(this, args);
      if (fault.when === 'before') die();
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
    const run = (): unknown => query.apply(this, args);
    /** Runs the statement and calls `onResult` before its caller gets the result (callback or promise). */
    const runAnd = (onResult: (result: { rows: unknown[] }) => void): unknown => {
      const callback = args.at(-1);
      if (typeof callback !== 'function') {
        const answer = run();
        if (!(answer instanceof Promise)) throw new Error(`neither callback nor promise: ${text}`);
        return answer.then((result: { rows: unknown[] }) => {
          onResult(result);
          return result;
        });
      }
      return query.apply(this, [
        ...args.slice(0, -1),
        (error: Error | null, result: { rows: unknown[] }): void => {
          if (!error) onResult(result);
          callback(error, result);
        },
      ]);
    };
    /** Dies before the statement, right after sending it, or after its result. */
    const around = (): unknown => {
      if (fault.when === 'after') return runAnd(die);
      if (fault.when === 'before') die();
      else setImmediate(die);
      return run();
    };
    if (point.at === 'commit') {
      const isCommit = /^\s*commit\b/i.test(text);
      if (isCommit && marked.delete(this) && isDue()) return around();
      if (/^\s*(?:begin|start transaction|rollback)\b/i.test(text)) marked.delete(this);
      if (isLike(text, args)) marked.add(this);
      return run();
    }
    if (!isLike(text, args)) return run();
    if (point.withRows !== true) return isDue() ? around() : run();
    return runAnd(({ rows }) => {
      if (rows.length > 0 && isDue()) die();
    });
  } as typeof Client.prototype.query;

  const isLike = (text: string, args: readonly unknown[]): boolean =>
    point.like.test(text) && (point.value === undefined || valuesOf(args).includes(point.value));
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string } | null)?.text ?? '');

const valuesOf = (args: readonly unknown[]): readonly unknown[] => (Array.isArray(args[1]) ? args[1] : []);
