/** What hears and speaks in the calls of a process, in words. */
export interface EnginesInUse {
  readonly ears: string;
  readonly voices: string;
}
