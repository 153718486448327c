export interface Setting<T> {
  /** The default, shown in config.example.env; null: unset. */
  readonly default: string | null;
  readonly read: (raw: string) => T;
  readonly about: string;
  /** May also come from the file named by `<NAME>_FILE`, or from the systemd credential of its name. */
  readonly secret?: true;
}
export const setting = <T>(fallback: string | null, read: (raw: string) => T, about: string): Setting<T> => ({
  default: fallback,
  read,
  about,
});
export const secret = <T>(read: (raw: string) => T, about: string): Setting<T> => ({
  default: null,
  read,
  about,
  secret: true,
});
