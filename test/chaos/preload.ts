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

  /** Lets `act` run and dies before it, when its words have left, or when its effect is known. */
  const around = (act: () => unknown): unknown => {
    if (fate.when === 'before') die();
    const done = act();
    if (fate.when === 'during') setImmediate(die);
    else if (done instanceof Promise) return done.then(die);
    return done;
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
    const act = (): unknown => query.apply(this, args);
    if (point.at === 'commit') {
      const isCommit = /^\s*commit\b/i.test(text);
      if (isCommit && marked.delete(this) && isIt()) return around(act);
      if (/^\s*(?:begin|start transaction|rollback)\b/i.test(text)) marked.delete(this);
      if (isLike(text, args)) marked.add(this);
      return act();
    }
    if (!isLike(text, args)) return act();
    if (point.withRows !== true) return isIt() ? around(act) : act();
    const done = act();
    if (!(done instanceof Promise)) return done;
    return done.then((result: { rows: unknown[] }) => {
      if (result.rows.length > 0 && isIt()) die();
      return result;
    });
  } as typeof Client.prototype.query;

  const isLike = (text: string, args: readonly unknown[]): boolean =>
    point.like.test(text) && (point.value === undefined || valuesOf(args).includes(point.value));
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string } | null)?.text ?? '');

const valuesOf = (args: readonly unknown[]): readonly unknown[] => (Array.isArray(args[1]) ? args[1] : []);
