/** The value of a setting that this process uses, and where it comes from; never the value of a secret. */
export interface SettingInForce {
  readonly name: string;
  readonly about: string;
  readonly isSecret: boolean;
  readonly source: 'default' | 'environment' | 'file';
  /** Null: unset, or a secret. */
  readonly value: string | null;
  readonly isSet: boolean;
}
