import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Agent, fetch, type FormData, setGlobalDispatcher } from 'undici';

/** The service under attack and what the attackers know of it. */
export interface Target {
  readonly url: string;
  readonly sipPort: number;
  /** Process id of the service. */
  readonly pid: number;
  /** Key of the hostile workspace. */
  readonly key: string;
  /** Key of another workspace, whose requests show whether the attack reaches it. */
  readonly otherKey: string;
  /** An agent of the other workspace. */
  readonly otherAgentId: string;
  /** An agent of the hostile workspace that answers `inbound`. */
  readonly agentId: string;
  readonly inbound: string;
  /** A number of the hostile workspace on the built-in test carrier. */
  readonly testNumber: string;
  /** Loopback address of the carrier's trunk; the service trusts it. */
  readonly carrier: string;
  /** Account and password of the carrier's trunk: a secret that must not leak. */
  readonly account: { readonly username: string; readonly password: string };
  /** An ended call of the hostile workspace and the link of its recording. */
  readonly recorded: { readonly id: string; readonly url: string };
  /** Share of the full rate of each flood: less than 1 when all run at once. */
  readonly floodShare: number;
  /** Values of secrets in the environment of the service. */
  readonly secrets: readonly string[];
}

/** What one attack did and drew; filled while it runs. */
export class Report {
  sent = 0;
  readonly answers = new Map<string, number>();
  readonly leaks: string[] = [];
  /** Times of `Date.now()` between which the longest step of the call workers counts. Empty: the whole attack. */
  readonly marks: { readonly from: number; readonly to: number }[] = [];

  answer(kind: string | number): void {
    const name = String(kind);
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
  }
  /** Something the attack must not obtain. */
  leak(what: string): void {
    if (!this.leaks.includes(what) && this.leaks.length < 20) this.leaks.push(what);
  }
}

export interface Attack {
  /** Section and number in the review, such as `1.2`. */
  readonly id: string;
  readonly name: string;
  /** The longest step of the call workers may take so long beside it, ms. Absent: no bound. */
  readonly longestStepMs?: number;
  /** Attacks until `stop` aborts, then closes what it opened. */
  run(target: Target, report: Report, stop: AbortSignal): Promise<void>;
}

/** Runs one attack. A request that its stop aborts is no failure of the run. */
export async function untilStopped(
  attack: Attack,
  target: Target,
  report: Report,
  stop: AbortSignal,
): Promise<void> {
  try {
    await attack.run(target, report, stop);
  } catch (error) {
    if (!stop.aborted || !(error instanceof Error) || error.name !== 'AbortError') throw error;
  }
}

/** Attackers are other machines: the service must not wait for the processor that they use here. */
export function yieldProcessor(): void {
  // Linux keeps a priority for each thread; V8's and libuv's threads are running already.
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), 19);
}

export const sleep = (ms: number, stop?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, stop?.aborted === true ? 0 : ms);
    stop?.addEventListener('abort', done, { once: true });
  });

/** Calls `action` at this rate until `stop` aborts, in batches of 20 ms. Does not wait for its result. */
export async function paced(perSecond: number, stop: AbortSignal, action: () => void): Promise<void> {
  const from = performance.now();
  let done = 0;
  while (!stop.aborted) {
    const due = Math.floor(((performance.now() - from) * perSecond) / 1000);
    // A late timer sends at most 100 ms of its backlog.
    done = Math.max(done, due - Math.ceil(perSecond / 10));
    for (; done < due; done += 1) action();
    await sleep(20, stop);
  }
}

/** Calls `action` one after another until `stop` aborts, `everyMs` from start to start. */
export async function repeated(
  everyMs: number,
  stop: AbortSignal,
  action: () => Promise<void>,
): Promise<void> {
  while (!stop.aborted) {
    const from = performance.now();
    await action().catch((error: unknown) => {
      if (!stop.aborted) throw error;
    });
    await sleep(Math.max(0, everyMs - (performance.now() - from)), stop);
  }
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The parsed body; null: no JSON. */
  readonly body: any;
}

/** Connections close soon after their last request, so that the service's descriptors can be compared. */
setGlobalDispatcher(new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 }));

/** One request; a connection that the service closes counts as status 0. */
export async function request(
  target: Pick<Target, 'url'>,
  key: string | null,
  method: string,
  path: string,
  options: {
    readonly body?: unknown;
    readonly form?: FormData;
    readonly headers?: Record<string, string>;
    readonly stop?: AbortSignal;
  } = {},
): Promise<Answer> {
  const { body, form, headers, stop } = options;
  try {
    const response = await fetch(`${target.url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: form }),
      ...(stop === undefined ? {} : { signal: stop }),
    });
    const text = await response.text();
    return { status: response.status, text, body: parsed(text) };
  } catch (error) {
    if (stop?.aborted === true) throw error;
    return { status: 0, text: '', body: null };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

let lastUpload: Promise<unknown> = Promise.resolve();
/** An upload of the other workspace, one at a time: a workspace of its own may hold two of three slots. */
export function otherUpload(target: Target, form: FormData, stop: AbortSignal): Promise<Answer> {
  const upload = lastUpload.then(() =>
    request(target, target.otherKey, 'POST', '/api/v0/external/kb', { form, stop }),
  );
  lastUpload = upload.catch(() => undefined);
  return upload;
}
