/** A setting as it is in force in this process. The value of a secret is not part of it. */
export interface SettingInForce {
  readonly name: string;
  readonly about: string;
  readonly isSecret: boolean;
  readonly source: 'default' | 'environment' | 'file';
  /** Null: unset, or a secret. */
  readonly value: string | null;
  readonly isSet: boolean;
}
