import { answers, noteLost, untilConnected } from './connection.ts';

const NEVER = new AbortController().signal;

/** Loads a part of the dashboard; while the service is away it waits instead of failing. */
export const patient =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  async () => {
    try {
      return await load();
    } catch (error) {
      // A file that a reachable service does not have is of an older version of the dashboard: the router loads anew.
      if (await answers()) throw error;
      noteLost();
      await untilConnected(NEVER);
      return load();
    }
  };
