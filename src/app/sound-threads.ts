import { Worker } from 'node:worker_threads';
import type { Language } from '@callwright/language';
import { isEnglish } from '@callwright/language';
import type { RehearsalPlan } from '../domain/rehearsals/rehearser.ts';
import { UnplayableError, type SoundStage } from '../domain/rehearsals/sound-stage.ts';
import { installedModel } from '../offline/models/installed.ts';
import { earModels } from '../offline/words/models.ts';
import type { CallSpec } from '../session/protocol.ts';
import type { Log } from '../shared/log.ts';
import { Thread } from '../shared/threads/thread.ts';
import { seatsFor, type LiveLoad } from './sound-seats.ts';
import type { SoundThreadApi, SoundThreadEvents } from './sound-rehearsal.thread.ts';
import { recogniserOf } from './sound-rehearsal.ts';

type SoundThread = Thread<SoundThreadApi, never, SoundThreadEvents>;

/** Between two looks at the calls that this process carries. */
const LOOK_MS = 1_000;

export interface SoundThreadsDeps {
  readonly modelsDir: string;
  readonly log: Log;
  /** What the calls of this process take now. */
  readonly load: () => Promise<LiveLoad>;
}

/** Plays rehearsals by sound on a thread each, behind the calls of people. */
export class SoundThreads implements SoundStage {
  readonly #deps: SoundThreadsDeps;
  readonly #running = new Set<SoundThread>();
  #isClosed = false;

  constructor(deps: SoundThreadsDeps) {
    this.#deps = deps;
  }

  async play({ plan, calls, signal, onPlayed }: Parameters<SoundStage['play']>[0]): Promise<void> {
    const { modelsDir } = this.#deps;
    this.#check(plan);
    if (this.#isClosed) throw new Error('the service is stopping');
    const worker = new Worker(new URL('./sound-rehearsal.thread.ts', import.meta.url));
    const thread: SoundThread = new Thread(worker, {
      name: 'thread of a rehearsal by sound',
      ending: { by: 'terminate' },
      served: { api: { played: (played) => onPlayed(played) } },
    });
    this.#running.add(thread);
    const stop = (): void => void thread.stop();
    signal.addEventListener('abort', stop);
    let looking: NodeJS.Timeout | null = null;
    try {
      signal.throwIfAborted();
      const fit = await thread.remote.call.measure(plan, modelsDir);
      const seat = (): Promise<void> => this.#seat(thread, plan, fit);
      await seat();
      looking = setInterval(() => void seat(), LOOK_MS);
      await thread.remote.call.play(plan, calls, modelsDir);
    } finally {
      if (looking !== null) clearInterval(looking);
      signal.removeEventListener('abort', stop);
      this.#running.delete(thread);
      await thread.stop();
    }
  }

  /** Ends the calls under way; other processes play them again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((thread) => thread.stop()));
  }

  /** The rehearsals of this process share its seats. */
  async #seat(thread: SoundThread, plan: RehearsalPlan, fit: number): Promise<void> {
    const { load, log } = this.#deps;
    try {
      const seats = seatsFor({ fit, needsEars: recogniserOf(plan) === 'words', load: await load() });
      thread.remote.send.seat(Math.floor(seats / this.#running.size));
    } catch (error) {
      log.warn({ err: error }, 'the calls of this process are not known, so no rehearsed call begins');
      thread.remote.send.seat(0);
    }
  }

  /** Throws UnplayableError for a recogniser that this machine does not have in the language of the agent. */
  #check(plan: RehearsalPlan): void {
    const find = (id: string) => installedModel(this.#deps.modelsDir, id);
    const recogniser = recogniserOf(plan);
    for (const spec of [plan.spec, plan.againstSpec]) {
      if (spec === null) continue;
      const language: Language = (spec as CallSpec).agent.language;
      if (recogniser === 'phrases' && !isEnglish(language))
        throw new UnplayableError(
          `Expected phrases are heard in English only, and the agent speaks ${language}.`,
        );
      if (recogniser === 'words' && earModels(find)(language) === null)
        throw new UnplayableError(
          `No model of this machine hears the words of ${language}: callwright models get fetches one.`,
        );
    }
  }
}
